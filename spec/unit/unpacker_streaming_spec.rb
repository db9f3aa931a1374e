# frozen_string_literal: true

# Data that comes in pieces: resuming, each, feed_each, skip, io sources.
RSpec.describe MessagePack::Unpacker, :gc_stress do
  subject(:unpacker) { described_class.new }

  # Everything a stream can hold: every kind of head, short and long, nested.
  objects = [
    nil, true, 1, 200, 70_000, 2**40, -1, -200, -70_000, -(2**40), 1.5, "", "short", "é" * 20, "x" * 300, "\xff".b,
    "y".b * 300, [], [1, [2, ["three", nil]]], {}, { "a" => { "b" => [1, "c" * 40] }, 1 => nil }, [[], {}, "", 0],
    Array.new(20, &:itself), Array.new(20) { |i| ["k#{i}", i] }.to_h
  ].freeze
  wires = objects.map { |object| MessagePack.pack(object) }.freeze

  let(:objects) { objects }
  let(:wires) { wires }

  def raise_end_of_buffer
    raise_error(EOFError, "end of buffer reached")
  end

  describe "resuming after the end of the data" do
    objects.zip(wires) do |object, wire|
      next if wire.bytesize == 1

      it "#read gives #{object.inspect[0, 40]} wherever it is cut", gc_stress: wire.bytesize <= 100 do
        (1...wire.bytesize).each do |cut|
          unpacker.feed(wire.byteslice(0, cut))
          expect { unpacker.read }.to raise_end_of_buffer
          expect(unpacker.feed(wire.byteslice(cut..)).read).to eql(object)
        end
        expect(unpacker.buffer).to be_empty
      end
    end

    it "#read gives the object after each byte was tried" do
      wires.last.each_char do |byte|
        expect { unpacker.read }.to raise_end_of_buffer
        unpacker.feed(byte)
      end
      expect(unpacker.read).to eq(objects.last)
    end

    it "does not care how often it is tried" do
      unpacker.feed(hex("92 01"))
      3.times { expect { unpacker.read }.to raise_end_of_buffer }
      expect(unpacker.feed(hex("02")).read).to eq([1, 2])
    end

    it "keeps containers at every depth" do
      unpacker.feed(hex("92 81 a1 61 93 01 91"))
      expect { unpacker.read }.to raise_end_of_buffer
      expect(unpacker.feed(hex("02 03 04")).read).to eq([{ "a" => [1, [2], 3] }, 4])
    end

    it "keeps a key without its value" do
      unpacker.feed(hex("82 a1 61 01 a1 62"))
      expect { unpacker.read }.to raise_end_of_buffer
      expect(unpacker.feed(hex("02")).read).to eq({ "a" => 1, "b" => 2 })
    end

    it "keeps symbolize_keys" do
      unpacker = described_class.new(symbolize_keys: true).feed(hex("82 a1 61 01 a2 62"))
      expect { unpacker.read }.to raise_end_of_buffer
      expect(unpacker.feed(hex("63 81 a1 64 02")).read).to eq({ a: 1, bc: { d: 2 } })
    end

    it "keeps all of it through a garbage collection" do
      unpacker.feed(hex("93") + MessagePack.pack("x" * 1000) + MessagePack.pack({ "key" * 30 => ["y" * 1000] }))
      expect { unpacker.read }.to raise_end_of_buffer
      GC.start
      Array.new(1000) { "garbage" * 20 }
      expect(unpacker.feed(hex("c0")).read).to eq(["x" * 1000, { "key" * 30 => ["y" * 1000] }, nil])
    end

    it "keeps more elements than fit any fixed room" do
      unpacker.feed([0xdd, 10_001].pack("CN") + ("\x01" * 10_000))
      expect { unpacker.read }.to raise_end_of_buffer
      expect(unpacker.feed(hex("02")).read).to eq(([1] * 10_000) << 2)
    end

    it "keeps 128 levels" do
      unpacker.feed(hex("91" * 128))
      expect { unpacker.read }.to raise_end_of_buffer
      value = unpacker.feed(hex("05")).read
      value = value.first while value.is_a?(Array)
      expect(value).to eq(5)
    end

    it "counts the levels before the gap" do
      unpacker.feed(hex("91" * 128))
      expect { unpacker.read }.to raise_end_of_buffer
      expect { unpacker.feed(hex("91 05")).read }.to raise_error(MessagePack::StackError)
    end
  end

  describe "the call after a half-read object" do
    # How a call is made and what it does when `92 01`, cut there, was begun by it and `02 03` follows.
    begin_by = {
      "read" => ->(unpacker) { unpacker.read },
      "full_unpack" => ->(unpacker) { unpacker.full_unpack },
      "each" => ->(unpacker) { unpacker.each { |object| raise "unexpected #{object}" } },
      "feed_each" => ->(unpacker) { unpacker.feed_each("") { |object| raise "unexpected #{object}" } }
    }

    begin_by.each do |name, call|
      context "by #{name}" do
        before do
          unpacker.feed(hex("92 01"))
          begin
            call.call(unpacker)
          rescue EOFError
            nil
          end
        end

        it "read returns it" do
          unpacker.feed(hex("02 03"))
          expect([unpacker.read, unpacker.read]).to eq([[1, 2], 3])
        end

        it "full_unpack returns it" do
          expect(unpacker.feed(hex("02")).full_unpack).to eq([1, 2])
        end

        it "full_unpack refuses bytes behind it" do
          expect { unpacker.feed(hex("02 03")).full_unpack }
            .to raise_error(MessagePack::MalformedFormatError, "1 extra bytes after the deserialized object")
        end

        it "each yields it first" do
          expect { |block| unpacker.feed(hex("02 03")).each(&block) }.to yield_successive_args([1, 2], 3)
        end

        it "feed_each yields it first" do
          expect { |block| unpacker.feed_each(hex("02 03"), &block) }.to yield_successive_args([1, 2], 3)
        end

        it "skip drops it" do
          unpacker.feed(hex("02 03"))
          expect([unpacker.skip, unpacker.read]).to eq([nil, 3])
        end

        it "skip_nil does not touch it" do
          unpacker.feed(hex("c0 03"))
          expect([unpacker.skip_nil, unpacker.read, unpacker.read]).to eq([false, [1, nil], 3])
        end

        it "read_array_header does not touch it" do
          unpacker.feed(hex("91 05 03"))
          expect { unpacker.read_array_header }.to raise_error(MessagePack::UnexpectedTypeError, "unexpected type")
          expect([unpacker.read, unpacker.read]).to eq([[1, [5]], 3])
        end

        it "read_map_header does not touch it" do
          unpacker.feed(hex("80 03"))
          expect { unpacker.read_map_header }.to raise_error(MessagePack::UnexpectedTypeError, "unexpected type")
          expect([unpacker.read, unpacker.read]).to eq([[1, {}], 3])
        end

        it "reset gives it up" do
          unpacker.reset
          expect(unpacker.feed(hex("02")).read).to eq(2)
        end
      end
    end

    context "by skip" do
      before do
        unpacker.feed(hex("92 01"))
        expect { unpacker.skip }.to raise_end_of_buffer
      end

      it "skip finishes it" do
        unpacker.feed(hex("02 03"))
        expect([unpacker.skip, unpacker.read]).to eq([nil, 3])
      end

      it "read passes it and returns the next" do
        expect(unpacker.feed(hex("02 03")).read).to eq(3)
      end

      it "read waits for the next" do
        unpacker.feed(hex("02"))
        expect { unpacker.read }.to raise_end_of_buffer
        expect(unpacker.feed(hex("03")).read).to eq(3)
      end

      it "full_unpack passes it and returns the next" do
        expect(unpacker.feed(hex("02 03")).full_unpack).to eq(3)
      end

      it "each does not yield it" do
        expect { |block| unpacker.feed(hex("02 03 04")).each(&block) }.to yield_successive_args(3, 4)
      end

      it "feed_each does not yield it" do
        expect { |block| unpacker.feed_each(hex("02 03 04"), &block) }.to yield_successive_args(3, 4)
      end

      it "skip_nil does not touch it" do
        unpacker.feed(hex("c0 03"))
        expect([unpacker.skip_nil, unpacker.read]).to eq([false, 3])
      end

      it "read_array_header does not touch it" do
        unpacker.feed(hex("91 05 03"))
        expect { unpacker.read_array_header }.to raise_error(MessagePack::UnexpectedTypeError)
        expect(unpacker.read).to eq(3)
      end

      it "reset gives it up" do
        unpacker.reset
        expect(unpacker.feed(hex("02")).read).to eq(2)
      end
    end

    it "stays skipped when skip had but the first byte of a head" do
      unpacker.feed(hex("cd"))
      expect { unpacker.skip }.to raise_end_of_buffer
      expect(unpacker.feed(hex("01 00 03")).read).to eq(3)
    end

    it "stays skipped when skip had but the first byte of a header" do
      unpacker.feed(hex("dc 00"))
      expect { unpacker.skip }.to raise_end_of_buffer
      expect(unpacker.feed(hex("01 05 03")).read).to eq(3)
    end

    it "stays skipped when skip had half of a body" do
      unpacker.feed(hex("a4 61 62"))
      expect { unpacker.skip }.to raise_end_of_buffer
      expect(unpacker.feed(hex("63 64 03")).read).to eq(3)
    end
  end

  describe "half an array or map header" do
    { read_array_header: "dd 00 00", read_map_header: "df 00 00" }.each do |method, half|
      it "is kept by ##{method}" do
        unpacker.feed(hex(half))
        expect { unpacker.public_send(method) }.to raise_end_of_buffer
        expect(unpacker.feed(hex("00 02")).public_send(method)).to eq(2)
      end

      it "that read met is there for ##{method}" do
        unpacker.feed(hex(half))
        expect { unpacker.read }.to raise_end_of_buffer
        expect(unpacker.feed(hex("00 02")).public_send(method)).to eq(2)
      end

      it "that each met is there for ##{method}" do
        unpacker.feed(hex(half)).each { raise "unexpected" }
        expect(unpacker.feed(hex("00 02")).public_send(method)).to eq(2)
      end

      it "that ##{method} met is there for read" do
        unpacker.feed(hex(half))
        expect { unpacker.public_send(method) }.to raise_end_of_buffer
        expect(unpacker.feed(hex("00 00")).read).to be_empty
      end

      it "that ##{method} met is there for skip" do
        unpacker.feed(hex(half))
        expect { unpacker.public_send(method) }.to raise_end_of_buffer
        unpacker.feed(hex("00 01 05 06 07")).skip
        expect(unpacker.read).to eq(method == :read_array_header ? 6 : 7)
      end
    end

    it "is no nil" do
      unpacker.feed(hex("dd 00"))
      expect { unpacker.read }.to raise_end_of_buffer
      expect(unpacker.skip_nil).to be(false)
    end
  end

  describe "elements read by hand" do
    it "resume on their own" do
      unpacker.feed(hex("92 91"))
      expect(unpacker.read_array_header).to eq(2)
      expect { unpacker.read }.to raise_end_of_buffer
      unpacker.feed(hex("01 02"))
      expect([unpacker.read, unpacker.read]).to eq([[1], 2])
    end
  end

  describe "#buffer" do
    it "counts nothing of what is finished" do
      unpacker.feed(hex("92 01")).each { raise "unexpected" }
      expect(unpacker.buffer.size).to eq(0)
    end

    it "keeps a half-read object when it is cleared" do
      unpacker.feed(hex("92 01"))
      expect { unpacker.read }.to raise_end_of_buffer
      unpacker.buffer.clear
      expect(unpacker.feed(hex("02")).read).to eq([1, 2])
    end
  end

  describe "#each" do
    it "yields each object" do
      expect { |block| unpacker.feed(wires.join).each(&block) }.to yield_successive_args(*objects)
    end

    it "returns nil" do
      expect(unpacker.feed(hex("01")).each { nil }).to be_nil
    end

    it "yields nothing when there is nothing" do
      expect { |block| unpacker.each(&block) }.not_to yield_control
    end

    it "keeps the object that is not complete" do
      expect { |block| unpacker.feed(hex("01 92 02")).each(&block) }.to yield_successive_args(1)
      expect(unpacker.feed(hex("03")).read).to eq([2, 3])
    end

    it "gives two block parameters the elements of an Array" do
      pairs = []
      unpacker.feed(hex("92 01 02 92 03 04")).each { |a, b| pairs << [b, a] }
      expect(pairs).to eq([[2, 1], [4, 3]])
    end

    it "passes one argument to a lambda" do
      expect { unpacker.feed(hex("92 01 02")).each(&->(_a, _b) {}) }
        .to raise_error(ArgumentError, wrong_number_of_arguments(1, 2))
    end

    it "gives an Enumerator without a block" do
      enumerator = unpacker.feed(hex("01 02")).each
      expect(enumerator).to be_a(Enumerator)
      expect(enumerator.size).to be_nil
      expect(enumerator.to_a).to eq([1, 2])
    end

    it "can be driven from outside" do
      enumerator = unpacker.feed(hex("01 02")).each
      expect([enumerator.next, enumerator.next]).to eq([1, 2])
      expect { enumerator.next }.to raise_error(StopIteration)
    end

    it "can be lazy" do
      expect(unpacker.feed(hex("01 02 03")).each.lazy.map { |n| n * 2 }.first(2)).to eq([2, 4])
    end

    it "leaves the rest after break" do
      unpacker.feed(hex("01 02 03")).each { break }
      expect([unpacker.read, unpacker.read]).to eq([2, 3])
    end

    it "returns what break gives" do
      expect(unpacker.feed(hex("01")).each { break :out }).to eq(:out)
    end

    it "leaves the rest after an exception of the block" do
      expect { unpacker.feed(hex("01 02 03")).each { raise IOError, "mine" } }.to raise_error(IOError, "mine")
      expect([unpacker.read, unpacker.read]).to eq([2, 3])
    end

    it "does not swallow an EOFError of the block" do
      expect { unpacker.feed(hex("01 02")).each { raise EOFError, "mine" } }.to raise_error(EOFError, "mine")
      expect(unpacker.read).to eq(2)
    end

    it "yields what comes before an error" do
      yielded = []
      expect { unpacker.feed(hex("01 02 c1 03")).each { |object| yielded << object } }
        .to raise_error(MessagePack::MalformedFormatError, "invalid byte")
      expect([yielded, unpacker.read]).to eq([[1, 2], 3])
    end

    context "when the block uses the unpacker" do
      it "sees what is fed" do
        yielded = []
        unpacker.feed(hex("01")).each do |object|
          yielded << object
          unpacker.feed([object + 1].pack("C")) if object < 3
        end
        expect(yielded).to eq([1, 2, 3])
      end

      it "goes on behind what is read" do
        yielded = []
        unpacker.feed(hex("01 02 03")).each { |object| yielded << object << (object == 1 ? unpacker.read : nil) }
        expect(yielded).to eq([1, 2, 3, nil])
      end

      it "goes on behind what is skipped" do
        yielded = []
        unpacker.feed(hex("01 02 03")).each { |object| yielded << object && (unpacker.skip if object == 1) }
        expect(yielded).to eq([1, 3])
      end

      it "ends when a loop inside took the rest" do
        yielded = []
        unpacker.feed(hex("01 02 03")).each do |object|
          yielded << object
          unpacker.each { |inner| yielded << [inner] }
        end
        expect(yielded).to eq([1, [2], [3]])
      end

      it "ends after reset" do
        yielded = []
        unpacker.feed(hex("01 02 03")).each { |object| yielded << object && unpacker.reset }
        expect(yielded).to eq([1])
      end

      it "goes on behind bytes taken from the buffer" do
        yielded = []
        unpacker.feed(hex("01 02 03")).each { |object| yielded << object && (unpacker.buffer.read(1) if object == 1) }
        expect(yielded).to eq([1, 3])
      end
    end
  end

  describe "#feed_each" do
    it "feeds and yields" do
      expect { |block| unpacker.feed_each(hex("01 02"), &block) }.to yield_successive_args(1, 2)
    end

    it "returns nil" do
      expect(unpacker.feed_each(hex("01")) { nil }).to be_nil
    end

    it "yields each object when its last byte comes" do
      yielded = []
      wires.join.each_char { |byte| unpacker.feed_each(byte) { |object| yielded << object } }
      expect(yielded).to eq(objects)
    end

    it "does not care where the pieces are cut" do
      wire = wires.join
      [2, 3, 7, 100].each do |size|
        yielded = []
        wire.scan(/.{1,#{size}}/mn) { |piece| unpacker.feed_each(piece) { |object| yielded << object } }
        expect(yielded).to eq(objects)
      end
    end

    it "feeds without a block when the Enumerator is used" do
      enumerator = unpacker.feed_each(hex("01 02"))
      expect(unpacker.buffer.size).to eq(0)
      expect(enumerator.size).to be_nil
      expect(enumerator.to_a).to eq([1, 2])
    end

    it "checks the argument without a block when the Enumerator is used" do
      enumerator = unpacker.feed_each(1)
      expect { enumerator.to_a }.to raise_error(TypeError, "no implicit conversion of Integer into String")
    end

    it "refuses what is no String" do
      expect { unpacker.feed_each(nil) { nil } }.to raise_error(TypeError, "no implicit conversion of nil into String")
    end
  end

  describe "#skip" do
    it "returns nil" do
      expect(unpacker.feed(hex("01")).skip).to be_nil
    end

    objects.zip(wires) do |object, wire|
      it "passes exactly #{object.inspect[0, 40]}" do
        unpacker.feed(wire).feed(hex("05")).skip
        expect(unpacker.read).to eq(5)
      end

      next if wire.bytesize == 1

      it "passes #{object.inspect[0, 40]} wherever it is cut", gc_stress: wire.bytesize <= 100 do
        (1...wire.bytesize).each do |cut|
          unpacker.feed(wire.byteslice(0, cut))
          expect { unpacker.skip }.to raise_end_of_buffer
          unpacker.feed(wire.byteslice(cut..)).feed(hex("05")).skip
          expect(unpacker.read).to eq(5)
        end
      end
    end

    it "raises EOFError when there is nothing" do
      expect { unpacker.skip }.to raise_end_of_buffer
    end

    it "refuses c1, and goes on behind it" do
      unpacker.feed(hex("92 01 c1 05"))
      expect { unpacker.skip }.to raise_error(MessagePack::MalformedFormatError, "invalid byte")
      expect(unpacker.read).to eq(5)
    end

    it "passes 128 levels" do
      unpacker.feed(hex("#{'91' * 128} c0 05")).skip
      expect(unpacker.read).to eq(5)
    end

    it "counts no empty container" do
      unpacker.feed(hex("#{'91' * 128} 90 05")).skip
      expect(unpacker.read).to eq(5)
    end

    it "refuses the 129th level, and goes on behind its head" do
      unpacker.feed(hex("#{'91' * 129} 05"))
      expect { unpacker.skip }.to raise_error(MessagePack::StackError, "stack level too deep")
      expect(unpacker.read).to eq(5)
    end

    it "refuses the same depth as read, in maps too" do
      [127, 128, 129].each do |depth|
        wire = hex("#{'81 c0' * depth} c0")
        outcomes = %i[read skip].map do |call|
          described_class.new.feed(wire).public_send(call) && :fine
        rescue MessagePack::StackError
          :refused
        else
          :fine
        end
        expect(outcomes).to eq([depth > 128 ? :refused : :fine] * 2)
      end
    end

    it "passes an ext type that nobody knows" do
      unpacker.feed(hex("92 d4 09 61 c7 03 63 61 62 63 05")).skip
      expect(unpacker.read).to eq(5)
    end

    it "calls no ext proc" do
      unpacker.register_type(1) { raise "called" }
      unpacker.feed(hex("91 d4 01 61 05")).skip
      expect(unpacker.read).to eq(5)
    end

    it "calls no recursive ext proc" do
      factory = MessagePack::Factory.new
      factory.register_type(1, Range, packer: nil, unpacker: ->(_) { raise "called" }, recursive: true)
      unpacker = factory.unpacker.feed(hex("91 d4 01 05 06"))
      unpacker.skip
      expect(unpacker.read).to eq(6)
    end

    it "makes no Symbols" do
      factory = MessagePack::Factory.new
      factory.register_type(0, Symbol, optimized_symbols_parsing: true)
      unpacker = factory.unpacker.feed(hex("92 d4 00 ff 81 a1 ff 01 05"))
      unpacker.skip
      expect(unpacker.read).to eq(5)
    end

    it "does not mind a key that can not be a Symbol" do
      unpacker = described_class.new(symbolize_keys: true).feed(hex("81 a1 ff 01 05"))
      unpacker.skip
      expect(unpacker.read).to eq(5)
    end

    it "passes elements by hand" do
      unpacker.feed(hex("93 01 92 02 03 04"))
      unpacker.read_array_header
      expect([unpacker.skip, unpacker.skip, unpacker.read]).to eq([nil, nil, 4])
    end

    it "does not mix up a long body with what follows" do
      unpacker.feed(hex("db 00 01 86 a0")).feed("\xc1".b * 50_000)
      expect { unpacker.skip }.to raise_end_of_buffer
      unpacker.feed("\xc1".b * 50_000).feed(hex("05")).skip
      expect(unpacker.read).to eq(5)
    end
  end

  describe "long pieces, which are not copied" do
    let(:object) { Array.new(40) { |i| [i, "#{i} " * 700, { "key" => "ö" * i }] } }
    let(:wire) { MessagePack.pack(object) * 2 }

    def pieces(size) = wire.bytes.each_slice(size).map { |bytes| bytes.pack("C*") }

    [8192, 9001, 20_000].each do |size|
      it "of #{size} bytes give what lies across their borders, fed one by one" do
        expect(pieces(size).flat_map { |piece| unpacker.feed_each(piece).to_a }).to eq([object, object])
      end

      it "of #{size} bytes give what lies across their borders, fed all at once" do
        pieces(size).each { |piece| unpacker.feed(piece) }
        expect([unpacker.read, unpacker.buffer.size, unpacker.read, unpacker.buffer.size]).to eq([object, wire.bytesize / 2, object, 0])
      end

      it "of #{size} bytes are skipped across their borders" do
        pieces(size).each { |piece| unpacker.feed(piece) }
        unpacker.skip
        expect(unpacker.read).to eq(object)
      end
    end
  end

  describe "an io" do
    it "is read as far as the object needs" do
      io = FakeIO::Chunks.new(hex("92"), hex("01"), hex("02"), hex("03"))
      expect([described_class.new(io).read, io.chunks]).to eq([[1, 2], [hex("03")]])
    end

    it "comes after what was fed" do
      expect(described_class.new(FakeIO::Chunks.new(hex("02"))).feed(hex("92 01")).read).to eq([1, 2])
    end

    it "is read by readpartial, if it has it" do
      io = FakeIO::Chunks.new(hex("01"))
      def io.read(*) = raise("called")
      expect(described_class.new(io).read).to eq(1)
    end

    it "is read by read otherwise" do
      expect(described_class.new(FakeIO::Read.new(hex("92 01"), hex("02"))).read).to eq([1, 2])
    end

    it "is asked for readpartial when the unpacker is made" do
      io = FakeIO::Read.new(hex("01"))
      unpacker = described_class.new(io)
      def io.readpartial(*) = raise("called")
      expect(unpacker.read).to eq(1)
    end

    it "is asked for 32768 bytes" do
      io = FakeIO::Chunks.new(hex("01"))
      described_class.new(io).read
      expect(io.sizes).to eq([32_768])
    end

    it "is asked for io_buffer_size bytes" do
      io = FakeIO::Chunks.new(hex("01"))
      described_class.new(io, io_buffer_size: 2000).read
      expect(io.sizes).to eq([2000])
    end

    [1, 0, -1, 1023].each do |size|
      it "is asked for 1024 bytes when io_buffer_size is #{size}" do
        io = FakeIO::Chunks.new(hex("01"))
        described_class.new(io, io_buffer_size: size).read
        expect(io.sizes).to eq([1024])
      end
    end

    it "is asked for no more than a body still lacks" do
      io = FakeIO::Chunks.new(hex("aa 31 32 33 34 35"), hex("36 37 38 39 30"), hex("05"))
      expect(described_class.new(io).read).to eq("1234567890")
      expect(io.sizes).to eq([32_768, 5])
      expect(io.chunks).to eq([hex("05")])
    end

    it "is handed the String of the first call from then on" do
      seen = []
      io = Object.new
      io.define_singleton_method(:readpartial) do |size, out = nil|
        seen << [size, out]
        out ? out.replace("\x01") : +"\x93"
      end
      described_class.new(io).read
      expect(seen.map { |size, out| [size, out.class] }.first).to eq([32_768, NilClass])
      expect(seen.drop(1).map { |_, out| out }).to all(be_a(String))
    end

    it "may ignore the String it is handed" do
      chunks = [hex("93"), hex("01"), hex("02"), hex("03")]
      io = Object.new
      io.define_singleton_method(:readpartial) { |_size, _out = nil| chunks.shift || raise(EOFError) }
      expect(described_class.new(io).read).to eq([1, 2, 3])
    end

    it "may give frozen Strings" do
      chunks = [hex("92").freeze, hex("01").freeze, hex("02").freeze]
      io = Object.new
      io.define_singleton_method(:read) { |_size, _out = nil| chunks.shift }
      expect(described_class.new(io).read).to eq([1, 2])
    end

    it "must give a String" do
      io = Object.new
      def io.read(*) = 5
      expect { described_class.new(io).read }
        .to raise_error(TypeError, "no implicit conversion of Integer into String")
    end

    it "ends with nil" do
      expect { described_class.new(FakeIO::Read.new).read }.to raise_error(EOFError, "IO reached end of file")
    end

    it "ends with an empty String" do
      io = Object.new
      def io.read(*) = ""
      expect { described_class.new(io).read }.to raise_error(EOFError, "IO reached end of file")
    end

    it "passes its own EOFError on" do
      expect { described_class.new(StringIO.new).read }.to raise_error(EOFError, "end of file reached")
    end

    objects.zip(wires) do |object, wire|
      it "gives #{object.inspect[0, 40]} after it was dry at every byte", gc_stress: wire.bytesize <= 100 do
        io = FakeIO::Chunks.new
        unpacker = described_class.new(io)
        wire.each_char do |byte|
          expect { unpacker.read }.to raise_error(EOFError)
          io << byte
        end
        expect(unpacker.read).to eql(object)
      end
    end

    { "read" => :read, "full_unpack" => :full_unpack }.each do |name, call|
      it "can raise anything, and ##{name} goes on" do
        io = FakeIO::Chunks.new(hex("92"), IOError.new("timeout"), hex("01"), Errno::EAGAIN.new, hex("02"))
        unpacker = described_class.new(io)
        expect { unpacker.public_send(call) }.to raise_error(IOError, "timeout")
        expect { unpacker.public_send(call) }.to raise_error(Errno::EAGAIN)
        expect(unpacker.public_send(call)).to eq([1, 2])
      end
    end

    it "can raise anything, and #skip goes on" do
      io = FakeIO::Chunks.new(hex("92"), IOError.new("timeout"), hex("01"), hex("02 05"))
      unpacker = described_class.new(io)
      expect { unpacker.skip }.to raise_error(IOError, "timeout")
      unpacker.skip
      expect(unpacker.read).to eq(5)
    end

    it "can raise anything, and the header calls go on" do
      io = FakeIO::Chunks.new(hex("dc"), IOError.new("timeout"), hex("00 02"))
      unpacker = described_class.new(io)
      expect { unpacker.read_array_header }.to raise_error(IOError, "timeout")
      expect(unpacker.read_array_header).to eq(2)
    end

    it "can throw, and read goes on" do
      io = FakeIO::Chunks.new(hex("02"))
      def io.readpartial(*) = @thrown ? super : throw(:out, @thrown = true)
      unpacker = described_class.new(io).feed(hex("92 01"))
      catch(:out) { unpacker.read }
      expect(unpacker.read).to eq([1, 2])
    end

    it "is never closed, rewound or flushed" do
      io = StringIO.new(hex("01"))
      %i[close rewind flush].each { |name| expect(io).not_to receive(name) }
      described_class.new(io).each { nil }
    end

    it "can be a pipe" do
      reader, writer = IO.pipe
      unpacker = described_class.new(reader)
      writer.write(hex("92 01"))
      thread = Thread.new { unpacker.read }
      writer.write(hex("02"))
      expect(thread.value).to eq([1, 2])
    ensure
      [reader, writer].each(&:close)
    end

    it "that blocks can be interrupted, and read goes on" do
      reader, writer = IO.pipe
      # Nothing is in the pipe: an interrupt at the moment a read ends could lose what it read in Ruby itself.
      unpacker = described_class.new(reader).feed(hex("92 01"))
      thread = Thread.new do
        unpacker.read
      rescue IOError => e
        e.message
      end
      Thread.pass until thread.status == "sleep"
      thread.raise(IOError, "interrupted")
      expect(thread.value).to eq("interrupted")
      writer.write(hex("02"))
      expect(unpacker.read).to eq([1, 2])
    ensure
      [reader, writer].each(&:close)
    end

    context "with #each" do
      it "ends silently at the io's EOFError" do
        io = StringIO.new(hex("01 02"))
        expect { |block| described_class.new(io).each(&block) }.to yield_successive_args(1, 2)
      end

      it "returns nil at the end" do
        expect(described_class.new(StringIO.new(hex("01"))).each { nil }).to be_nil
      end

      it "ends silently at nil" do
        expect { |block| described_class.new(FakeIO::Read.new(hex("01"))).each(&block) }.to yield_successive_args(1)
      end

      it "keeps the half-read object" do
        io = FakeIO::Chunks.new(hex("01 92 02"))
        unpacker = described_class.new(io)
        expect { |block| unpacker.each(&block) }.to yield_successive_args(1)
        io << hex("03 04")
        expect { |block| unpacker.each(&block) }.to yield_successive_args([2, 3], 4)
      end

      it "does not swallow an EOFError of the block" do
        unpacker = described_class.new(StringIO.new(hex("01 02")))
        expect { unpacker.each { raise EOFError, "mine" } }.to raise_error(EOFError, "mine")
      end

      it "does not swallow an EOFError of an ext proc" do
        unpacker = described_class.new(StringIO.new(hex("d4 01 61 02")))
        unpacker.register_type(1) { raise EOFError, "mine" }
        expect { unpacker.each { nil } }.to raise_error(EOFError, "mine")
      end

      it "passes other errors on" do
        unpacker = described_class.new(FakeIO::Chunks.new(hex("01"), IOError.new("mine")))
        expect { unpacker.each { nil } }.to raise_error(IOError, "mine")
      end

      it "does not swallow an EOFError of the block without an io either" do
        expect { unpacker.feed(hex("01")).each { raise EOFError, "mine" } }.to raise_error(EOFError, "mine")
      end
    end
  end
end
