# frozen_string_literal: true

# A process of its own, for what may crash it or eat its memory.
module Child
  # The value of the block, run in a forked process. An exception of the block is raised here. A crash,
  # and more than `memory` bytes of address space beyond what the process has now, fail the example.
  def in_child(memory: nil)
    skip("this platform can not fork") unless Process.respond_to?(:fork)

    reader, writer = IO.pipe
    pid = fork do
      reader.close
      GC.stress = false
      Child.limit_memory(memory) if memory
      outcome =
        begin
          [:value, yield]
        rescue Exception => e # rubocop:disable Lint/RescueException
          [:raised, "#{e.class}: #{e.message}"]
        end
      writer.write(Marshal.dump(outcome))
      writer.close
      exit!(0)
    end
    writer.close
    answer = reader.read
    reader.close
    _, status = Process.wait2(pid)
    raise "the child process ended by #{status.inspect}" unless status.success?

    kind, value = Marshal.load(answer)
    kind == :value ? value : raise("in the child process: #{value}")
  end

  # Where the size of the address space is not known, there is no limit.
  def self.limit_memory(bytes)
    Process.setrlimit(:CORE, 0)
    return unless File.readable?("/proc/self/statm")

    pages = File.read("/proc/self/statm").to_i
    Process.setrlimit(:AS, pages * Etc.sysconf(Etc::SC_PAGESIZE) + bytes)
  end
end

require "etc"

RSpec.configure { |config| config.include(Child) }
