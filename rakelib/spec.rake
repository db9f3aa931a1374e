# frozen_string_literal: true

# The specs, in several weathers. They use the library that `rake compile` left.

namespace :spec do
  rspec = lambda do |*options, **environment|
    sh(environment.transform_keys(&:to_s), RbConfig.ruby, "-Ilib", "-Ispec", Gem.bin_path("rspec-core", "rspec"), *options)
  end

  task(:plain) { rspec.call("--tag", "~slow") }

  desc "The slow specs: leaks, streams of many megabytes"
  task(:slow) { rspec.call("--tag", "slow") }

  # Only the files with such examples: each minor collection would mark what the others define, too.
  desc "The specs that touch the heap most, with a garbage collection at each chance"
  task(:stress) do
    files = Dir["spec/**/*_spec.rb"].select { |path| File.read(path).include?(":gc_stress") }
    rspec.call("--tag", "gc_stress", *files, MSGPACK_GC_STRESS: "1")
  end

  desc "The specs while the garbage collector moves objects"
  task(:compact) { rspec.call("--tag", "~slow", MSGPACK_GC_COMPACT: "1") }

  desc "The specs under valgrind; only errors with a frame of the extension count"
  task(:valgrind) { sh("bin/memcheck", Gem.bin_path("rspec-core", "rspec"), "--tag", "gc_stress") }
end

desc "The specs, but for the slow ones"
task spec: "spec:plain"

desc "The specs on each Ruby of bin/rubies, as a table"
task :matrix do
  rows = `bin/rubies list`.split.map do |ruby|
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    output = IO.popen(["bin/rubies", "test", ruby], err: %i[child out]) do |io|
      io.each_line.map { |line| puts(line) || line }.join
    end
    seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    examples, failures = output.scan(/^(\d+) examples?, (\d+) failures?/).last
    [output[/^ruby \S+/] || ruby, examples || "-", $?.success? ? failures : failures || "did not run", seconds.round, $?.success?]
  end
  puts "", format("%-16s %9s %12s %8s", "", "examples", "failures", "seconds")
  rows.each { |row| puts format("%-16s %9s %12s %8d", *row[0, 4]) }
  abort "not green" unless rows.all?(&:last)
end
