# frozen_string_literal: true

require "json"
require "open3"
require "pty"

# Runs exe/msgpack as a user does, in a process of its own.
module Tool
  PATH = File.expand_path("../../exe/msgpack", __dir__)
  Result = Struct.new(:output, :errors, :status)

  module_function

  def command
    [RbConfig.ruby, "--disable-gems", *$LOAD_PATH.grep(%r{/lib\z}).flat_map { |path| ["-I", path] }, PATH]
  end

  # @param input [String] what standard input gives
  # @return [Result] output binary, status an Integer
  def msgpack(*arguments, input: "", env: {})
    output, errors, status = Open3.capture3(Child::PLAIN.merge(env), *command, *arguments, stdin_data: input, binmode: true)
    Result.new(output, errors.force_encoding(Encoding::UTF_8), status.exitstatus)
  end

  # Whether there are pseudo-terminals, which a bare chroot lacks.
  def terminals?
    PTY.open { true }
  rescue SystemCallError, RuntimeError
    false
  end

  # What it shows on a terminal, output and errors together.
  def on_terminal(*arguments, env: {})
    PTY.spawn(Child::PLAIN.merge("TERM" => "xterm", "NO_COLOR" => nil).merge(env), *command, *arguments) do |reader, _writer, pid|
      text = +""
      begin
        loop { text << reader.readpartial(4096) }
      rescue EOFError, Errno::EIO
        Process.wait(pid)
      end
      return text
    end
  end
end
