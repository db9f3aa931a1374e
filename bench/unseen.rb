# frozen_string_literal: true

module Bench
  # Documents of kinds that nothing was tuned on, made when the tuning was over. The ratios have to be near those of
  # their relatives among the others: what was tuned is the codec, not the benchmark.
  module Unseen
    # Name here => name of the most similar document.
    RELATIVES = { "trace" => "1000 records", "series" => "canada", "translations" => "ohai" }.freeze

    module_function

    # What a tracer sends: spans with large ids, a map of texts and one of numbers each.
    def trace
      random = Random.new(21)
      words = %w[web cache worker mailer search billing]
      Array.new(60) do
        id = random.rand(1 << 61)
        Array.new(random.rand(1..12)) do |i|
          service = words.sample(random: random)
          { "trace_id" => id, "span_id" => random.rand(1 << 61), "parent_id" => i.zero? ? 0 : random.rand(1 << 61), "name" => "#{service}.request", "service" => service,
            "resource" => "GET /#{service}/#{random.rand(500)}", "type" => "web", "start" => 1_764_500_000_000_000_000 + random.rand(10**12), "duration" => random.rand(10**9), "error" => random.rand(40) / 39,
            "meta" => { "env" => "production", "http.method" => "GET", "http.status_code" => "200", "component" => service, "runtime-id" => "%032x" % random.rand(1 << 127) },
            "metrics" => { "_sampling_priority_v1" => 1.0, "_dd.measured" => 1, "process_id" => 4321, "load" => random.rand.round(4) } }
        end
      end
    end

    # What a monitor answers: labelled series of points in time.
    def series
      random = Random.new(22)
      result = Array.new(40) do |i|
        value = random.rand * 100
        { "metric" => { "__name__" => "http_requests_total", "instance" => "10.0.0.#{i}:9100", "job" => "node", "code" => "200" },
          "values" => Array.new(300) { |n| [1_764_500_000.5 + 15 * n, (value += random.rand - 0.5)] } }
      end
      { "status" => "success", "data" => { "resultType" => "matrix", "result" => result } }
    end

    # What an application says, in two languages: a tree of keys that each come once.
    def translations
      random = Random.new(23)
      word = -> { Array.new(random.rand(3..11)) { random.rand(97..122).chr }.join }
      text = ->(letters) { Array.new(random.rand(1..9)) { word.() + letters.sample(random: random) }.join(" ").capitalize }
      tree = ->(depth, letters) { Array.new(random.rand(3..8)) { word.() }.to_h { |key| [key, depth.zero? || random.rand(3).zero? ? text.(letters) : tree.(depth - 1, letters)] } }
      { "en" => tree.(3, [""]), "de" => tree.(3, ["", "ä", "ß"]) }
    end
  end
end
