# frozen_string_literal: true

# What a change did: this tree beside another revision of it, by instructions and by time.
#
#   bin/bench compare BASE [--ruby 3.1] [--only PATTERN]... [--all] [--no-time]
#
# Instructions show a change of 1 % in the code; time shows what caches and branches make of it, as
# far as the spread behind it lets one see.

require "optparse"
require_relative "callgrind"
require_relative "session"
require_relative "table"

only = []
time = true
all = false
OptionParser.new do |parser|
  parser.banner = "usage: compare.rb BASE [options]"
  parser.on("--only PATTERN", "cases whose name contains it; may be repeated") { |pattern| only << pattern }
  parser.on("--all", "all cases, not only a chosen few") { all = true }
  parser.on("--[no-]time", "measure time as well") { |on| time = on }
end.parse!
base = ARGV.shift or abort "usage: bin/bench compare BASE [options]"

# A plain copy; its files are new, so that cargo sees that it has to compile them.
tree = Bench::Build.folder("tree-base")
FileUtils.rm_rf(tree)
FileUtils.mkdir_p(tree)
revision = IO.popen(["git", "-C", Bench::Build::TREE, "rev-parse", "--short", "#{base}^{commit}"], &:read).chomp
abort "no revision #{base}" if revision.empty?
IO.pipe do |from, to|
  archive = spawn("git", "-C", Bench::Build::TREE, "archive", revision, out: to)
  to.close
  system("tar", "-xmf", "-", "-C", tree, in: from, exception: true)
  Process.wait(archive)
end

now = Bench::Implementation.new("ours", :msgpack, ["-I#{Bench::Build.gem}"])
before = Bench::Implementation.new("base", :msgpack, ["-I#{Bench::Build.gem(tree)}"])
cases = Bench::Callgrind.cases(only, all: all)
counts = [before, now].map { |i| Bench::Callgrind.count(i, cases) }
session = Bench::Session.new([now, before])
puts "#{revision} and this tree, #{RUBY_DESCRIPTION}", "", format("%-40s %12s %12s %8s %10s %10s %16s", "a call", "base, instr.", "now", "change", "base, time", "now", "change")
cases.each do |kase|
  old, new = counts.map { |of_cases| of_cases[kase.name]&.total }
  row = format("%-40s %12s %12s %8s", kase.name, old&.round || "-", new&.round || "-", old && new ? format("%+.2f %%", 100 * (new / old - 1)) : "")
  if time
    results = session.run(kase)
    if (note = results.dig("base", "note"))
      row += " #{note}"
    else
      a, b = results.values_at("base", "ours").map { |result| result["cpu"]["median"] }
      # Round by round: what slows one of a pair down slows the other.
      change = Bench::Statistics.of(results["ours"]["samples"].zip(results["base"]["samples"]).map { |x, y| 100 * (x / y - 1) })
      row += format(" %10s %10s %+7.1f +-%.1f %%", Bench::Table.time(a), Bench::Table.time(b), change["median"], (change["q3"] - change["q1"]) / 2)
    end
  end
  puts row
  $stdout.flush
end
