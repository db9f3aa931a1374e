# frozen_string_literal: true

# Runs under valgrind, started by callgrind.rb: `ruby counted.rb SHIM LIBRARY CASE...`. Each case is
# warmed up and then counted, with the garbage collector off: what that does depends more on the heap
# than on the code. Prints how many calls were counted, a line a case.

require "fiddle"
require_relative "cases"

shim = Fiddle.dlopen(ARGV.shift)
start = Fiddle::Function.new(shim["bench_start"], [], Fiddle::TYPE_VOID)
stop = Fiddle::Function.new(shim["bench_stop"], [Fiddle::TYPE_VOIDP], Fiddle::TYPE_VOID)
library = ARGV.shift.to_sym
require Bench::LIBRARIES.fetch(library).file

ARGV.each do |name|
  context = Bench::Context.new(library, Bench::Cases.fetch(name))
  before = GC.stat(:total_allocated_objects)
  context.run(1)
  # As many for each build of a library.
  calls = 20_000 / (GC.stat(:total_allocated_objects) - before + (context.bytes || "").bytesize / 10 + 1)
  calls = calls.clamp(4, 200)
  5.times { context.run(2) }
  # The heap gets the room for all calls; then it is swept.
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
