# frozen_string_literal: true

# Runs programs in a process of its own. Before each it says which one; afterwards what was wrong, if
# anything was. What it can't say, since it crashed or hangs, the parent sees.

require "msgpack"
require_relative "hooks"

MEMORY = 400 << 20 # no program has a tenth of that to do with
LIMIT = 3 << 30
PAGE = 4096

def resident = File.read("/proc/self/statm").split[1].to_i * PAGE

if $PROGRAM_NAME == __FILE__
  $VERBOSE = nil
  Process.setrlimit(:CORE, 0)
  # Sanitizers reserve terabytes of addresses.
  Process.setrlimit(:AS, LIMIT) unless ENV["LD_PRELOAD"].to_s.include?("asan")
  input = $stdin.binmode
  output = $stdout.dup.binmode
  output.sync = true
  $stdout.reopen($stderr)
  # A program that ends well costs a millisecond; what it left behind is looked at now and then.
  count = 0
  until input.eof?
    number, lines = Marshal.load(input)
    Marshal.dump([:begin, number], output)
    before = resident
    wrong = Victim.run(lines)
    wrong.push("#{(resident - before) >> 20} MiB more than before") if resident - before > MEMORY
    count += 1
    GC.start if (count % 50).zero?
    GC.verify_internal_consistency if (count % 500).zero? || lines.include?("verify")
    Marshal.dump([:end, number, wrong], output)
  end
end
