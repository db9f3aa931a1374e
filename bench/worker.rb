# frozen_string_literal: true

# One case with one library, in a process of its own: `ruby worker.rb LIBRARY CASE SEED KEPT`.
# It answers questions, one a line, as session.rb asks them.

library = ARGV[0].to_sym
require_relative "cases"
require Bench::LIBRARIES.fetch(library).file
require "digest"

# A process that has lived for a while has once freed something large; from then on malloc keeps freed
# memory. A young one gives it back to the system and pays for every page again, by luck of the heap.
String.new(capacity: 31 << 20).clear

# Live objects, as in an application.
KEPT = Array.new(Integer(ARGV[3])) { |i| { i => ["string #{i}", [i]] } }
4.times { GC.start }

module Bench
  # The answers are the public methods.
  class Answers
    def initialize(library, name, seed)
      @library = library
      @case = Cases.fetch(name)
      @context = Context.new(library, @case)
      @random = Random.new(seed)
      @start = memory("VmRSS")
    end

    # Digests of what the case returns, to be compared: of the bytes with another build of the same
    # library, of the document with any.
    def check
      result = @context.call
      bytes = @context.bytes || result
      document = result
      if @case.direction == :pack && @library != :floor
        @context.packed(@context.object)
        document = @context.instance_eval(LIBRARIES[@library].unpack)
      end
      { "result" => digest(result), "document" => (digest(document) if @case.direction), "bytes" => (bytes.bytesize if bytes.is_a?(String)) }
    end

    # Calls until Ruby has compiled the code and `seconds` are over; then how many nanoseconds a
    # call takes, and how many objects it allocates.
    def warm_up(seconds)
      40.times { @context.run(1) }
      count = 1
      count *= 2 while (spent = cpu { @context.run(count) }) < seconds * 1e9
      before = GC.stat(:total_allocated_objects)
      @context.run(calls = [count, 100].min)
      objects = (GC.stat(:total_allocated_objects) - before).fdiv(calls)
      { "ns" => spent.fdiv(count), "objects" => objects.round(1) }
    end

    # The costs of `count` calls, in nanoseconds and numbers a call. With `litter`, each call starts
    # after a random number of up to that many other objects: else the garbage collection falls at
    # the same point of each call, and luck decides how much is alive then and what that costs.
    def round(count, litter)
      spans, calls = litter.zero? ? [1, count] : [count, 1]
      costs = [0] * 5
      spans.times do
        make_litter(@random.rand(litter)) if litter.positive?
        before = clocks
        @context.run(calls)
        after = clocks
        costs.map!.with_index { |cost, i| cost + after[i] - before[i] }
      end
      %w[cpu wall gc gcs majors].zip(costs.map { |cost| cost.fdiv(count) }).to_h
    end

    # Calls so many times, or until `seconds` are over; then the peak of the process, and how much it grew
    # since the setup. Ruby lets garbage grow collection by collection, so all get the same number of calls.
    def memory_used(calls, seconds)
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      calls.times do
        @context.run(1)
        break if Process.clock_gettime(Process::CLOCK_MONOTONIC) - started > seconds
      end
      { "peak" => peak = memory("VmHWM"), "growth" => [peak - @start, 0].max }
    end

    def about = { "version" => LIBRARIES[@library].version.call, "ruby" => RUBY_DESCRIPTION }

    private

    def clocks
      [Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond), Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond),
       GC.total_time, GC.count, GC.stat(:major_gc_count)]
    end

    def cpu
      started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
      yield
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond) - started
    end

    # Hashes, arrays and strings, since Ruby keeps objects of several sizes apart; assigned, since it
    # leaves out a literal that nobody looks at.
    def make_litter(objects)
      i = 0
      while i < objects
        @litter = { i => "litter #{i}" }
        @litter = [i, i, i, i]
        i += 3
      end
    end

    def memory(field) = File.read("/proc/self/status")[/^#{field}:\s*(\d+)/, 1].to_i * 1024

    def digest(object)
      into = Digest::SHA256.new
      walk = lambda do |value|
        case value
        when Hash then into << "{#{value.size}" && value.each { |pair| pair.each(&walk) }
        when Array then into << "[#{value.size}" && value.each(&walk)
        when String then into << "s#{value.bytesize}:#{value.encoding} " << value
        when Float then into << "f" << [value].pack("G")
        else into << value.class.name << value.inspect.gsub(/0x\h+/, "")
        end
      end
      walk.call(object)
      into.hexdigest
    end
  end
end

answers = Bench::Answers.new(library, ARGV[1], Integer(ARGV[2]))
output = $stdout.dup
$stdout.reopen($stderr)
output.sync = true
while (line = $stdin.gets)
  question, *arguments = Marshal.load(line.unpack1("m"))
  output.puts([Marshal.dump(answers.public_send(question, *arguments))].pack("m0"))
end
