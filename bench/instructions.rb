# frozen_string_literal: true

# Instructions a call, ours and the C gem's; see callgrind.rb.
#
#   bin/bench instructions [--ruby 3.1] [--only PATTERN]... [--all] [--profile]

require "optparse"
require_relative "callgrind"

only = []
all = profile = false
OptionParser.new do |parser|
  parser.banner = "usage: instructions.rb [options]"
  parser.on("--only PATTERN", "cases whose name contains it; may be repeated") { |pattern| only << pattern }
  parser.on("--all", "all cases, not only a chosen few") { all = true }
  parser.on("--profile", "the functions of each case that take most") { profile = true }
end.parse!

cases = Bench::Callgrind.cases(only, all: all)
ours = Bench::Implementation.new("ours", :msgpack, ["-I#{Bench::Build.gem(debug: profile)}"])
theirs = Bench::Implementations.peers("C gem", :msgpack).find(&:available?)
counts = [ours, theirs].compact.to_h { |i| [i.name, Bench::Callgrind.count(i, cases)] }
puts RUBY_DESCRIPTION, "C gem #{theirs&.version || "none"}", "", format("%-40s %12s %12s %8s", "instructions a call", "ours", "C gem", "ratio")
cases.each do |kase|
  a, b = counts.values.map { |of_cases| of_cases[kase.name] }
  puts format("%-40s %12.0f %12s %8s", kase.name, a.total, b&.total&.round || "-", b ? format("%.2f", b.total / a.total) : "")
  next unless profile

  [a, b].compact.each { |count| count.functions.max_by(15) { |_name, cost| cost }.each { |name, cost| puts format("%14.0f %5.1f %%  %s", cost, 100 * cost / count.total, name) } << puts }
end
