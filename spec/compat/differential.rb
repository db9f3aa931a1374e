# frozen_string_literal: true

# Compares this gem with the C gem: both run the same random programs, each in a process of its own,
# and have to agree on every line, but for what differential/rules.rb lists.
#
#   MSGPACK_PEER="$(bin/rubies peer-flags 1.8.5)" bin/rubies on-built 3.3 bundle exec rake compile spec:differential
#
# DIFFERENTIAL_COUNT is the number of programs of each of the two kinds, DIFFERENTIAL_SEED where they start.
# Without MSGPACK_PEER the C gem that `bin/rubies peers` fetched is taken, if there is one for this Ruby.

require "io/wait"
require "rbconfig"
require_relative "differential/programs"
require_relative "differential/rules"

module Differential
  LIB = File.expand_path("../../lib", __dir__)
  WORKER = File.expand_path("differential/worker.rb", __dir__)
  # Releases of the C gem by the Ruby that `bin/rubies peers` fetches them for.
  RELEASES = { "3.1" => "1.4.2", "3.3" => "1.8.5" }.freeze

  # The -I flags that load the C gem, or nil.
  def self.peer_flags
    return ENV["MSGPACK_PEER"].split unless ENV["MSGPACK_PEER"].to_s.empty?

    release = RELEASES[RUBY_VERSION[/\A\d+\.\d+/]]
    cache = ENV["RUBIES_DIR"] || File.join(ENV["XDG_CACHE_HOME"] || File.join(Dir.home, ".cache"), "msgpack-rubies")
    folder = File.join(cache, "peers", "msgpack-#{release}")
    ["-I#{folder}/lib", "-I#{folder}/ext"] if release && File.directory?("#{folder}/lib")
  end

  # A child process with one of the two implementations.
  class Side
    # The process died, or gave no answer in time.
    class Lost < StandardError; end

    TIMEOUT = 20

    attr_reader :about

    def initialize(flags)
      @command = [RbConfig.ruby, "--disable-gems", *flags, WORKER]
      start
    end

    def start
      # Addresses of memory must not decide anything, nor may a user's settings.
      @io = IO.popen({ "RUBYOPT" => nil }, @command, "r+b", err: File::NULL)
      @about = answer
    end

    def ask(programs)
      @io.write(Marshal.dump(programs))
      @io.flush
    rescue Errno::EPIPE
      nil # the answer will tell
    end

    def answer
      raise Lost, "no answer" unless @io.wait_readable(TIMEOUT)

      Marshal.load(@io)
    rescue EOFError, TypeError, ArgumentError
      raise Lost, "it died"
    end

    # What became of each line, or of the whole program if the process was lost.
    def run(program)
      ask([program])
      answer.first
    rescue Lost => e
      restart
      ["lost: #{e.message}"]
    end

    def restart
      close
      start
    end

    def close
      Process.kill(:KILL, @io.pid)
      @io.close
    rescue Errno::ESRCH, IOError
      nil
    end
  end

  # The first line on which the two differ.
  Difference = Struct.new(:program, :index, :ours, :peer) do
    def self.find(program, ours, peer)
      return if ours == peer

      index = ours.zip(peer).index { |a, b| a != b } || ours.size
      new(program, index, ours, peer)
    end

    include Facts

    # What differs, without the values: for grouping.
    def shape
      [line.to_s[/\A(?:@\w+ = )?(?:@?[\w.:]+)/], our[/\A!\S+|\A\S/], their[/\A!\S+|\A\S/]]
    end

    def to_s
      shown = program.each_with_index.map { |text, i| "    #{i == index ? ">" : " "} #{text.bytesize > 400 ? "#{text.byteslice(0, 400)}…" : text}" }
      [*shown, "      ours: #{our[0, 600]}", "      peer: #{their[0, 600]}"].join("\n")
    end
  end

  class Run
    BATCH = 250
    SHOWN = 25

    def initialize(flags:, count:, seed:, out: $stdout)
      @out = out
      @count = count
      @seed = seed
      @ours = Side.new(["-I#{LIB}"])
      @peer = Side.new(flags)
      @old = Gem::Version.new(@peer.about[:version]) < Gem::Version.new("1.8")
      @rules = RULES.select { |rule| @old || !rule.old }
      @programs = Programs.new(level: @old ? :old : :new)
      @explained = Hash.new(0)
      @unexplained = Hash.new { |h, shape| h[shape] = [] }
    end

    # True if every difference is one of the rules.
    def call
      @out.puts "seed #{@seed}, #{@count} programs of each kind"
      { ours: @ours, peer: @peer }.each { |name, side| @out.puts "#{name}: msgpack #{side.about[:version]}, #{side.about[:ruby]}" }
      %i[pack unpack].each { |kind| compare(kind) }
      report
      @unexplained.empty?
    ensure
      @ours.close
      @peer.close
    end

    private

    def compare(kind)
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      lines = 0
      (0...@count).each_slice(BATCH) do |numbers|
        programs = numbers.map { |number| @programs.__send__(kind, @seed + number * 2 + (kind == :pack ? 0 : 1)) }
        lines += programs.sum(&:size)
        run(programs).each { |difference| judge(difference) }
      end
      seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      @out.puts format("%s: %d programs, %d lines, %d s", kind, @count, lines, seconds)
    end

    # Both at the same time; one by one when a process was lost.
    def run(programs)
      sides = [@ours, @peer]
      sides.each { |side| side.ask(programs) }
      answers = sides.map do |side|
        side.answer
      rescue Side::Lost
        side.restart
        nil
      end
      answers = sides.zip(answers).map { |side, answer| answer || programs.map { |program| side.run(program) } }
      programs.zip(*answers).filter_map { |program, ours, peer| Difference.find(program, ours, peer) }
    end

    def judge(difference)
      rule = explain(difference)
      return @explained[rule] += 1 if rule

      smallest = minimise(difference)
      found = @unexplained[smallest.shape]
      found << smallest if found.size < 3
      @count_unexplained = @count_unexplained.to_i + 1
      return unless found.size == 1 && @unexplained.size <= SHOWN

      @out.puts "\nunexplained:", smallest.to_s
    end

    def explain(difference)
      @rules.find { |rule| rule.explains?(difference) }
    end

    # The program with all lines left out that it can do without.
    def minimise(difference)
      (difference.program.size - 1).downto(0) do |i|
        shorter = difference.program.dup.tap { |lines| lines.delete_at(i) }
        next if shorter.empty?

        smaller = Difference.find(shorter, @ours.run(shorter), @peer.run(shorter))
        difference = smaller if smaller && !explain(smaller) && smaller.shape == difference.shape
      end
      difference
    end

    def report
      @out.puts "\nexplained differences, by rule:"
      RULES.each { |rule| @out.puts format("%9d  %-18s %s", @explained[rule], rule.name, rule.text) if @explained.key?(rule) }
      unused = @rules.reject { |rule| @explained.key?(rule) }
      @out.puts "rules that explained nothing this time: #{unused.map(&:name).join(", ")}" unless unused.empty?
      @out.puts "never generated:"
      NEVER.each { |name, text| @out.puts format("           %-18s %s", name, text) }
      return @out.puts "no unexplained difference" if @unexplained.empty?

      @out.puts "\n#{@count_unexplained} unexplained differences, of #{@unexplained.size} shapes:"
      @unexplained.each { |shape, found| @out.puts "", "  #{shape.inspect}", found.map(&:to_s).join("\n\n") }
    end
  end
end
