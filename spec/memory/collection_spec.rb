# frozen_string_literal: true

require "set"

# The garbage collector may run, and move objects, at any point.
RSpec.describe "garbage collection" do
  # A collection at each allocation while the block runs.
  def stressed
    was = GC.stress
    GC.stress = true
    yield
  ensure
    GC.stress = was
  end

  # Moves what can be moved, where this Ruby can.
  def compact
    GC.respond_to?(:compact) ? GC.compact : GC.start
  end

  # Makes garbage of the kind that takes the place of what was freed too early.
  def churn
    return true if GC.stress # there is one at each allocation anyway

    GC.start
    Array.new(300) { |i| ["overwritten #{i}" * 4, { i => i.to_s }] }
  end

  let(:document) { { "name" => "x" * 40, :list => [1, 2.5, nil, 2**64 - 1, "é", "b".b], "deep" => { "a" => [[["end"]]] } } }
  let(:read_back) { { "name" => "x" * 40, "list" => [1, 2.5, nil, 2**64 - 1, "é", "b".b], "deep" => { "a" => [[["end"]]] } } }
  let(:packed) { MessagePack.pack(document) }

  let(:factory) do
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(1, Samples::Wrap, packer: ->(wrap) { "<#{wrap.value}>" }, unpacker: ->(data) { Samples::Wrap.new(data[1..-2]) })
      factory.register_type(2, Set, recursive: true, packer: ->(set, packer) { packer.write(set.to_a) }, unpacker: ->(unpacker) { unpacker.read.to_set })
      factory.register_type(3, Symbol)
    end
  end

  describe "at each allocation" do
    it "leaves packing alone" do
      expect(stressed { MessagePack.pack(document) }).to eq(packed)
    end

    it "leaves unpacking alone" do
      packed
      expect(stressed { MessagePack.unpack(packed) }).to eq(read_back)
    end

    it "leaves unpacking with all options alone" do
      packed
      result = stressed { MessagePack.unpack(packed, symbolize_keys: true, freeze: true, key_cache: true, allow_unknown_ext: true) }
      expect(result).to eq({ name: "x" * 40, list: [1, 2.5, nil, 2**64 - 1, "é", "b".b], deep: { a: [[["end"]]] } })
    end

    it "leaves unpacking of more values than have room on the stack alone" do
      texts = Array.new(9) { |i| "a text that is not embedded, number #{i}" }
      values = [*texts, *[nil] * 1000, *texts, *[nil] * 2000, *texts] # where it grows, and grows again
      packed = MessagePack.pack(values)
      expect(stressed { MessagePack.unpack(packed) }).to eq(values)
    end

    it "leaves unpacking in pieces alone" do
      unpacker = MessagePack::Unpacker.new
      seen = []
      pieces = packed.scan(/.{1,9}/mn)
      stressed { pieces.each { |piece| unpacker.feed_each(piece) { |object| seen << object } } }
      expect(seen).to eq([read_back])
    end

    it "leaves ext types alone" do
      value = [Samples::Wrap.new("w"), Set.new([:a, 2, "v"])]
      packed = stressed { factory.dump(value) }
      expect(stressed { factory.load(packed) }).to eq(value)
    end

    it "leaves packers, buffers and their strings alone" do
      bytes = stressed do
        packer = MessagePack::Packer.new(write_reference_threshold: 256)
        packer.write("x" * 300).write({ "a" => "y" * 5000 })
        packer.buffer << "z" * 300
        packer.to_s
      end
      expect(bytes).to eq("\xda\x01\x2c".b + "x" * 300 + "\x81\xa1a\xda\x13\x88".b + "y" * 5000 + "z" * 300)
    end

    it "leaves errors alone" do
      expect { stressed { MessagePack.unpack("\x93\x01\xa1a".b) } }.to raise_error(EOFError, "end of buffer reached")
    end
  end

  describe "between two calls" do
    it "leaves what a packer holds alone" do
      packer = MessagePack::Packer.new(write_reference_threshold: 256)
      20.times { |i| packer.write("#{i}" * 300) }
      churn
      expect(packer.to_s).to eq(Array.new(20) { |i| MessagePack.pack("#{i}" * 300) }.join)
    end

    it "leaves a half-read object alone" do
      unpacker = MessagePack::Unpacker.new.feed("\x94\x81\xa3key\xa5value\xa4text".b)
      expect { unpacker.read }.to raise_error(EOFError)
      churn
      expect(unpacker.feed("\x01\x02").read).to eq([{ "key" => "value" }, "text", 1, 2])
    end

    it "leaves a half-read object of many values alone" do
      unpacker = MessagePack::Unpacker.new.feed("\xdc\x03\xe9".b + "\xa8overload".b * 1000)
      expect { unpacker.read }.to raise_error(EOFError)
      churn
      expect(unpacker.feed("\x07").read).to eq(["overload"] * 1000 + [7])
    end

    it "leaves what an unpacker was fed alone" do
      unpacker = MessagePack::Unpacker.new
      20.times { |i| unpacker.feed("\xda\x07\xd0".b + (65 + i).chr * 2000) }
      churn
      seen = []
      unpacker.each { |text| seen << text }
      expect(seen).to eq(Array.new(20) { |i| (65 + i).chr * 2000 })
    end

    it "leaves the view of a dropped owner alone" do
      view = MessagePack::Packer.new.write("kept" * 100).buffer
      churn
      expect(view.read(6)).to be_bytes("da 01 90 6b 65 70")
    end

    it "leaves slices of a dropped unpacker's data alone" do
      texts = MessagePack::Unpacker.new.feed("\x92\xda\x04\x00".b + "a" * 1024 + "\xda\x04\x00".b + "b" * 1024).read
      churn
      expect(texts).to eq(["a" * 1024, "b" * 1024])
    end

    it "leaves registered callables alone" do
      packer = MessagePack::Packer.new
      packer.register_type(1, Samples::Wrap) { |wrap| "kept: #{wrap.value}" }
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1) { |data| "read: #{data}" }
      churn
      unpacker.feed(packer.write(Samples::Wrap.new("w")).to_s)
      expect(unpacker.read).to eq("read: kept: w")
    end
  end

  describe "in a callback" do
    it "leaves the values around an ext alone" do
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1) { |data| churn && data }
      expect(unpacker.feed("\x93\xa6before\xd4\x01x\xa5after".b).read).to eq(%w[before x after])
    end

    it "leaves the pairs around a key with a hash of its own alone" do
      unpacker = MessagePack::Unpacker.new
      key = Class.new { define_method(:hash) { GC.start || 1 } }.new
      unpacker.register_type(1) { key }
      expect(unpacker.feed("\x83\xa1a\xa5first\xd4\x01x\xa6second\xa1c\xa5third".b).read).to eq({ "a" => "first", key => "second", "c" => "third" })
    end

    it "leaves what was packed around an object alone" do
      object = Object.new
      object.define_singleton_method(:to_msgpack) { |packer| GC.start || packer.write("inner" * 200) }
      expect(MessagePack.pack(["before" * 200, object, "after"])).to eq(MessagePack.pack(["before" * 200, "inner" * 200, "after"]))
    end

    it "leaves the outer bytes of a recursive type alone" do
      factory = MessagePack::Factory.new
      collect = method(:churn)
      factory.register_type(1, Samples::Wrap, recursive: true, packer: ->(wrap, packer) { collect.call && packer.write(wrap.value) }, unpacker: ->(unpacker) { collect.call && unpacker.read })
      value = ["x" * 600_000, Samples::Wrap.new("y" * 600_000), "z"]
      expect(factory.load(factory.dump(value))).to eq(["x" * 600_000, "y" * 600_000, "z"])
    end

    it "leaves the block's object of each alone" do
      seen = []
      MessagePack::Unpacker.new.feed("\xa3one\xa3two".b).each { |text| churn && seen << text }
      expect(seen).to eq(%w[one two])
    end
  end

  describe "that moves objects" do
    before { skip "this Ruby does not move objects" unless GC.respond_to?(:compact) }

    it "leaves keys that were read before alone" do
      keys = Array.new(200) { |i| "key number #{i} is moved" }
      packed = MessagePack.pack(keys.to_h { |key| [key, nil] })
      MessagePack.unpack(packed)
      compact
      expect(MessagePack.unpack(packed).keys).to eq(keys)
    end

    it "leaves symbols that were read before alone" do
      keys = Array.new(200) { |i| :"symbol number #{i} is moved" }
      packed = MessagePack.pack(keys.to_h { |key| [key, nil] })
      MessagePack.unpack(packed, symbolize_keys: true)
      compact
      expect(MessagePack.unpack(packed, symbolize_keys: true).keys).to eq(keys)
    end

    it "leaves a packer that refers to strings alone" do
      packer = MessagePack::Packer.new(write_reference_threshold: 256)
      10.times { |i| packer.write("#{i}" * 300).write("short #{i}") }
      compact
      expect(packer.to_s).to eq(Array.new(10) { |i| MessagePack.pack("#{i}" * 300) + MessagePack.pack("short #{i}") }.join)
    end

    it "leaves half-read objects alone" do
      unpacker = MessagePack::Unpacker.new.feed("\x94\x81\xa3key\xa5value\xa4text".b)
      expect { unpacker.read }.to raise_error(EOFError)
      compact
      expect(unpacker.feed("\x01\x02").read).to eq([{ "key" => "value" }, "text", 1, 2])
    end

    it "leaves classes and callables of a factory alone" do
      factory
      compact
      value = [Samples::Wrap.new("w"), Set.new([:a]), :b]
      expect(factory.load(factory.dump(value))).to eq(value)
    end

    it "leaves the values around a callback alone" do
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1) { |data| GC.compact && data }
      expect(unpacker.feed("\x93\xa6before\xd4\x01x\xa5after".b).read).to eq(%w[before x after])
    end

    it "leaves no reference to a place that an object has left", :slow do
      skip "this Ruby can not tell" unless GC.respond_to?(:verify_compaction_references)

      result = Child.run(120) do
        held = [factory, factory.packer.write(document), factory.unpacker(symbolize_keys: true).feed(packed), MessagePack::Packer.new.write("x" * 600_000).buffer]
        half = MessagePack::Unpacker.new.feed(packed[0..-3])
        half.each { |object| object }
        where = RUBY_VERSION < "3.2" ? { double_heap: true } : { expand_heap: true }
        GC.verify_compaction_references(toward: :empty, **where)
        [factory.load(held[1].to_s), half.feed(packed[-2..]).read]
      end
      expect(result).to eq([document, read_back])
    end
  end
end
