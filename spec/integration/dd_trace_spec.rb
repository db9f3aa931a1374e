# frozen_string_literal: true

# How Datadog's tracer uses the library: spans write themselves, traces are joined to a payload of many arrays.
RSpec.describe "dd-trace's calls" do
  span_class = Class.new do
    def initialize(id, meta)
      @id = id
      @meta = meta
    end

    # Called by a packer with itself, and by the tracer with nothing.
    def to_msgpack(packer = nil)
      packer ||= MessagePack::Packer.new
      packer.write_map_header(12)
      { "span_id" => @id, "parent_id" => 0, "trace_id" => 2**63 + @id, "name" => "rack.request", "service" => "web", "resource" => "GET /",
        "type" => "web", "meta" => @meta, "metrics" => { "rate" => 1.5 }, "error" => 0, "start" => 1_700_000_000_000_000_000 }.each do |key, value|
        packer.write(key)
        packer.write(value)
      end
      packer.write("duration").write(5)
      packer
    end
  end

  let(:spans) { Array.new(3) { |id| span_class.new(id, { "tag" => "é" * id }) } }
  let(:decoded_ids) { ->(trace) { trace.map { |span| span["span_id"] } } }

  it "packs a trace by the to_msgpack of its spans" do
    trace = MessagePack.unpack(MessagePack.pack(spans))
    expect(trace.map { |span| span.values_at("span_id", "trace_id", "meta", "duration") })
      .to eq(Array.new(3) { |id| [id, 2**63 + id, { "tag" => "é" * id }, 5] })
  end

  it "packs one span by itself" do
    expect(MessagePack.unpack(spans[1].to_msgpack.to_s)).to include("span_id" => 1, "metrics" => { "rate" => 1.5 })
  end

  it "packs arrays of spans into a packer" do
    packer = MessagePack::Packer.new
    expect(spans.to_msgpack(packer)).to equal(packer)
    expect(decoded_ids.call(MessagePack.unpack(packer.to_s))).to eq([0, 1, 2])
  end

  it "joins packed traces behind a header" do
    traces = Array.new(20) { MessagePack.pack(spans) }
    packer = MessagePack::Packer.new
    packer.write_array_header(traces.size)
    payload = (packer.buffer.to_a + traces).join
    expect(payload.encoding).to eq(Encoding::BINARY)
    expect(MessagePack.unpack(payload).map(&decoded_ids)).to eq([[0, 1, 2]] * 20)
  end

  it "has an Array of Strings as the buffer's content" do
    expect(MessagePack::Packer.new.write_array_header(20).buffer.to_a).to eq([hex("dc 00 14")])
  end

  it "packs what is packed already as bin" do
    packed = MessagePack.pack(spans[0])
    expect(MessagePack.unpack(MessagePack.pack({ "raw" => packed }))["raw"]).to eq(packed)
  end

  it "passes a tag that is no valid UTF-8" do
    expect(MessagePack.unpack(MessagePack.pack([span_class.new(1, { "bad" => "a\xff" })]))[0]["meta"]["bad"].b).to eq("a\xff".b)
  end
end
