# frozen_string_literal: true

# Under valgrind, started by instructions.rb: `ruby counted.rb SHIM LIBRARY CASE...`. Each case is
# warmed up and then counted, with the garbage collector off: what it does depends on the heap more
# than on the code. Prints the calls that were counted, a line a case.

require "fiddle"
require "rbconfig"
require_relative "cases"

shim = Fiddle.dlopen(ARGV.shift)
start = Fiddle::Function.new(shim["bench_start"], [], Fiddle::TYPE_VOID)
stop = Fiddle::Function.new(shim["bench_stop"], [Fiddle::TYPE_VOIDP], Fiddle::TYPE_VOID)
library = ARGV.shift.to_sym
require Bench::LIBRARIES.fetch(library)[:require]

def clock = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

ARGV.each do |name|
  kase = Bench::Cases.all.fetch(name)
  context = Bench::Context.new(library, kase)
  # From the first round to the second all caches fill, and the heap gets its size.
  3.times { context.run(5) }
  started = clock
  context.run(5)
  calls = (1.0 / ((clock - started) / 5)).floor.clamp(4, 100)
  GC.start
  GC.disable
  context.run(calls)
  GC.enable
  3.times { GC.start }
  GC.disable
  start.call
  context.run(calls)
  stop.call(name)
  GC.enable
  puts "#{calls}\t#{name}"
  $stdout.flush
end
