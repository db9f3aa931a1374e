# frozen_string_literal: true

require "rbconfig"
require "tempfile"
require "timeout"

# What must not happen in the process of the suite: Ractors, which can not be stopped, and
# whatever would end the process if it went wrong.
module Child
  class Crashed < StandardError
  end

  # Without what Bundler adds.
  PLAIN = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "BUNDLE_BIN_PATH" => nil }.freeze

  module_function

  # Runs the block in a forked process. Returns its value, which goes through Marshal; an
  # exception comes out as it is.
  def run(seconds = 60)
    reader, writer = IO.pipe(binmode: true)
    errors = Tempfile.create("child")
    pid = fork do
      reader.close
      $stderr.reopen(errors)
      result = begin
        [:value, yield]
      rescue Exception => error # rubocop:disable Lint/RescueException
        [:error, error]
      end
      writer.write(marshal(result))
      writer.close
      exit!(0)
    end
    writer.close
    answer = read_within(seconds, reader, pid)
    kind, value = answer.empty? ? raise(Crashed, File.read(errors)[0, 4000]) : Marshal.load(answer)
    raise value if kind == :error

    value
  ensure
    [reader, writer, errors].compact.each { |io| io.close unless io.closed? }
    File.unlink(errors.path) if errors
  end

  # Runs Ruby code in a new process with this library on its load path, and nothing loaded.
  # Returns what it printed. Options are those of the ruby command.
  def ruby(code, *options, seconds: 60, environment: {})
    command = [RbConfig.ruby, "--disable-gems", *$LOAD_PATH.grep(%r{/lib\z}).flat_map { |path| ["-I", path] }, *options, "-e", code]
    reader, writer = IO.pipe
    pid = spawn(PLAIN.merge(environment), *command, out: writer, err: writer, in: File::NULL, pgroup: true)
    writer.close
    output = read_within(seconds, reader, pid, -pid)
    raise Crashed, output unless $?.success?

    output
  ensure
    reader&.close
  end

  def marshal(result)
    Marshal.dump(result)
  rescue TypeError
    Marshal.dump([:error, Crashed.new("can not be marshalled: #{result.inspect}")])
  end
  private_class_method :marshal

  def read_within(seconds, reader, pid, to_kill = pid)
    Timeout.timeout(seconds) { reader.read.tap { Process.wait(pid) } }
  rescue Timeout::Error
    Process.kill(:KILL, to_kill)
    Process.wait(pid)
    raise Crashed, "not done within #{seconds} seconds"
  end
  private_class_method :read_within
end
