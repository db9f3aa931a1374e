# frozen_string_literal: true

# What the benches measure: each case has a name and makes a block that does the work once. A
# case that an old release of the gem can't run is left out there.

require "json"
require "msgpack"

module Cases
  Point = Struct.new(:x, :y)

  module_function

  def all = @all ||= documents.flat_map { |name, document| of_document(name, document) }.to_h.merge(streams, extensions)

  # Small and large, object-heavy and number-heavy; with MSGPACK_CORPUS, each JSON file of that
  # folder as well.
  def documents
    random = Random.new(7)
    record = ->(id) { { "id" => id, "name" => "user-#{id}", "score" => random.rand, "tags" => %w[a b c], "active" => id.even?, "parent" => nil } }
    {
      "small map" => { "id" => 1, "name" => "abc", "on" => true },
      "record" => record.(1),
      "1000 records" => Array.new(1000, &record),
      "10000 integers" => Array.new(10_000) { random.rand(2**random.rand(1..63)) * [1, -1].sample(random: random) },
      "10000 floats" => Array.new(10_000) { random.rand },
      "1 MB string" => "x" * 1_000_000,
      "100 levels" => 100.times.inject(1) { |inner, _| [inner] },
      **Dir[File.join(ENV["MSGPACK_CORPUS"] || File::NULL, "*.json")].sort.to_h { |file| [File.basename(file, ".json"), JSON.parse(File.read(file))] }
    }
  end

  def of_document(name, document)
    bytes = MessagePack.pack(document)
    [["pack #{name}", -> { MessagePack.pack(document) }], ["unpack #{name}", -> { MessagePack.unpack(bytes) }]]
  end

  def streams
    message = MessagePack.pack({ "id" => 1, "name" => "abc", "list" => [1, 2.5, nil] })
    stream = message * 500
    unpacker = MessagePack::Unpacker.new
    {
      "feed and read" => -> { unpacker.feed(message).read },
      "feed_each, 500 messages" => -> { count = 0; MessagePack::Unpacker.new.feed_each(stream) { count += 1 }; count },
      "unpack symbolize_keys" => -> { MessagePack.unpack(message, symbolize_keys: true) }
    }
  end

  def extensions
    factory = MessagePack::Factory.new
    factory.register_type(1, Point, packer: ->(point) { [point.x, point.y].pack("l>l>") }, unpacker: ->(data) { Point.new(*data.unpack("l>l>")) })
    points = Array.new(50) { |i| Point.new(i, -i) }
    bytes = factory.dump(points)
    cases = { "ext, pack 50" => -> { factory.dump(points) }, "ext, unpack 50" => -> { factory.load(bytes) } }
    return cases unless factory.respond_to?(:pool) # since 1.5

    pool = factory.pool(1)
    cases.merge("pool, pack 50" => -> { pool.dump(points) }, "pool, unpack 50" => -> { pool.load(bytes) })
  end
end
