# frozen_string_literal: true

# Looks for programs that crash the gem, make it hang, let its memory grow, or leave its objects broken.
#
#   rake "fuzz[60]"        for 60 seconds
#   FUZZ_SEED=7 rake fuzz  the same programs again
#   FUZZ_RUBY=--yjit       options for the Ruby that runs them
#
# Each program runs in a child process. The one that a child dies of is made as small as it can be, and
# kept in tmp/fuzz/ as a script of its own.

require "fileutils"
require "io/wait"
require "rbconfig"
require_relative "abuse"

module Fuzz
  LIB = ENV.fetch("FUZZ_LIB", File.expand_path("../../lib", __dir__))
  FOUND = File.expand_path("../../tmp/fuzz", __dir__)

  # A child process that runs programs.
  class Child
    TIMEOUT = Integer(ENV.fetch("FUZZ_TIMEOUT", 60))

    def initialize
      @log = File.join(FOUND, "child.#{Process.pid}.#{object_id}.log")
      FileUtils.mkdir_p(FOUND)
      command = [RbConfig.ruby, *ENV["FUZZ_RUBY"].to_s.split, "--disable-gems", "-I#{LIB}", File.join(__dir__, "child.rb")]
      @io = IO.popen({ "RUBYOPT" => nil, "RUST_BACKTRACE" => "1" }, command, "r+b", err: [@log, "w"])
    end

    # nil, or what is wrong.
    def run(number, program)
      @io.write(Marshal.dump([number, program]))
      @io.flush
      return "it hangs: no answer in #{TIMEOUT} s" unless answer == [:begin, number]

      kind, _, wrong = answer
      return "it hangs: no answer in #{TIMEOUT} s" unless kind == :end

      wrong.empty? ? nil : wrong.join("; ")
    rescue EOFError, Errno::EPIPE, TypeError, ArgumentError
      "it died: #{status}\n#{File.binread(@log).lines.grep(/panicked|BUG|SEGV|Assertion|ERROR: AddressSanitizer|fatal|\.rs:\d+/).first(12).join}"
    end

    def close
      Process.kill(:KILL, @io.pid)
      @io.close
    rescue Errno::ESRCH, IOError
      nil
    ensure
      FileUtils.rm_f(@log)
    end

    private

    def answer
      @io.wait_readable(TIMEOUT) ? Marshal.load(@io) : [:late]
    end

    def status
      Process.wait(@io.pid)
      $?.to_s.sub(/pid \d+ /, "")
    rescue Errno::ECHILD
      "?"
    end
  end

  class Run
    def initialize(seconds:, seed:, out: $stdout)
      @seconds = seconds
      @seed = seed
      @out = out
      @found = 0
    end

    # True if nothing was found.
    def call
      @out.puts "seed #{@seed}, #{@seconds} s"
      child = Child.new
      number = @seed
      abuse = Abuse.new
      finish = now + @seconds
      while now < finish
        program = abuse.program(number)
        if (wrong = child.run(number, program))
          child.close
          found(number, program, wrong)
          child = Child.new
        end
        number += 1
      end
      @out.puts "#{number - @seed} programs, #{@found} of them found something"
      @found.zero?
    ensure
      child&.close
    end

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def found(number, program, wrong)
      @found += 1
      @out.puts "\nprogram #{number}: #{wrong.lines.first.chomp}"
      @out.flush
      alone = alone(program)
      text = alone ? minimise(program) : program
      path = File.join(FOUND, "#{number}.rb")
      File.write(path, script(number, text, alone || wrong, alone))
      @out.puts alone || wrong, text.map { |line| "    #{line[0, 300]}" }
      @out.puts alone ? "kept as #{path}" : "not when it runs alone: FUZZ_SEED=#{[@seed, number - 500].max} repeats what came before; kept as #{path}"
      @out.flush
    end

    # What is wrong when the program is run in a new process, some times.
    def alone(program, times: 3)
      child = Child.new
      times.times do
        wrong = child.run(0, program)
        return wrong if wrong
      end
      nil
    ensure
      child.close
    end

    # Without the lines that it can do without, and then without the callbacks' acts; or as far as that goes in
    # two minutes, which is not far with programs that hang.
    def minimise(program)
      finish = now + 120
      [->(line) { nil }, ->(line) { line.gsub(/act \{ [^{}]* \}/, "") }].each do |change|
        (program.size - 1).downto(0) do |i|
          return program if now > finish

          shorter = program.dup
          shorter[i] = change.call(shorter[i])
          next if shorter[i] == program[i]

          shorter.compact!
          program = shorter if alone(shorter, times: 2)
        end
      end
      program
    end

    def script(number, program, wrong, alone)
      <<~RUBY
        # Program #{number}#{", which does no harm alone" unless alone}:
        #{wrong.gsub(/^/, "# ")}
        # ruby -Ilib tmp/fuzz/#{number}.rb

        require "msgpack"
        require "#{__dir__}/hooks"
        wrong = Victim.run([
        #{program.map { |line| "  #{line.dump},\n" }.join}])
        abort wrong.join("\\n") unless wrong.empty?
      RUBY
    end
  end
end

if $PROGRAM_NAME == __FILE__
  seconds = Integer(ARGV[0] || 60)
  exit Fuzz::Run.new(seconds: seconds, seed: Integer(ENV.fetch("FUZZ_SEED") { Random.new_seed & 0xffff_ffff })).call
end
