# frozen_string_literal: true

require_relative "cases"
require_relative "implementations"
require_relative "statistics"

module Bench
  # A worker process.
  class Worker
    class Failed < StandardError; end

    # Ruby lets a heap grow by steps, and when it does so is luck; with twice the heap there are half
    # the collections. So all get the same one, that of a small application, and something to keep in
    # it. Slots by their size, 40 bytes to 640; Ruby 3.1 has one number.
    HEAP = { "RUBY_GC_HEAP_INIT_SLOTS" => "400000", "RUBY_GC_HEAP_0_INIT_SLOTS" => "300000", "RUBY_GC_HEAP_1_INIT_SLOTS" => "120000", "RUBY_GC_HEAP_2_INIT_SLOTS" => "80000",
             "RUBY_GC_HEAP_3_INIT_SLOTS" => "20000", "RUBY_GC_HEAP_4_INIT_SLOTS" => "10000" }.freeze
    KEPT = 12_000

    # @param small [Boolean] as Ruby starts, to look at memory
    def initialize(implementation, name, seed, small: false)
      environment, *command = implementation.command(File.join(__dir__, "worker.rb"), implementation.library.to_s, name, seed.to_s, (small ? 0 : KEPT).to_s)
      @io = IO.popen([small ? environment : environment.merge(HEAP), *command], "r+")
    end

    def ask(*question)
      @io.puts([Marshal.dump(question)].pack("m0"))
      answer = @io.gets or raise Failed, "the process ended early"
      Marshal.load(answer.unpack1("m"))
    rescue Errno::EPIPE
      raise Failed, "the process ended early"
    end

    def close = @io.close
  end

  # Measures cases. Each implementation has a process of its own, since several are called
  # MessagePack; they take turns, round by round and in changing order, so that what slows the
  # machine down slows all of them. There are several generations of processes, each with another
  # seed, since where objects and caches lie in memory is luck, too.
  class Session
    # From so many objects a call on, calls are measured one by one amid litter; see Answers#round.
    MANY_OBJECTS = 500

    def initialize(implementations, processes: 2, rounds: 10, seconds: 0.02)
      @implementations, @processes, @rounds, @seconds = implementations, processes, rounds, seconds
    end

    # @return [Hash] implementation's name => what was measured; a "note" says why there is no more
    def run(kase)
      results = @implementations.select { |i| kase.for?(i.library, i.version) }.to_h { |i| [i.name, { "rounds" => [] }] }
      @processes.times { |seed| generation(kase, seed, results) }
      memory(kase, results) if kase.direction == :unpack
      results.each_value { |result| summarize(result) unless result["note"] }
    end

    private

    def generation(kase, seed, results)
      workers = start(kase, seed, results)
      check(workers, results)
      warm = workers.to_h { |name, worker| [name, worker.ask("warm_up", @seconds)] }
      warm.each { |name, costs| results[name].update(costs) }
      litter = warm["ours"]["objects"] < MANY_OBJECTS ? 0 : warm["ours"]["objects"].clamp(2000, 100_000).to_i
      counts = warm.transform_values { |costs| (@seconds * 1e9 / costs["ns"]).round.clamp(litter.zero? ? 1 : 12, 1_000_000) }
      random = Random.new(seed)
      @rounds.times do
        workers.to_a.shuffle(random: random).each { |name, worker| results[name]["rounds"] << worker.ask("round", counts[name], litter) }
      end
    ensure
      workers&.each_value(&:close)
    end

    def start(kase, seed, results)
      running = @implementations.select { |i| results.key?(i.name) && !results[i.name]["note"] }
      workers = running.to_h { |i| [i.name, Worker.new(i, kase.name, seed + 1)] }
      workers.select do |name, worker|
        results[name].update(worker.ask("check"))
      rescue Worker::Failed => error
        raise if name == "ours"

        results[name] = { "note" => error.message }
        worker.close
        nil
      end
    end

    # All have to do the same: the same result for another build of this gem, the same document for
    # other libraries.
    def check(workers, results)
      libraries = @implementations.to_h { |i| [i.name, i.library] }
      ours = results["ours"]
      workers.keys.each do |name|
        theirs = results[name]
        what = libraries[name] == libraries["ours"] ? "result" : "document"
        next if libraries[name] == :floor || theirs[what] == ours[what]

        workers.delete(name).close
        results[name] = { "note" => "other output" }
      end
    end

    def memory(kase, results)
      calls = (0.3e9 / results["ours"]["ns"]).ceil
      @implementations.each do |i|
        next if results[i.name].nil? || results[i.name]["note"]

        worker = Worker.new(i, kase.name, 1, small: true)
        results[i.name]["memory"] = worker.ask("memory_used", calls, 3)
        worker.close
      end
    end

    # A collection falls into one round or another; its mean is laid on each of them, else medians
    # would tell of rounds with none, or of rounds with one.
    def summarize(result)
      rounds = result.delete("rounds")
      result.delete("result")
      result.delete("document")
      %w[gc gcs majors].each { |key| result[key] = rounds.sum { |round| round[key] } / rounds.size }
      result["samples"] = rounds.map { |round| round["cpu"] - round["gc"] + result["gc"] }
      result["cpu"] = Statistics.of(result["samples"])
      result["wall"] = Statistics.of(rounds.map { |round| round["wall"] })
      result["per second"] = 1e9 / result["cpu"]["median"]
    end
  end
end
