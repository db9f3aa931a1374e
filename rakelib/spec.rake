# frozen_string_literal: true

# The specs, in several weathers. They use the library that `rake compile` left.

namespace :spec do
  rspec = lambda do |*options, **environment|
    sh(environment.transform_keys(&:to_s), RbConfig.ruby, "-Ilib", "-Ispec", Gem.bin_path("rspec-core", "rspec"), *options)
  end

  task(:plain) { rspec.call("--tag", "~slow") }

  desc "The slow specs: leaks, streams of many megabytes"
  task(:slow) { rspec.call("--tag", "slow") }

  # The others spend the time in Ractors, child processes, collections, and loops of many thousand objects.
  one_object_at_a_time = FileList["spec/{unit,format,property}/**/*_spec.rb", "spec/memory/{reentrancy,faults}_spec.rb"].exclude(%r{/(requires|signatures)_spec})

  callbacks = FileList["spec/unit/{unpacker_ext,unpacker_streaming}_spec.rb"]

  desc "The specs with the most callbacks, with a garbage collection at each chance"
  task(:stress) { rspec.call("--tag", "gc_stress", *callbacks, MSGPACK_GC_STRESS: "1") }

  desc "All specs tagged :gc_stress: several minutes"
  task("stress:all") { rspec.call("--tag", "gc_stress", "spec/unit", MSGPACK_GC_STRESS: "1") }

  desc "The specs tagged :gc_stress while the garbage collector moves objects"
  task(:compact) { rspec.call("--tag", "gc_stress", "spec/unit", MSGPACK_GC_COMPACT: "1") }

  desc "All specs while the garbage collector moves objects: several minutes"
  task("compact:all") { rspec.call("--tag", "~slow", MSGPACK_GC_COMPACT: "1") }

  desc "The specs of single calls under valgrind; only errors with a frame of the extension count"
  task(:valgrind) { sh("bin/memcheck", Gem.bin_path("rspec-core", "rspec"), "--tag", "~slow", *one_object_at_a_time) }
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
