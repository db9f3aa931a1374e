# frozen_string_literal: true

require "stringio"

# The options that bound what one object may claim. What they mean inside recursive ext types and for header reads is
# in spec/regression/limits_of_parts_spec.rb.
RSpec.describe "limits for untrusted data" do
  ext = MessagePack::ExtensionValue.new(5, "\x01".b)

  # name => the limit, bytes that it admits and what they are, bytes that it refuses, what is too much in them
  each_limit = {
    max_depth: [2, "91 91 01", [[1]], "91 81 01 91 01", 3],
    max_string_bytes: [3, "a3 61 62 63", "abc", "d9 04 61 62 63 64", 4],
    max_bin_bytes: [3, "c4 03 61 62 63", "abc".b, "c4 04 61 62 63 64", 4],
    max_ext_bytes: [1, "d4 05 01", ext, "c7 02 05 01 02", 2],
    max_array_length: [2, "92 01 02", [1, 2], "dc 00 03 01 02 03", 3],
    max_map_length: [1, "81 01 02", { 1 => 2 }, "de 00 02 01 02 03 04", 2],
    max_total_objects: [3, "92 01 02", [1, 2], "93 01 02 03", 4]
  }

  entries = {
    "MessagePack.unpack" => ->(bytes, options) { MessagePack.unpack(bytes, options) },
    "MessagePack.load" => ->(bytes, options) { MessagePack.load(bytes, options) },
    "MessagePack.load of an io" => ->(bytes, options) { MessagePack.load(StringIO.new(bytes), options) },
    "Unpacker#read" => ->(bytes, options) { MessagePack::Unpacker.new(options).feed(bytes).read },
    "Unpacker#read of an io" => ->(bytes, options) { MessagePack::Unpacker.new(StringIO.new(bytes), options).read },
    "Unpacker#each" => ->(bytes, options) { MessagePack::Unpacker.new(options).feed(bytes).each.to_a[0] },
    "Unpacker#feed_each, byte by byte" => lambda do |bytes, options|
      unpacker = MessagePack::Unpacker.new(options)
      bytes.each_char.flat_map { |byte| unpacker.feed_each(byte).to_a }[0]
    end,
    "Factory#unpacker" => ->(bytes, options) { MessagePack::Factory.new.unpacker(options).feed(bytes).read },
    "Factory#load" => ->(bytes, options) { MessagePack::Factory.new.load(bytes, options) },
    "Factory#unpack" => ->(bytes, options) { MessagePack::Factory.new.unpack(bytes, options) },
    "Factory#pool" => ->(bytes, options) { MessagePack::Factory.new.pool(1, **options).load(bytes) }
  }

  each_limit.each do |name, (limit, within, value, over, found)|
    describe name do
      # Bytes of the array, and of the map's key, in front of what is one level too deep.
      at = name == :max_depth ? 3 : 0

      entries.each do |entry, call|
        it "holds for #{entry}" do
          options = { name => limit, allow_unknown_ext: true }
          expect(call.call(hex(within), options)).to eq(value)
          expect { call.call(hex(over), options) }.to raise_error(MessagePack::LimitError, "#{name}: #{found} is over the limit of #{limit}, at byte #{at}") { |error|
            expect(error.offset).to eq(at)
          }
        end
      end

      it "tells the byte of a value that stands inside, behind others" do
        unpacker = MessagePack::Unpacker.new(name => limit, allow_unknown_ext: true).feed(hex(within) * 2)
        2.times { unpacker.read }
        offset = 2 * hex(within).bytesize + at
        expect { unpacker.feed(hex(over)).read }.to raise_error(MessagePack::LimitError, /, at byte #{offset}\z/) { |error| expect(error.offset).to eq(offset) }
      end

      it "refuses as soon as the head is there" do
        expect { MessagePack.unpack(hex(over)[0, at + 3], name => limit) }.to raise_error(MessagePack::LimitError)
      end

      it "does not consume what it refuses, which goes with reset" do
        unpacker = MessagePack::Unpacker.new(name => limit, allow_unknown_ext: true).feed(hex(over))
        2.times { expect { unpacker.read }.to raise_error(MessagePack::LimitError) }
        unpacker.reset
        expect(unpacker.feed(hex(within)).read).to eq(value)
      end

      it "is no limit when nil" do
        expect(MessagePack.unpack(hex(over), name => nil, allow_unknown_ext: true)).not_to be_nil
      end

      it "may be 0" do
        expect { MessagePack.unpack(hex(within), name => 0, allow_unknown_ext: true) }.to raise_error(MessagePack::LimitError, / is over the limit of 0, /)
      end

      it "has to be an Integer that is not negative" do
        expect { MessagePack::Unpacker.new(name => "3") }.to raise_error(TypeError, "#{name}: wrong argument type String (expected Integer)")
        expect { MessagePack::Unpacker.new(name => 1.0) }.to raise_error(TypeError, "#{name}: wrong argument type Float (expected Integer)")
        expect { MessagePack::Unpacker.new(name => -1) }.to raise_error(ArgumentError, "#{name}: -1 is negative")
        expect { MessagePack::Unpacker.new(name => 2**70) }.to raise_error(RangeError)
      end

      it "raises an UnpackError" do
        expect { MessagePack.unpack(hex(over), name => limit) }.to raise_error(MessagePack::UnpackError)
      end
    end
  end

  describe "max_depth" do
    it "may be what the format's implementation supports, and no more" do
      expect(MessagePack.unpack(hex("91" * 128 + "01"), max_depth: 128).flatten).to eq([1])
      expect { MessagePack::Unpacker.new(max_depth: 129) }.to raise_error(ArgumentError, "max_depth: 129 is more than 128, the depth that is supported")
    end

    it "does not count containers that are empty" do
      expect(MessagePack.unpack(hex("92 90 80"), max_depth: 1)).to eq([[], {}])
    end

    it "counts levels that are open, not containers" do
      expect(MessagePack.unpack(hex("93 91 01 91 02 81 03 04"), max_depth: 2)).to eq([[1], [2], { 3 => 4 }])
    end

    it "holds for skip" do
      unpacker = MessagePack::Unpacker.new(max_depth: 2).feed(hex("91 91 01 91 91 91 01"))
      unpacker.skip
      expect { unpacker.skip }.to raise_error(MessagePack::LimitError, "max_depth: 3 is over the limit of 2, at byte 5")
    end

    it "holds for skip where the data comes in pieces" do
      unpacker = MessagePack::Unpacker.new(FakeIO::Chunks.new(*hex("91 91 91 01").each_char), max_depth: 2)
      expect { unpacker.skip }.to raise_error(MessagePack::LimitError, "max_depth: 3 is over the limit of 2, at byte 2")
    end

    it "is StackError without the option, at the depth of the format's implementation" do
      expect { MessagePack.unpack(hex("91" * 129 + "01")) }.to raise_error(MessagePack::StackError)
      expect { MessagePack.unpack(hex("91" * 129 + "01"), max_string_bytes: 1) }.to raise_error(MessagePack::StackError)
    end
  end

  describe "max_string_bytes" do
    it "holds for map keys, also as Symbols and out of the cache" do
      [{}, { symbolize_keys: true }, { key_cache: true }, { freeze: true }].each do |options|
        limited = { max_string_bytes: 3, **options }
        expect(MessagePack.unpack(hex("81 a3 61 62 63 01"), limited).keys.map(&:to_s)).to eq(["abc"])
        expect { MessagePack.unpack(hex("81 a4 61 62 63 64 01"), limited) }.to raise_error(MessagePack::LimitError, /\Amax_string_bytes: 4 .* byte 1\z/)
      end
    end

    it "is for strings alone" do
      expect(MessagePack.unpack(hex("93 c4 02 61 62 d5 05 61 62 92 01 02"), max_string_bytes: 1, allow_unknown_ext: true)[0]).to eq("ab")
    end

    it "holds for each string by itself" do
      expect(MessagePack.unpack(hex("93 a1 61 a1 62 a1 63"), max_string_bytes: 1)).to eq(%w[a b c])
    end
  end

  describe "max_ext_bytes" do
    it "holds for registered types before their procs run" do
      factory = MessagePack::Factory.new
      factory.register_type(5, Samples::Wrap, packer: nil, unpacker: ->(_) { raise "called" })
      expect { factory.load(hex("d5 05 01 02"), max_ext_bytes: 1) }.to raise_error(MessagePack::LimitError)
    end
  end

  describe "max_total_objects" do
    it "counts a map with its keys and values" do
      expect(MessagePack.unpack(hex("82 01 02 03 04"), max_total_objects: 5)).to eq({ 1 => 2, 3 => 4 })
      expect { MessagePack.unpack(hex("82 01 02 03 04"), max_total_objects: 4) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: 5 /)
    end

    it "counts over all levels" do
      expect { MessagePack.unpack(hex("92 92 01 02 92 03 04"), max_total_objects: 6) }.to raise_error(MessagePack::LimitError, "max_total_objects: 7 is over the limit of 6, at byte 4")
    end

    it "counts what is announced at once" do
      expect { MessagePack.unpack(hex("dd ff ff ff ff"), max_total_objects: 1000) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: 4294967296 /)
      expect { MessagePack.unpack(hex("df ff ff ff ff"), max_total_objects: 1000) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: 8589934591 /)
    end

    it "does not count twice what waits for more bytes" do
      unpacker = MessagePack::Unpacker.new(max_total_objects: 3)
      read = hex("92 d9 02 61 62 cd 01 02").each_char.flat_map { |byte| unpacker.feed_each(byte).to_a }
      expect(read).to eq([["ab", 258]])
    end

    it "begins anew with each object of a stream" do
      unpacker = MessagePack::Unpacker.new(max_total_objects: 3).feed(hex("92 01 02") * 5)
      expect(unpacker.each.to_a).to eq([[1, 2]] * 5)
    end
  end

  it "hold together" do
    limits = { max_depth: 2, max_array_length: 3, max_string_bytes: 2, max_total_objects: 10 }
    expect(MessagePack.unpack(hex("93 a2 61 62 91 01 90"), limits)).to eq(["ab", [1], []])
    expect { MessagePack.unpack(hex("93 a3 61 62 63 91 01 90"), limits) }.to raise_error(MessagePack::LimitError, /\Amax_string_bytes/)
    expect { MessagePack.unpack(hex("93 a2 61 62 91 91 01 90"), limits) }.to raise_error(MessagePack::LimitError, /\Amax_depth/)
  end

  it "give what no limits give, where they are wide" do
    wide = %i[max_string_bytes max_bin_bytes max_ext_bytes max_array_length max_map_length max_total_objects].to_h { |name| [name, 1 << 40] }
    object = { "key" => [1, -1, 2**63, 1.5, nil, true, false, "x" * 300, "b".b * 300, { 1 => [{}] }], 2 => Array.new(700) { |i| [i] } }
    bytes = MessagePack.pack(object)
    expect(MessagePack.unpack(bytes, wide)).to eq(object)
    expect(MessagePack.unpack(hex("93 ca 3f 80 00 00 d0 07 c2"), wide)).to eq([1.0, 7, false])
    unpacker = MessagePack::Unpacker.new(wide)
    expect(bytes.each_char.flat_map { |byte| unpacker.feed_each(byte).to_a }).to eq([object])
  end
end
