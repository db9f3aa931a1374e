# frozen_string_literal: true

require_relative "implementations"
require_relative "statistics"

module Bench
  # Time from an empty process to the first answer: what `require` and a first call cost. Time of the
  # bare Ruby is taken off.
  module ColdStart
    CALL = { msgpack: "require 'msgpack'; MessagePack.unpack(MessagePack.pack({ 'a' => [1, 2.5, nil] }))",
             json: "require 'json'; JSON.parse(JSON.generate({ 'a' => [1, 2.5, nil] }))",
             oj: "require 'oj'; Oj.load(Oj.dump({ 'a' => [1, 2.5, nil] }, mode: :strict), mode: :strict)",
             cbor: "require 'cbor'; CBOR.decode(CBOR.encode({ 'a' => [1, 2.5, nil] }))" }.freeze
    CASES = { "cold start" => CALL }.freeze

    module_function

    def run(name, implementations, rounds)
      code = CASES.fetch(name)
      measured = implementations.select { |i| code.key?(i.library) }
      bare = Implementation.new("bare", nil, [])
      times = Hash.new { |hash, key| hash[key] = [] }
      rounds.times { [bare, *measured].shuffle.each { |i| times[i.name] << spawn_one(i.command("-e", code.fetch(i.library, ""))) } }
      empty = Statistics.median(times["bare"].map(&:first))
      measured.to_h do |i|
        # Where the machine is not quiet, one can be faster than the bare one.
        samples = times[i.name].map { |cpu, _wall| [cpu - empty, empty / 50].max }
        [i.name, { "cpu" => Statistics.of(samples), "wall" => Statistics.of(times[i.name].map(&:last)), "samples" => samples, "per second" => nil }]
      end
    end

    def spawn_one(command)
      before = Process.times
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      system(*command, exception: true)
      wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      after = Process.times
      [(after.cutime + after.cstime - before.cutime - before.cstime) * 1e9, wall * 1e9]
    end
  end
end
