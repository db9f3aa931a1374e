# frozen_string_literal: true

# Measures this gem beside the C gem and other libraries that bin/bench has brought: time by CPU
# clock and wall clock, the garbage collector's part of it, objects a call, bytes, peak memory.
#
#   bin/bench [--only PATTERN]... [--quick] [--peers "C gem,JSON"]     sets all up, then runs this
#
# The gem is compiled out of this tree for the Ruby in use, whatever lib/ holds.
#
# Prints a table (times are CPU time a call, medians; ratios are theirs over ours, with half the
# distance of the quartiles) and what became of the targets; writes a record as JSON. MSGPACK_CORPUS
# names a folder with the documents twitter, citm_catalog, canada, ohai and activitypub as .json;
# without it, documents in their likeness are made.

require "etc"
require "fileutils"
require "json"
require "optparse"
require "time"
require_relative "build"
require_relative "cold_start"
require_relative "session"
require_relative "table"

options = { only: [], processes: 2, rounds: 10, seconds: 0.02 }
OptionParser.new do |parser|
  parser.banner = "usage: run.rb [options]"
  parser.on("--only PATTERN", "cases whose name contains it; may be repeated") { |pattern| options[:only] << pattern }
  parser.on("--quick", "few rounds: to look at, not to quote") { options.update(processes: 1, rounds: 5, seconds: 0.015) }
  parser.on("--peers NAMES", "only these, separated by commas") { |names| options[:peers] = names.split(",") }
  parser.on("--lib FOLDER", "the gem to measure, instead of one compiled now") { |folder| options[:lib] = File.expand_path(folder) }
  parser.on("--record FILE", "where to write the record") { |file| options[:record] = file }
  parser.on("--into FILE", "put the cases measured into a record that is there") { |file| options.update(record: file, into: true) }
  parser.on("--targets", "list all targets, not only those not met") { options[:targets] = true }
end.parse!

implementations = Bench::Implementations.all(lib: options[:lib] || Bench::Build.gem, floor: Bench::Build.floor)
implementations.select! { |i| i.name == "ours" || options[:peers].include?(i.name) } if options[:peers]
record = {
  "date" => Time.now.utc.iso8601,
  "ruby" => IO.popen([{ "RUBYOPT" => nil }, *Bench::Implementation.ruby, "-e", "print RUBY_DESCRIPTION"], &:read),
  "machine" => "#{File.read("/proc/cpuinfo")[/^model name\s*: (.*)/, 1] || RbConfig::CONFIG["host_cpu"]}, #{Etc.nprocessors} cores",
  "versions" => implementations.to_h { |i| [i.name, i.version] },
  "corpus" => ENV["MSGPACK_CORPUS"] ? "the public documents" : "look-alikes",
  "settings" => options.slice(:processes, :rounds, :seconds).transform_keys(&:to_s),
  "cases" => {}
}
puts Bench::Table.head(record)

wanted = ->(name) { options[:only].empty? || options[:only].any? { |pattern| name.include?(pattern) } }
compare = lambda do |results|
  ours = results["ours"]["samples"]
  results.each do |name, theirs|
    next if name == "ours" || theirs["note"]

    # Round by round: what slows one of a pair down slows the other.
    theirs["ratio"] = Bench::Statistics.of(theirs["samples"].zip(ours).map { |a, b| a / b })
  end
  results
end

session = Bench::Session.new(implementations, **options.slice(:processes, :rounds, :seconds))
Bench::Cases.all.each_value do |kase|
  next unless wanted.(kase.name)

  record["cases"][kase.name] = compare.(session.run(kase))
  puts Bench::Table.line(kase.name, record["cases"][kase.name])
  $stdout.flush
end
Bench::ColdStart::CASES.each_key do |name|
  next unless wanted.(name)

  record["cases"][name] = compare.(Bench::ColdStart.run(name, implementations, options[:processes] * options[:rounds]))
  puts Bench::Table.line(name, record["cases"][name])
end

if options[:into] && File.file?(options[:record])
  known = JSON.parse(File.read(options[:record]))
  %w[ruby corpus versions].each { |key| known[key] == record[key] or abort "#{options[:record]} was made with #{key}: #{known[key]}, not #{record[key]}" }
  record = known.merge(record, "cases" => known["cases"].merge(record["cases"]))
end
ratios = record["cases"].values.filter_map { |results| results.dig("C gem", "ratio", "median") }
if ratios.any?
  record["geometric mean"] = Bench::Statistics.geometric_mean(ratios)
  puts "", format("C gem / ours, geometric mean of %d cases: %.2f", ratios.size, record["geometric mean"])
end
record["targets"] = Bench::Targets.of(record).map { |result| result.to_h.transform_keys(&:to_s) }
puts "", Bench::Table.targets(record, all: options[:targets])
if options[:record]
  FileUtils.mkdir_p(File.dirname(options[:record]))
  record["cases"].each_value { |results| results.each_value { |result| result.delete("samples") } }
  File.write(options[:record], "#{JSON.pretty_generate(record)}\n")
  puts "", "record: #{options[:record]}"
end
