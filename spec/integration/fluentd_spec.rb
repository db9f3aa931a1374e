# frozen_string_literal: true

# How fluentd uses the library: as the format of its streams, its buffers and its forward protocol.
RSpec.describe "fluentd's calls" do
  # Seconds with nanoseconds. It answers to everything that an Integer does, has a to_msgpack for old peers, and the two
  # methods of an ext type, which have to win.
  event_time = Class.new do
    attr_reader :sec, :nsec

    def initialize(sec, nsec = 0)
      @sec = sec
      @nsec = nsec
    end

    def self.from_msgpack_ext(data) = new(*data.unpack("NN"))
    def to_msgpack_ext = [@sec, @nsec].pack("NN")
    def to_msgpack(io = nil) = @sec.to_msgpack(io)
    def to_int = @sec
    def ==(other) = other.is_a?(self.class) ? [sec, nsec] == [other.sec, other.nsec] : @sec == other
    def respond_to_missing?(name, include_all = false) = @sec.respond_to?(name, include_all)
    def method_missing(name, *arguments, &block) = @sec.public_send(name, *arguments, &block)
  end

  let(:factory) do
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(0, event_time)
      factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
    end
  end

  let(:events) { Array.new(5) { |number| [event_time.new(1_700_000_000 + number, number), { "message" => "line #{number}", "n" => number }] } }
  let(:stream) { events.map { |event| factory.packer.write(event).to_s }.join }

  it "packs an event with its ext type, not with its to_msgpack" do
    expect(factory.dump([event_time.new(1, 2), {}])).to be_bytes("92 d7 00 00 00 00 01 00 00 00 02 80")
  end

  it "packs its time by to_msgpack where no type is registered" do
    expect(MessagePack.pack(event_time.new(1, 2))).to be_bytes("01")
  end

  it "iterates over time and record" do
    seen = []
    factory.unpacker.feed_each(stream) { |time, record| seen << [time, record] }
    expect(seen).to eq(events)
  end

  it "iterates over a chunk file" do
    Tempfile.create("chunk", binmode: true) do |file|
      file.write(stream)
      file.rewind
      seen = []
      factory.unpacker(file).each { |time, record| seen << [time, record] }
      expect(seen).to eq(events)
    end
  end

  it "makes an enumerator of a stream" do
    enumerator = factory.unpacker.feed(stream).to_enum
    expect(enumerator.next).to eq(events[0])
    expect(enumerator.size).to be_nil
  end

  it "writes what the packer is, with no copy of its own" do
    packer = factory.packer
    io = StringIO.new(String.new)
    io.write(packer.pack({ "options" => 1 }))
    packer.reset
    io.write(packer.write([1, 2]))
    expect(io.string).to be_bytes("81 a7 6f 70 74 69 6f 6e 73 01 92 01 02")
  end

  it "keeps one packer for a thread, and takes the bytes by full_pack or to_s" do
    packer = factory.packer
    chunks = events.map { |event| packer.write(event).full_pack }
    expect(chunks.join).to eq(stream)
    packer.write(1)
    expect([packer.to_s, packer.to_s]).to eq([hex("01")] * 2)
  end

  it "streams a message of unknown size by its header" do
    packer = factory.packer
    packer.write_array_header(2).write("tag").write_array_header(events.size)
    events.each { |event| packer.write(event) }
    expect(factory.load(packer.to_s)).to eq(["tag", events])
  end

  it "reads messages as they come over the network" do
    data = factory.dump(["tag", stream, { "size" => 5 }]) * 3
    unpacker = factory.unpacker
    messages = []
    data.each_char.each_slice(7) { |part| unpacker.feed_each(part.join) { |message| messages << message } }
    expect(messages.map { |tag, packed, option| [tag, packed == stream, packed.encoding, option] })
      .to eq([["tag", true, Encoding::BINARY, { "size" => 5 }]] * 3)
  end

  it "keeps one unpacker for a thread, and resets it after an error" do
    unpacker = factory.unpacker
    expect { unpacker.feed_each(stream + hex("c1 92")) {} }.to raise_error(MessagePack::MalformedFormatError)
    unpacker.reset
    seen = []
    unpacker.feed_each(stream) { |time, record| seen << [time, record] }
    expect(seen).to eq(events)
  end

  it "reads small settings with Symbols as keys" do
    expect(factory.unpacker(symbolize_keys: true).feed(factory.dump({ "pos" => 5 })).read).to eq({ pos: 5 })
  end

  it "stops early, and goes on later" do
    unpacker = factory.unpacker.feed(stream)
    unpacker.each { break }
    rest = []
    unpacker.each { |event| rest << event }
    expect(rest).to eq(events[1..])
  end
end
