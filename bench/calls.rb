# frozen_string_literal: true

# What a call costs before there is anything to do: the arguments, the new objects. The rows in
# brackets are Ruby's own prices, to compare with.
#
#   bin/bench calls [--ruby 3.1] [--only PATTERN]...

require "optparse"
require_relative "build"
require_relative "session"
require_relative "table"

only = []
OptionParser.new do |parser|
  parser.banner = "usage: calls.rb [options]"
  parser.on("--only PATTERN", "calls whose name contains it; may be repeated") { |pattern| only << pattern }
end.parse!

implementations = Bench::Implementations.all(lib: Bench::Build.gem).select { |i| i.library == :msgpack }
session = Bench::Session.new(implementations, seconds: 0.02)
puts "#{IO.popen([*Bench::Implementation.ruby, "-v"], &:read).chomp}, #{implementations.map { |i| "#{i.name} #{i.version}" }.join(", ")}", "",
     format("%-54s %10s %8s %8s %10s %8s %8s %6s", "a call", "ours", "+-", "objects", "C gem", "+-", "objects", "ratio")
Bench::Cases.calls.each_value do |kase|
  next unless only.empty? || only.any? { |pattern| kase.name.include?(pattern) }

  ours, theirs = session.run(kase).values_at("ours", "C gem")
  cells = [ours, theirs].flat_map do |result|
    next ["", "", ""] unless result
    next [result["note"], "", ""] if result["note"]

    cpu = result["cpu"]
    [Bench::Table.time(cpu["median"]), format("%.0f %%", 50 * (cpu["q3"] - cpu["q1"]) / cpu["median"]), result["objects"]]
  end
  ratio = theirs && theirs["cpu"] ? format("%.2f", theirs["cpu"]["median"] / ours["cpu"]["median"]) : ""
  puts format("%-54s %10s %8s %8s %10s %8s %8s %6s", kase.name, *cells, ratio)
  $stdout.flush
end
