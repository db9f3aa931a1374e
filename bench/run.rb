# frozen_string_literal: true

# Compares this gem with another build of it, the C gem say:
#
#   MSGPACK_PEER="$(bin/rubies peer-flags 1.4.2)" bundle exec rake bench
#   MSGPACK_PEER="$(bin/rubies peer-flags 1.8.5)" bin/rubies on-built 3.3 bundle exec rake compile bench
#
# Without MSGPACK_PEER, this gem alone. Arguments are parts of the names of the cases to run.
# MSGPACK_CORPUS names a folder of JSON files to measure as well, BENCH_RUBY gives options to Ruby
# (--yjit), BENCH_ROUNDS the number of rounds.
#
# Each implementation has a process of its own. They take turns, round by round, so that what slows
# the machine down slows both; times are CPU time. What a case returns has to be the same in both
# before it is measured.

require "json"

class Worker
  def initialize(flags)
    @io = IO.popen([RbConfig.ruby, *ENV["BENCH_RUBY"].to_s.split, *flags, File.join(__dir__, "worker.rb")], "r+")
  end

  def ask(*question)
    @io.puts(JSON.generate(question))
    JSON.parse(@io.gets || abort("a worker ended early")).first
  end
end

rounds = Integer(ENV.fetch("BENCH_ROUNDS", 11))
peer = ENV["MSGPACK_PEER"].to_s.split
workers = { "ours" => Worker.new(["-I#{File.expand_path("../lib", __dir__)}"]) }
workers["peer"] = Worker.new(peer) unless peer.empty?

workers.each do |name, worker|
  about = worker.ask("about")
  puts "#{name}: msgpack #{about["version"]} on #{about["ruby"]}", "      #{about["file"]}"
end

both = workers.size > 1
puts "", format("%-26s %30s %30s %9s", "", "ours: median, spread", *(both ? ["peer: median, spread", "ratio"] : ["", ""])).rstrip
ratios = []
workers.values.map { |worker| worker.ask("cases") }.reduce(:&).each do |name|
  next unless ARGV.empty? || ARGV.any? { |part| name.include?(part) }

  outputs = workers.values.map { |worker| worker.ask("output", name) }
  abort "#{name}: the outputs differ" unless outputs.uniq.size == 1

  counts = workers.transform_values { |worker| worker.ask("calibrate", name, 0.05) }
  times = workers.transform_values { [] }
  rounds.times do
    workers.each { |who, worker| times[who] << (worker.ask("round", name, counts[who]) / counts[who]) }
  end
  columns = times.values.map do |seconds|
    low, high = seconds.minmax
    median = seconds.sort[rounds / 2]
    format("%14.3f us %5.0f -%4.0f %%", median * 1e6, 100 * (low / median - 1), 100 * (high / median - 1))
  end
  medians = times.values.map { |seconds| seconds.sort[rounds / 2] }
  ratios << (medians.last / medians.first)
  puts format("%-26s %30s %30s %9s", name, *columns.values_at(0, 1), both ? format("%.2f x", ratios.last) : "").rstrip
end
if both && ratios.any?
  mean = Math.exp(ratios.sum { |ratio| Math.log(ratio) } / ratios.size)
  puts "", format("peer's time over ours, geometric mean: %.2f", mean)
end
