# frozen_string_literal: true

# How much a process grows when code runs over and over.
module Growth
  PAGE = 4096
  # Bytes that a batch may grow by: what malloc and the heap need to settle.
  NOISE = 1 << 20
  BATCHES = 5

  module_function

  def resident = Integer(File.read("/proc/self/statm").split[1]) * PAGE

  # The least that one batch of rounds grew the process by: a leak shows in every batch, noise does not.
  # In a child process, whose heap has only what the code makes.
  def of(rounds, &code)
    Child.run(300) do
      batch = lambda do |count|
        count.times(&code)
        GC.start
        resident
      end
      batch.call(rounds)
      before = batch.call(rounds)
      Array.new(BATCHES) do
        after = batch.call(rounds)
        (after - before).tap { before = after }
      end.min
    end
  end
end

# expect { … }.to hold_its_memory
RSpec::Matchers.define :hold_its_memory do |rounds: 10_000|
  supports_block_expectations

  match do |code|
    raise RSpec::Core::Pending::SkipDeclaredInExample, "needs /proc" unless File.exist?("/proc/self/statm")

    @grown = Growth.of(rounds) { code.call }
    @grown < Growth::NOISE
  end

  failure_message { "each batch of #{rounds} rounds grew the process by #{@grown / 1024} KiB or more: #{@grown / rounds} bytes a round" }
end
