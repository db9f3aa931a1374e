# frozen_string_literal: true

# The program behind bin/demo: one JSON document through MessagePack and back, in the main Ractor
# and in two others, with its speed beside JSON's.

require "json"
require "msgpack"

Warning[:experimental] = false # Ractors are

module Demo
  ROUNDS = 15
  ROUND_SECONDS = 0.02

  Refused = Class.new(StandardError)
  Row = Struct.new(:label, :work, :seconds) do
    def median = seconds.sort[seconds.size / 2]
  end

  module_function

  def run(argument)
    name, json = read(argument)
    document = parse(name, json)
    bytes = pack(document)
    size = JSON.generate(document).bytesize
    puts format("%-14s %s", "document", name),
         format("%-14s %9d bytes", "JSON", size),
         format("%-14s %9d bytes, %.0f %% of it", "MessagePack", bytes.bytesize, 100.0 * bytes.bytesize / size)
    equal = round_trips(document, bytes)
    speed(document, bytes)
    equal
  end

  def read(argument)
    case argument
    when nil then ["made here", JSON.generate(look_alike)]
    when "-" then ["standard input", $stdin.read]
    else [argument, File.read(argument)]
    end
  rescue SystemCallError => error
    raise Refused, "#{argument}: #{SystemCallError.new(nil, error.errno).message}"
  end

  def parse(name, json)
    json = json.dup.force_encoding(Encoding::UTF_8)
    raise Refused, "#{name} is not UTF-8" unless json.valid_encoding?

    JSON.parse(json)
  rescue JSON::ParserError => error
    raise Refused, "#{name} is not JSON: #{error.message[0, 200].split.join(" ")}"
  end

  def pack(document)
    MessagePack.pack(document)
  rescue RangeError => error
    raise Refused, "MessagePack has no such number: #{error.message}"
  end

  def round_trips(document, bytes)
    here = [same?(document, bytes)]
    # What Ractors share has to be frozen; the others see the same document, not copies of it.
    Ractor.make_shareable(document)
    bytes.freeze
    there = results(Array.new(2) { Ractor.new(document, bytes) { |doc, packed| Demo.same?(doc, packed) } })
    { "main Ractor" => here, "two Ractors" => there }.each do |where, results|
      puts format("%-14s %s", where, results.map { |result| result ? "equal" : "DIFFERENT" }.join(", "))
    end
    (here + there).all?
  end

  # Equal objects, and the same bytes when they are packed again.
  def same?(document, bytes)
    copy = MessagePack.unpack(bytes)
    copy == document && MessagePack.pack(copy) == bytes && MessagePack.pack(document) == bytes
  end

  # `value` is new in Ruby 4.0, where `take` is gone.
  def results(ractors) = ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }

  def speed(document, bytes)
    json = JSON.generate(document)
    rows = [
      Row.new("pack", -> { MessagePack.pack(document) }, []), Row.new("JSON.generate", -> { JSON.generate(document) }, []),
      Row.new("unpack", -> { MessagePack.unpack(bytes) }, []), Row.new("JSON.parse", -> { JSON.parse(json) }, [])
    ]
    measure(rows)
    puts "", format("%-14s %12s %24s %13s", "CPU time", "median", "fastest to slowest", "beside JSON")
    rows.each_slice(2) do |ours, json_row|
      [ours, json_row].each do |row|
        times = [row.median, *row.seconds.minmax].map { |time| time * 1e3 }
        puts format("%-14s %9.3f ms %9.3f - %9.3f ms %11.2f x", row.label, *times, json_row.median / row.median)
      end
    end
    both_at_once(document, bytes, rows)
  end

  # Each round runs all candidates, so that what slows the machine down slows all of them.
  def measure(rows)
    counts = rows.map { |row| [(ROUND_SECONDS / cpu { row.work.call }).ceil, 1].max }
    ROUNDS.times do
      rows.zip(counts) { |row, count| row.seconds << (cpu { count.times { row.work.call } } / count) }
    end
  end

  # The same work again, twice: by one Ractor, and by two that share it.
  def both_at_once(document, bytes, rows)
    once = rows.values_at(0, 2).sum { |row| row.seconds.min }
    count = [(0.3 / once).ceil, 1].max
    alone, together = [1, 2].map do |ractors|
      Array.new(3) { wall { results(Array.new(ractors) { work(document, bytes, count * 2 / ractors) }) } }.min
    end
    puts format("%-14s %9.2f x the speed of one, pack and unpack", "two Ractors", alone / together)
  end

  def work(document, bytes, count)
    Ractor.new(document, bytes, count) do |doc, packed, times|
      times.times { MessagePack.pack(doc) && MessagePack.unpack(packed) }
    end
  end

  def cpu(&) = time(Process::CLOCK_PROCESS_CPUTIME_ID, &)
  def wall(&) = time(Process::CLOCK_MONOTONIC, &)

  def time(clock)
    started = Process.clock_gettime(clock)
    yield
    Process.clock_gettime(clock) - started
  end

  # The shape of an API's answer: a long list of records with texts, ids, numbers and nested parts.
  def look_alike
    random = Random.new(1)
    words = %w[red kettle über naïve 火 river seven lantern Ω quiet orange машина paper 日本 walk]
    text = ->(length) { Array.new(length) { words.sample(random: random) }.join(" ") }
    users = Array.new(40) do |id|
      { "id" => 10_000_000 + id, "name" => text.(2), "followers" => random.rand(90_000), "verified" => id.even?, "url" => nil }
    end
    posts = Array.new(800) do |id|
      {
        "id" => 505_874_924_095_815_681 + id, "text" => text.(random.rand(4..20)), "user" => users.sample(random: random),
        "at" => [random.rand * 180, random.rand * -90], "tags" => Array.new(random.rand(4)) { text.(1) },
        "counts" => { "likes" => random.rand(300), "replies" => -random.rand(3), "score" => random.rand.round(3) }
      }
    end
    { "posts" => posts, "next" => "page-2", "complete" => false }
  end
end

begin
  abort "bin/demo: takes one file, or - for standard input" if ARGV.size > 1
  exit Demo.run(ARGV.first)
rescue Demo::Refused => error
  abort "bin/demo: #{error.message}"
end
