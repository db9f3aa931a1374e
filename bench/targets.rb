# frozen_string_literal: true

require_relative "unseen"

module Bench
  # What the gem promises, and whether a record keeps it.
  module Targets
    # Theirs / ours in time, at least; in the second column on Ruby 3.1, where it is another number.
    # A peer's name in third place, the C gem if there is none.
    TIMES = [
      ["pack plain", 3.0, 2.4], ["pack structured", 2.2, 2.0], ["pack extended", 2.0, 1.9],
      ["unpack plain", 3.0, 2.4], ["unpack structured", 2.2, 1.8], ["unpack extended", 2.5, 2.0],
      ["unpack twitter", 1.9, 1.3], ["unpack citm_catalog", 1.6, 1.3], ["unpack canada", 1.4, 1.3], ["unpack ohai", 2.0, 1.3], ["unpack activitypub", 1.75, 1.3],
      ["unpack twitter", 1.3, 1.3, "JSON"], ["unpack citm_catalog", 1.15, 1.15, "JSON"], ["unpack canada", 1.8, 1.8, "JSON"], ["unpack ohai", 1.75, 1.75, "JSON"],
      ["unpack activitypub", 1.3, 1.3, "JSON"],
      *%w[twitter citm_catalog canada ohai activitypub].flat_map { |name| [["pack #{name}", 1.3, 1.3], ["pack #{name}", 1.8, 1.8, "JSON"]] },
      ["unpack structured, symbols", 3.0, 2.0], ["unpack 1000 records, symbols", 2.0, 1.5],
      ["unpack 1000 records, key_cache", 1.15, 1.15], ["feed and read structured, key_cache", 1.15, 1.15],
      ["pack floats", 2.5, 2.5], ["unpack floats", 2.5, 2.5], ["pack ints", 1.8, 1.8], ["pack ints, shuffled", 1.8, 1.8], ["unpack ints", 3.0, 3.0], ["unpack ints, shuffled", 3.0, 3.0],
      ["feed and read 600 immediates", 2.4, 2.4], ["feed and read 600 immediates, frozen", 2.7, 2.7]
    ].freeze

    GEOMETRIC_MEAN = { "3.1" => 1.9 }.tap { |means| means.default = 2.2 }.freeze
    # Nothing to win where bytes are copied; parity, but for what a measurement can't tell.
    BULK = ["pack 1 MB string", "pack [1 MB, 1 MB, 1]", "unpack [1 MB, 1 MB, 1]"].freeze
    # Ours / floor in time, at most.
    FLOOR = { "unpack" => 1.3, "pack" => 1.1 }.freeze
    FLOOR_CASES = ["structured", "1000 records", "twitter", "citm_catalog", "canada", "ohai", "activitypub"].freeze

    # Where memory is looked at: decodes large enough to show in the size of a process.
    MEMORY_CASES = ["1000 records", "ints", "floats", "twitter", "citm_catalog", "canada", "ohai", "activitypub"].map { |name| "unpack #{name}" }.freeze

    Result = Struct.new(:what, :target, :value, :met)

    module_function

    # @param record [Hash] see run.rb
    # @return [Array<Result>] of the targets whose cases are in the record
    def of(record)
      cases = record["cases"]
      ratio = ->(name, peer) { cases.dig(name, peer, "ratio", "median") }
      results = TIMES.filter_map do |name, target, on31, peer = "C gem"|
        target = on31 if record["ruby"].include?("ruby 3.1")
        at_least("#{name}, #{peer} / ours", target, ratio.(name, peer))
      end
      results << at_least("geometric mean of all cases, C gem / ours", GEOMETRIC_MEAN[record["ruby"][/\d+\.\d+/]], record["geometric mean"])
      results += cases.keys.filter_map { |name| at_least("#{name}, never slower", BULK.include?(name) ? 0.97 : 1.0, ratio.(name, "C gem")) }
      (results + unseen(ratio) + floor(cases) + frozen(cases) + resources(cases)).compact
    end

    # Where they are slower than their relatives, not by more than a tenth.
    def unseen(ratio)
      Unseen::RELATIVES.to_a.product(%w[pack unpack], ["C gem", "JSON"]).map do |(name, relative), direction, peer|
        one, other = [name, relative].map { |document| ratio.("#{direction} #{document}", peer) }
        at_least("#{direction} #{name} / #{relative}, of #{peer} / ours", 0.9, (one / other if one && other))
      end
    end

    def floor(cases)
      FLOOR.flat_map do |direction, target|
        FLOOR_CASES.map { |name| at_most("#{direction} #{name}, ours / floor", target, cases.dig("#{direction} #{name}", "floor", "ratio", "median")&.then { |ratio| 1 / ratio }) }
      end
    end

    def frozen(cases)
      off, on = ["", ", frozen"].map { |option| cases.dig("feed and read 600 immediates#{option}", "ours", "cpu", "median") }
      [at_most("600 immediates, frozen / not frozen", 1.02, (on / off if on && off))]
    end

    # Objects a call; peak memory, where decoding goes on.
    def resources(cases)
      cases.flat_map do |name, results|
        ours, theirs = results.values_at("ours", "C gem")
        next [] if theirs.nil? || theirs["note"] || !theirs["objects"]

        [at_most("#{name}, objects", theirs["objects"].ceil, ours["objects"].floor),
         (at_most("#{name}, peak memory, ours / C gem", 1.1, ours.dig("memory", "peak").fdiv(theirs.dig("memory", "peak"))) if MEMORY_CASES.include?(name))]
      end
    end

    def at_least(what, target, value) = (Result.new(what, ">= #{target}", value, value >= target) if value)
    def at_most(what, target, value) = (Result.new(what, "<= #{target}", value, value <= target) if value)
  end
end
