# frozen_string_literal: true

require "etc"

# A child process that may not take all the memory it wants.
module MemoryLimit
  # The value of the block, run in a process of its own (see Child) that can get at most `memory` bytes of
  # address space more than it has at the start. Beyond that malloc fails, and Ruby raises NoMemoryError.
  def in_child(memory: nil)
    Child.run(120) do
      GC.stress = false
      MemoryLimit.set(memory) if memory
      yield
    end
  end

  # No limit where the size of the address space is not known.
  def self.set(bytes)
    return unless File.readable?("/proc/self/statm")

    pages = File.read("/proc/self/statm").to_i
    Process.setrlimit(:AS, pages * Etc.sysconf(Etc::SC_PAGESIZE) + bytes)
  end
end

RSpec.configure { |config| config.include(MemoryLimit) }
