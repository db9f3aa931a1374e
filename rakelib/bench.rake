# frozen_string_literal: true

# What bin/bench does, as tasks: on Ruby 3.3 with YJIT, or on BENCH_RUBY=3.1. ONLY is a part of the
# names of cases.

bench = lambda do |*script|
  sh("bin/bench", *script.first(1), *(["--ruby", ENV["BENCH_RUBY"]] if ENV["BENCH_RUBY"]), *script.drop(1), *(["--only", ENV["ONLY"]] if ENV["ONLY"]), verbose: false)
end

desc "Measure beside the C gem, JSON, Oj, CBOR and Marshal; see bin/bench"
task(:bench) { bench.call }

namespace :bench do
  desc "Instructions a call, ours and the C gem's, counted by valgrind"
  task(:instructions) { bench.call("instructions") }

  desc "What changed since BASE=revision, by instructions and by time"
  task(:compare) { bench.call("compare", ENV["BASE"] || "main") }

  desc "The cost of a call itself: options, new packers, unpackers and pools"
  task(:calls) { bench.call("calls") }

  desc "Put the records of bench/record into README.md and docs/"
  task(:publish) { ruby "bench/publish.rb" }

  desc "Throughput of two Ractors over that of one"
  task(:ractors) { bench.call("ractors") }
end
