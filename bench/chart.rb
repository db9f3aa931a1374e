# frozen_string_literal: true

# An SVG bar chart out of a record: how many times as fast as the C gem, with the quartiles.
#
#   ruby bench/chart.rb bench/record/3.3.json >docs/speed.svg

require "json"

module Bench
  # Two bars a case, ours and JSON's; the C gem is the line at 1.
  class Chart
    ROWS = {
      "Plain log line" => "plain", "Structured log line" => "structured", "1000 records of 10 keys" => "1000 records", "twitter" => "twitter", "citm_catalog" => "citm_catalog",
      "canada" => "canada", "ohai" => "ohai", "activitypub" => "activitypub", "10,000 integers" => "ints, shuffled", "10,000 floats" => "floats", "100 levels" => "100 levels"
    }.freeze
    WIDTH, LEFT, BAR, GAP, LIMIT = 760, 190, 11, 10, 6.0
    COLORS = { "ours" => "#b7410e", "JSON" => "#8a8f98" }.freeze

    def initialize(record)
      @record = record
      @y = 52
    end

    def to_s
      body = %w[unpack pack].map { |direction| section(direction) }.join
      <<~SVG
        <svg xmlns="http://www.w3.org/2000/svg" width="#{WIDTH}" height="#{@y + 34}" viewBox="0 0 #{WIDTH} #{@y + 34}" font-family="system-ui, sans-serif" font-size="12" fill="#24292f">
        <title>Speed relative to the C gem</title>
        <rect width="100%" height="100%" fill="#ffffff"/>
        <text x="12" y="20" font-size="14" font-weight="600">Times as fast as the C gem #{@record["versions"]["C gem"]} (longer is better)</text>
        #{legend}#{axis}#{body}<text x="12" y="#{@y + 22}" fill="#57606a" font-size="11">#{escape(@record["ruby"][/ruby [\d.]+/].capitalize)}#{" with YJIT" if @record["ruby"].include?("YJIT")}, JSON #{@record["versions"]["JSON"]} on its own text, #{@record["date"][0, 10]}; medians of CPU time, lines from quartile to quartile.</text>
        </svg>
      SVG
    end

    private

    def x(ratio) = (LEFT + [ratio, LIMIT].min * (WIDTH - LEFT - 60) / LIMIT).round(1)

    def legend
      COLORS.each_with_index.map do |(name, color), i|
        label = name == "ours" ? "this gem" : name
        %(<rect x="#{LEFT + i * 90}" y="31" width="10" height="10" fill="#{color}"/><text x="#{LEFT + 14 + i * 90}" y="40">#{label}</text>\n)
      end.join
    end

    # Its height is known at the end; so it is drawn down to a row that is surely there.
    def axis
      rows = ROWS.sum { |_label, name| %w[unpack pack].count { |direction| @record["cases"].key?("#{direction} #{name}") } }
      bottom = 52 + 2 * 24 + rows * (2 * BAR + GAP)
      (0..LIMIT.to_i).map do |n|
        %(<line x1="#{x(n)}" y1="52" x2="#{x(n)}" y2="#{bottom}" stroke="#{n == 1 ? "#24292f" : "#d8dee4"}"/><text x="#{x(n)}" y="50" text-anchor="middle" fill="#57606a" font-size="11">#{n}</text>\n)
      end.join
    end

    def section(direction)
      @y += 24
      head = %(<text x="12" y="#{@y - 6}" font-weight="600">#{direction == "pack" ? "Packing" : "Unpacking"}</text>\n)
      head + ROWS.filter_map { |label, name| row(label, @record["cases"]["#{direction} #{name}"]) }.join
    end

    def row(label, results)
      theirs = results&.dig("C gem", "ratio") or return
      speeds = { "ours" => theirs.values_at("median", "q1", "q3") }
      if (json = results.dig("JSON", "ratio", "median"))
        speeds["JSON"] = [theirs["median"] / json]
      end
      bars = COLORS.keys.each_with_index.filter_map { |name, i| bar(name, @y + i * BAR, *speeds[name]) if speeds[name] }
      text = %(<text x="#{LEFT - 8}" y="#{@y + BAR + 4}" text-anchor="end">#{escape(label)}</text>\n)
      @y += 2 * BAR + GAP
      text + bars.join
    end

    def bar(name, y, ratio, low = nil, high = nil)
      spread = %(<line x1="#{x(low)}" y1="#{y + 5}" x2="#{x(high)}" y2="#{y + 5}" stroke="#24292f"/>) if low
      %(<rect x="#{LEFT}" y="#{y}" width="#{[x(ratio) - LEFT, 1].max.round(1)}" height="#{BAR - 1}" fill="#{COLORS[name]}"/>#{spread}) +
        %(<text x="#{[x(ratio), high ? x(high) : 0].max + 5}" y="#{y + 9}" font-size="10" fill="#57606a">#{format("%.2f", ratio)}</text>\n)
    end

    def escape(text) = text.gsub("&", "&amp;").gsub("<", "&lt;")
  end
end

puts Bench::Chart.new(JSON.parse(ARGF.read)) if $PROGRAM_NAME == __FILE__
