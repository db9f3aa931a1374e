# frozen_string_literal: true

require_relative "targets"

module Bench
  # A record as text.
  module Table
    PEERS = ["C gem", "JSON", "Oj", "CBOR", "Marshal", "floor"].freeze

    module_function

    def time(ns)
      case ns
      when nil then "-"
      when 10_000_000.. then format("%.1f ms", ns / 1e6)
      when 1_000_000.. then format("%.2f ms", ns / 1e6)
      when 10_000.. then format("%.1f us", ns / 1e3)
      when 1000.. then format("%.2f us", ns / 1e3)
      else format("%.0f ns", ns)
      end
    end

    def head(record)
      versions = record["versions"].map { |name, version| "#{name} #{version}" }.join(", ")
      ["#{record["date"]}, #{record["ruby"]}", versions, record["machine"], "",
       format("%-36s %9s %5s %8s %8s", "", "ours", "+-", "GC", "objects") + PEERS.map { |peer| format(" %13s", peer) }.join, ""].join("\n")
    end

    # One line; for each peer its time over ours, with the spread of that ratio.
    def line(name, results)
      ours = results["ours"]
      cpu = ours["cpu"]
      cells = PEERS.map do |peer|
        theirs = results[peer]
        if theirs.nil? then ""
        elsif theirs["note"] then theirs["note"]
        else format("%.2f +-%.2f", theirs["ratio"]["median"], (theirs["ratio"]["q3"] - theirs["ratio"]["q1"]) / 2)
        end
      end
      format("%-36s %9s %4.0f%% %8s %8s", name, time(cpu["median"]), 50 * (cpu["q3"] - cpu["q1"]) / cpu["median"], ours["gc"].to_f < 1 ? "" : time(ours["gc"]), ours["objects"]) +
        cells.map { |cell| format(" %13s", cell) }.join
    end

    # Targets: those not met in full, the others as a number.
    def targets(record, all: false)
      results = Targets.of(record)
      met, missed = results.partition(&:met)
      show = ->(result) { format("%-8s %-60s %-9s %.2f", result.met ? "met" : "NOT MET", result.what, result.target, result.value) }
      [*(all ? results : missed).map(&show), "targets: #{met.size} met, #{missed.size} not met"].join("\n")
    end
  end
end
