# frozen_string_literal: true

# Puts records into the documents: the chart and a table into README.md, all of it into
# docs/performance.md, between their marks.
#
#   ruby bench/publish.rb       from bench/record/3.3.json and, where it is there, 3.1.json

require "json"
require_relative "chart"
require_relative "table"
require_relative "targets"

module Bench
  # Markdown out of a record.
  class Publication
    MARKS = /(<!-- bench results: begin -->\n).*?(<!-- bench results: end -->)/m

    # The cases of the short table.
    SHORT = { "a plain log line" => "plain", "a structured log line" => "structured", "1000 records of 10 keys" => "1000 records", "twitter" => "twitter", "citm_catalog" => "citm_catalog", "canada" => "canada",
              "ohai" => "ohai", "activitypub" => "activitypub", "10,000 integers, shuffled" => "ints, shuffled", "10,000 floats" => "floats", "a String of 1 MB" => "1 MB string", "100 levels" => "100 levels",
              "a record with an extension type" => "extended" }.freeze

    def initialize(record)
      @record = record
      @cases = record["cases"]
    end

    def short
      rows = SHORT.map { |label, name| "| #{label} | #{[%w[pack C\ gem], %w[pack JSON], %w[unpack C\ gem], %w[unpack JSON]].map { |direction, peer| ratio("#{direction} #{name}", peer) }.join(" | ")} |" }
      <<~MARKDOWN
        ![Speed of this gem and of JSON, relative to the C gem](docs/speed.svg)

        How many times as fast as the C gem #{version("C gem")}, and as JSON #{version("JSON")} on its own text of the same document: #{ruby}, #{@record["date"][0, 10]}.

        | | pack: C gem | pack: JSON | unpack: C gem | unpack: JSON |
        | --- | --- | --- | --- | --- |
        #{rows.join("\n")}

        In the geometric mean of all #{@cases.count { |_name, results| results.dig("C gem", "ratio") }} cases #{format("%.2f", @record["geometric mean"])} times as fast as the C gem. #{losses}
      MARKDOWN
    end

    def full
      peers = Table::PEERS.select { |peer| @record["versions"].key?(peer) }
      rows = @cases.map do |name, results|
        ours = results["ours"]
        "| #{name} | #{Table.time(ours["cpu"]["median"])} | #{Table.time(ours["gc"]) if ours["gc"].to_f >= 1} | #{ours["objects"]} | #{peers.map { |peer| with_spread(results[peer]) }.join(" | ")} |"
      end
      targets = Targets.of(@record)
      missed = targets.reject(&:met)
      <<~MARKDOWN
        ### #{ruby}

        #{@record["date"][0, 10]}, #{@record["machine"]}; #{@record["versions"].reject { |_name, version| version == "-" }.map { |name, version| "#{name} #{version}" }.join(", ")}; documents: #{@record["corpus"]}. CPU time of a call, the collector's part of it,
        objects a call; then the time of the others over ours, with half the distance of the quartiles.

        | case | ours | GC | objects | #{peers.join(" | ")} |
        | --- | --- | --- | --- | #{(["---"] * peers.size).join(" | ")} |
        #{rows.join("\n")}

        Geometric mean against the C gem: #{format("%.2f", @record["geometric mean"])}. Of #{targets.size} targets (`bench/targets.rb`) #{targets.size - missed.size} are met#{missed.empty? ? "." : "; not met:"}
        #{"\n| target | | measured |\n| --- | --- | --- |\n#{missed.map { |result| "| #{result.what} | #{result.target} | #{format("%.2f", result.value)} |" }.join("\n")}\n" if missed.any?}
      MARKDOWN
    end

    def self.replace(path, text)
      content = File.read(path)
      content.match?(MARKS) or abort "#{path}: no marks"
      File.write(path, content.sub(MARKS) { "#{$1}#{text.strip}\n#{$2}" })
    end

    private

    def ruby = "#{@record["ruby"][/ruby [\d.]+/].capitalize}#{" with YJIT" if @record["ruby"].include?("YJIT")}"
    def version(name) = @record["versions"][name]

    def ratio(name, peer)
      found = @cases.dig(name, peer, "ratio", "median") or return "-"
      found >= 100 ? found.round.to_s : format(found >= 10 ? "%.1f" : "%.2f", found)
    end

    def with_spread(results)
      return "" if results.nil?
      return results["note"] if results["note"]

      ratio = results["ratio"]
      format("%.2f ± %.2f", ratio["median"], (ratio["q3"] - ratio["q1"]) / 2)
    end

    # Whatever is slower than a peer that it is compared with in the short table.
    def losses
      lost = ["C gem", "JSON"].to_h { |peer| [peer, @cases.filter_map { |name, results| results.dig(peer, "ratio", "median")&.then { |ratio| format("%s (%.2f)", name, ratio) if ratio < 1 } }] }
      lost.reject! { |_peer, names| names.empty? }
      lost.empty? ? "It lost in no case, against neither." : lost.map { |peer, names| "Slower than #{peer == "JSON" ? peer : "the #{peer}"}: #{names.join(", ")}." }.join(" ")
    end
  end
end

folder = File.join(__dir__, "record")
records = %w[3.3 3.1].map { |version| File.join(folder, "#{version}.json") }.select { |path| File.file?(path) }.map { |path| JSON.parse(File.read(path)) }
abort "no records in #{folder}" if records.empty?
Dir.chdir(File.join(__dir__, ".."))
File.write("docs/speed.svg", Bench::Chart.new(records.first).to_s)
Bench::Publication.replace("README.md", Bench::Publication.new(records.first).short)
Bench::Publication.replace("docs/performance.md", records.map { |record| Bench::Publication.new(record).full }.join("\n"))
