# frozen_string_literal: true

require "fiber"

# User code that comes back to the object that is calling it, or changes what it works on.
RSpec.describe "calls from inside of a call" do
  # An object that packs itself by the block.
  def packing(&block)
    Object.new.tap { |object| object.define_singleton_method(:to_msgpack, &block) }
  end

  # An io with a method that runs the block.
  def answering(name, &block)
    Object.new.tap { |io| io.define_singleton_method(name, &block) }
  end

  let(:packer) { MessagePack::Packer.new }
  let(:unpacker) { MessagePack::Unpacker.new }

  describe "to a packer from to_msgpack" do
    it "write where they stand" do
      object = packing { |packer| packer.write([1]).write_nil }
      expect(packer.write([0, object]).to_s).to be_bytes("92 00 91 01 c0")
    end

    it "may read all that was written" do
      seen = nil
      packer.write([1, packing { |packer| seen = packer.to_s and packer.write(2) }])
      expect(seen).to be_bytes("92 01")
    end

    it "may take all that was written" do
      packer.write([1, packing { |packer| packer.full_pack and packer.write(2) }])
      expect(packer.to_s).to be_bytes("02")
    end

    it "may clear the buffer" do
      packer.write(["x" * 5000, packing { |packer| packer.buffer.clear }, 3])
      expect(packer.to_s).to be_bytes("03")
    end

    it "may register a type that applies to what follows" do
      packer.write([packing { |packer| packer.register_type(1, Samples::Wrap) { "w" } || packer.write_nil }, Samples::Wrap.new])
      expect(packer.to_s).to be_bytes("92 c0 d4 01 77")
    end

    it "may pack with other packers and one-shot calls" do
      object = packing { |packer| packer.write(MessagePack.pack([MessagePack.unpack("\x07")])) }
      expect(MessagePack.pack([object])).to be_bytes("91 c4 02 91 07")
    end

    it "may go on in another Fiber" do
      object = packing { |packer| Fiber.yield and packer.write(2) }
      fiber = Fiber.new { packer.write([1, object]).to_s }
      fiber.resume
      GC.start
      expect(fiber.resume(true)).to be_bytes("92 01 02")
    end

    it "may not return" do
      catch(:out) { packer.write([1, packing { |_| throw :out }]) }
      expect(packer.to_s).to be_bytes("92 01")
    end
  end

  describe "that change what is packed" do
    it "leave nil where an Array has lost elements" do
      array = [1, 2, 3]
      array[0] = packing { |packer| array.clear and packer.write_nil }
      expect(packer.write(array).to_s).to be_bytes("93 c0 c0 c0")
    end

    it "leave out what an Array has gained" do
      array = [1]
      array[0] = packing { |packer| array.concat([1] * 1000) and packer.write_nil }
      expect(packer.write(array).to_s).to be_bytes("91 c0")
    end

    # Small Hashes are packed from a copy, large ones while they are walked; `change` runs at the first entry.
    [2, 9, 60, 200].each do |size|
      { "loses an entry" => ->(hash) { hash.delete(size) }, "gains one" => ->(hash) { hash[:new] = 1 }, "is cleared" => :clear.to_proc, "is replaced" => ->(hash) { hash.replace(1 => 2) } }.each do |what, change|
        it "write what was there or raise, when a Hash of #{size} #{what}" do
          hash = { 1 => nil }
          (2..size).each { |i| hash[i] = "x" * i }
          whole = hash.dup
          hash[1] = packing { |packer| change.call(hash) and GC.start || packer.write_nil }
          packer.write(hash)
          expect(MessagePack.unpack(packer.to_s)).to eq(whole)
        rescue RuntimeError => e
          expect(e.message).to match(/hash/i).and match(/chang|during iteration/i)
        end
      end
    end

    it "end with an exception when a large Hash loses an entry before its turn" do
      hash = { 1 => packing { |packer| hash.delete(99) and packer.write_nil } }
      (2..100).each { |i| hash[i] = i }
      expect { packer.write(hash) }.to raise_error(RuntimeError, "hash changed while it was packed: 100 entries announced, 99 written")
    end

    it "end with an exception when a large Hash gains an entry" do
      hash = { 1 => packing { |packer| hash[:new] = 1 and packer.write_nil } }
      (2..100).each { |i| hash[i] = i }
      expect { packer.write(hash) }.to raise_error(RuntimeError, "can't add a new key into hash during iteration")
    end

    it "do no harm when a String is cleared after it was written" do
      text = "x" * 600_000
      packer.write([text, packing { |packer| text.clear and packer.write_nil }])
      expect(packer.to_s.bytesize).to eq(1 + 5 + 600_000 + 1)
    end

    it "do no harm when the payload of an ext type is cleared" do
      payload = "x" * 600_000
      packer.register_type(1, Samples::Wrap) { payload }
      packer.write(Samples::Wrap.new)
      payload.clear
      expect(packer.to_s.bytesize).to eq(6 + 600_000)
    end
  end

  describe "to a packer from its recursive type" do
    let(:factory) do
      MessagePack::Factory.new.tap do |factory|
        factory.register_type(1, Samples::Wrap, recursive: true, packer: ->(wrap, packer) { wrap.value.call(packer) }, unpacker: ->(unpacker) { unpacker.read })
      end
    end

    it "see an empty packer" do
      seen = nil
      factory.packer.write([1, Samples::Wrap.new(->(packer) { seen = packer.size and packer.write(2) })])
      expect(seen).to eq(0)
    end

    it "may reset it without harm to what is outside" do
      wrap = Samples::Wrap.new(->(packer) { packer.write("dropped").reset || packer.write(2) })
      expect(factory.packer.write([1, wrap]).to_s).to be_bytes("92 01 d4 01 02")
    end

    it "may take all it has without harm to what is outside" do
      wrap = Samples::Wrap.new(->(packer) { packer.write("dropped").full_pack and packer.write(2) })
      expect(factory.packer.write([1, wrap]).to_s).to be_bytes("92 01 d4 01 02")
    end

    it "leave what is outside when they raise" do
      packer = factory.packer
      expect { packer.write([1, Samples::Wrap.new(->(packer) { packer.write("dropped") && raise("no") })]) }.to raise_error("no")
      expect(packer.to_s).to be_bytes("92 01")
    end
  end

  describe "to an unpacker from its ext proc" do
    it "may feed, behind all data" do
      unpacker.register_type(1) { |data| unpacker.feed("\x05") && data }
      unpacker.feed("\x92\xd4\x01x\x02".b)
      expect([unpacker.read, unpacker.read]).to eq([["x", 2], 5])
    end

    it "are refused when they read" do
      unpacker.register_type(1) { unpacker.read }
      expect { unpacker.feed("\x92\xd4\x01x\x02\x03".b).read }.to raise_error(MessagePack::UnpackError, "cannot read from an unpacker inside its own ext proc")
    end

    it "do no harm when a refused read is rescued" do
      unpacker.register_type(1) { |data| unpacker.read rescue data }
      expect(unpacker.feed("\x92\xd4\x01x\x02".b).read).to eq(["x", 2])
    end

    it "give the object up with reset" do
      unpacker.register_type(1) { unpacker.reset }
      expect { unpacker.feed("\x92\xd4\x01x\x02".b).read }.to raise_error(EOFError)
      expect(unpacker.feed("\x07").read).to eq(7)
    end

    it "may register a type for what follows" do
      unpacker.register_type(1) { |data| unpacker.register_type(2) { "two" } || data }
      expect(unpacker.feed("\x92\xd4\x01x\xd4\x02y".b).read).to eq(%w[x two])
    end

    it "may go on in another Fiber" do
      unpacker.register_type(1) { |data| Fiber.yield && data }
      fiber = Fiber.new { unpacker.feed("\x92\xd4\x01x\x02".b).read }
      fiber.resume
      GC.start
      expect(fiber.resume(true)).to eq(["x", 2])
    end

    it "may not return" do
      unpacker.register_type(1) { throw :out }
      catch(:out) { unpacker.feed("\x92\xd4\x01x\x02".b).read }
      expect(unpacker.read).to eq(2)
    end

    it "may end the thread" do
      unpacker.register_type(1) { Thread.current.kill }
      Thread.new { unpacker.feed("\x92\xd4\x01x\x02".b).read }.join
      expect(unpacker.read).to eq(2)
    end
  end

  describe "to an unpacker from a key's hash" do
    it "give the object up with reset" do
      key = Object.new
      owner = unpacker
      key.define_singleton_method(:hash) { owner.reset || 1 }
      unpacker.register_type(1) { key }
      expect { unpacker.feed("\x82\xd4\x01x\x02\x03\x04".b).read }.to raise_error(EOFError)
      expect(unpacker.feed("\x07").read).to eq(7)
    end

    it "read on behind the key and its value" do
      key = Object.new
      owner = unpacker
      seen = []
      key.define_singleton_method(:hash) do
        seen << owner.read if seen.empty?
        1
      end
      unpacker.register_type(1) { key }
      result = unpacker.feed("\x81\xd4\x01x\x02\x07".b).read
      expect([result, seen]).to eq([{ key => 2 }, [7]])
    end
  end

  describe "to an unpacker from the block of each" do
    it "may read, skip, and nest" do
      seen = []
      unpacker.feed("\x01\x02\x03\x04\x05")
      unpacker.each { |object| seen << object << unpacker.read << unpacker.skip << unpacker.each { |inner| seen << [inner] } }
      expect(seen).to eq([1, 2, nil, [4], [5], nil])
    end

    it "extend the loop with feed" do
      seen = []
      unpacker.feed("\x01").each { |object| seen << object and (unpacker.feed("\x02") if object == 1) }
      expect(seen).to eq([1, 2])
    end

    it "end the loop with reset" do
      seen = []
      unpacker.feed("\x01\x02\x03").each { |object| seen << object and unpacker.reset }
      expect(seen).to eq([1])
    end
  end

  describe "to an unpacker from the read of its io" do
    # An io that gives its chunks, and before the second one lets the block meddle.
    def meddling(*chunks)
      calls = 0
      answering(:readpartial) do |_, _ = nil|
        yield if (calls += 1) == 2
        chunks.shift or raise EOFError
      end
    end

    it "may feed, and what is fed comes first" do
      unpacker = MessagePack::Unpacker.new(meddling("\x92\x01".b, "\x03".b) { unpacker.feed("\x02") })
      expect([unpacker.read, unpacker.read]).to eq([[1, 2], 3])
    end

    it "give the object up with reset" do
      unpacker = MessagePack::Unpacker.new(meddling("\x92\x01".b, "\x03".b) { unpacker.reset })
      expect { unpacker.read }.to raise_error(EOFError)
    end

    [:read, :skip, :skip_nil, :read_array_header, :full_unpack].each do |call|
      it "leave a whole unpacker behind after #{call}" do
        unpacker = MessagePack::Unpacker.new(meddling("\x92\x81\x01".b, "\xdc\x00".b, "\x02\x03\x04".b) { unpacker.public_send(call) rescue nil })
        3.times { unpacker.read rescue nil }
        unpacker.reset
        expect(unpacker.feed("\x93\x01\x02\x03".b).read).to eq([1, 2, 3])
      end

      it "leave a whole unpacker behind after #{call} in a skip" do
        unpacker = MessagePack::Unpacker.new(meddling("\x92\x81\x01".b, "\xdc\x00".b, "\x02\x03\x04".b) { unpacker.public_send(call) rescue nil })
        3.times { unpacker.skip rescue nil }
        unpacker.reset
        expect(unpacker.feed("\x93\x01\x02\x03".b).read).to eq([1, 2, 3])
      end
    end
  end

  describe "that change what is unpacked" do
    it "do no harm when a proc clears the String" do
      data = "\x92\xd4\x01x\xa5after".b
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, unpacker: ->(_) { data.clear && GC.start })
      expect(factory.load(data)).to eq([nil, "after"])
    end

    it "do no harm when a proc lets the String grow" do
      data = "\x92\xd4\x01x\xa5after".b
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, unpacker: ->(_) { data << "x" * 10_000 and 1 })
      expect(factory.load(data)).to eq([1, "after"])
    end

    it "do no harm when an io keeps its out buffer and changes it" do
      kept = nil
      io = answering(:readpartial) { |_, out = nil| kept = out ? out.replace("\x02") : +"\x92\x01" }
      unpacker = MessagePack::Unpacker.new(io)
      expect(unpacker.read).to eq([1, 2])
      kept << "x" * 100
      expect(unpacker.read).to eq(2)
    end
  end

  describe "to a Buffer" do
    let(:buffer) { MessagePack::Buffer.new }

    it "from to_str may write to it" do
      text = Object.new
      target = buffer
      text.define_singleton_method(:to_str) { target << "first" and "second" }
      buffer << text
      expect(buffer.to_s).to eq("firstsecond")
    end

    it "from the write of an io may clear it" do
      target = buffer
      buffer << "x" * 1000 << "y" * 600_000 << "z"
      expect { buffer.write_to(answering(:write) { |_| target.clear }) }.not_to raise_error
      expect(buffer.size).to eq(0)
    end

    it "from the write of an io may read it, and nothing comes twice" do
      target = buffer
      written = []
      buffer << "x" * 1000 << "y" * 600_000 << "z"
      buffer.write_to(answering(:write) { |piece| (written << piece.bytesize) && target.read })
      expect(written).to eq([written.first])
    end

    it "from the read of its io may write to it" do
      calls = 0
      buffer = MessagePack::Buffer.new(answering(:readpartial) { |*| (calls += 1) == 1 ? (buffer << "inside") && +"outside" : raise(EOFError) })
      expect(buffer.read).to eq("insideoutside")
    end
  end

  describe "to a pool from its block" do
    it "get another member" do
      pool = MessagePack::Factory.new.pool(1)
      bytes = pool.packer do |outer|
        outer.write(1)
        pool.packer { |inner| inner.write(2) }
        outer.to_s
      end
      expect(bytes).to be_bytes("01")
    end
  end
end
