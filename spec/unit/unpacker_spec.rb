# frozen_string_literal: true

# Values, options and errors. Data that comes in pieces: unpacker_streaming_spec.rb. Extension types:
# unpacker_ext_spec.rb.
RSpec.describe MessagePack::Unpacker do
  subject(:unpacker) { described_class.new }

  def read(wire, **options)
    described_class.new(options).feed(hex(wire)).read
  end

  describe ".new" do
    [[], [nil], [nil, nil], [{}]].each do |args|
      it "takes #{args.inspect[1..-2].inspect} as neither io nor options" do
        expect(described_class.new(*args).buffer.io).to be_nil
      end
    end

    it "takes an io" do
      io = StringIO.new
      expect(described_class.new(io).buffer.io).to equal(io)
    end

    it "takes an io and nil" do
      io = StringIO.new
      expect(described_class.new(io, nil).buffer.io).to equal(io)
    end

    it "takes an io and options" do
      io = StringIO.new
      unpacker = described_class.new(io, symbolize_keys: true)
      expect([unpacker.buffer.io, unpacker.symbolize_keys?]).to eq([io, true])
    end

    it "takes options alone" do
      expect(described_class.new(symbolize_keys: true)).to be_symbolize_keys
    end

    it "takes options behind nil" do
      expect(described_class.new(nil, { symbolize_keys: true })).to be_symbolize_keys
    end

    it "takes a Hash with nil behind it for the io" do
      io = { symbolize_keys: true }
      unpacker = described_class.new(io, nil)
      expect(unpacker.buffer.io).to equal(io)
      expect(unpacker).not_to be_symbolize_keys
    end

    it "takes the first of two Hashes for the io" do
      io = {}
      unpacker = described_class.new(io, { symbolize_keys: true })
      expect(unpacker.buffer.io).to equal(io)
      expect(unpacker).to be_symbolize_keys
    end

    it "refuses a second argument that is no Hash" do
      expect { described_class.new(nil, 5) }.to raise_error(ArgumentError, "expected Hash but found Integer.")
    end

    it "refuses three arguments" do
      expect { described_class.new(nil, nil, nil) }
        .to raise_error(ArgumentError, "wrong number of arguments (3 for 0..2)")
    end

    it "leaves the options when it is called again without" do
      unpacker = described_class.new(symbolize_keys: true)
      unpacker.send(:initialize)
      expect(unpacker).to be_symbolize_keys
    end

    it "sets all options when it is called again with some" do
      unpacker = described_class.new(symbolize_keys: true, allow_unknown_ext: true)
      unpacker.send(:initialize, { freeze: true })
      expect([unpacker.symbolize_keys?, unpacker.allow_unknown_ext?, unpacker.freeze?]).to eq([false, false, true])
    end
  end

  describe ".allocate" do
    it "makes an unpacker that works" do
      expect(described_class.allocate.feed(hex("91 01")).read).to eq([1])
    end
  end

  %i[symbolize_keys freeze allow_unknown_ext].each do |option|
    describe "##{option}?" do
      it "is false unless asked for" do
        expect(unpacker.public_send("#{option}?")).to be(false)
      end

      it "is true for anything truthy" do
        expect(described_class.new(option => 1).public_send("#{option}?")).to be(true)
      end

      it "is false for nil" do
        expect(described_class.new(option => nil).public_send("#{option}?")).to be(false)
      end
    end
  end

  describe "size options" do
    %i[io_buffer_size read_reference_threshold write_reference_threshold].each do |option|
      [nil, 0, -1, 10, 100_000].each do |value|
        it "#{option}: #{value.inspect} changes no values" do
          wire = hex("92 da 07 d0") + ("x" * 2000) + hex("01")
          expect(described_class.new(StringIO.new(wire), option => value).read).to eq(["x" * 2000, 1])
        end
      end

      it "#{option} refuses a String" do
        expect { described_class.new(option => "x") }.to raise_error(TypeError, string_for_size_option)
      end
    end
  end

  describe "#feed", :gc_stress do
    it "returns the unpacker" do
      expect(unpacker.feed("")).to equal(unpacker)
    end

    it "is also called feed_reference" do
      expect(unpacker.feed_reference(hex("01"))).to equal(unpacker)
      expect(unpacker.read).to eq(1)
    end

    it "appends" do
      unpacker.feed(hex("92")).feed(hex("01")).feed("").feed(hex("02"))
      expect(unpacker.read).to eq([1, 2])
    end

    it "calls to_str" do
      source = Object.new
      def source.to_str = "\x01"
      expect(unpacker.feed(source).read).to eq(1)
    end

    { nil => "nil", 1 => "Integer", a: "Symbol" }.each do |source, name|
      it "refuses #{source.inspect}" do
        expect { unpacker.feed(source) }.to raise_error(TypeError, "no implicit conversion of #{name} into String")
      end
    end

    it "takes the bytes, whatever the encoding" do
      expect(unpacker.feed(hex("a2 c3 a9").force_encoding("UTF-16LE")).read).to eq("é")
    end

    it "takes a frozen String" do
      expect(unpacker.feed(hex("01").freeze).read).to eq(1)
    end

    [10, 1000, 1_000_000].each do |size|
      it "does not see later changes of #{size} bytes" do
        source = [0xdb, size].pack("CN") + ("x" * size)
        unpacker.feed(source)
        source.setbyte(10, 0)
        source << "more"
        expect(unpacker.read).to eq("x" * size)
      end

      it "does not see #{size} bytes cleared" do
        source = [0xdb, size].pack("CN") + ("x" * size)
        unpacker.feed(source)
        source.clear
        expect(unpacker.read).to eq("x" * size)
      end

      it "gives values of #{size} bytes that do not follow the String" do
        source = [0xdb, size].pack("CN") + ("x" * size)
        value = unpacker.feed(source).read
        source.clear
        expect(value).to eq("x" * size)
      end

      it "gives values of #{size} bytes that can be changed without changing the String" do
        source = [0xdb, size].pack("CN") + ("x" * size)
        copy = source.dup
        unpacker.feed(source).read.replace("y")
        expect(source).to eq(copy)
      end
    end

    it "works on a frozen unpacker" do
      expect(unpacker.freeze.feed(hex("01")).read).to eq(1)
    end
  end

  describe "#read" do
    it "is also called unpack" do
      expect(unpacker.feed(hex("01")).unpack).to eq(1)
    end

    it "returns one object after the other" do
      unpacker.feed(hex("01 a1 61 c0"))
      expect([unpacker.read, unpacker.read, unpacker.read]).to eq([1, "a", nil])
    end

    it "takes no argument" do
      expect { unpacker.read(1) }.to raise_error(ArgumentError, wrong_number_of_arguments(1, 0))
    end

    it "raises EOFError when there is nothing" do
      expect { unpacker.read }.to raise_error(EOFError, "end of buffer reached")
    end
  end

  describe "scalars" do
    it "reads nil, false, true" do
      expect([read("c0"), read("c2"), read("c3")]).to eq([nil, false, true])
    end

    it "refuses c1" do
      expect { read("c1") }.to raise_error(MessagePack::MalformedFormatError, "invalid byte")
    end

    Boundaries::INTEGERS.each do |value, wire|
      it "reads #{wire} as #{value}" do
        expect(read(wire)).to eql(value)
      end
    end

    Boundaries::LONG_INTEGERS.each do |wire, value|
      it "reads #{wire} as #{value}" do
        expect(read(wire)).to eql(value)
      end
    end

    Boundaries::FLOATS.each do |value, wire|
      it "reads #{wire} as #{value}" do
        expect(read(wire)).to eql(value)
      end
    end

    Boundaries::FLOATS32.each do |wire, value|
      it "reads #{wire} as #{value}" do
        expect(read(wire)).to eql(value)
      end
    end

    ["cb 80 00 00 00 00 00 00 00", "ca 80 00 00 00"].each do |wire|
      it "reads #{wire} as -0.0" do
        expect(1 / read(wire)).to eq(-Float::INFINITY)
      end
    end

    ["cb 7f f8 00 00 00 00 00 00", "ca 7f c0 00 00", "cb ff ff ff ff ff ff ff ff"].each do |wire|
      it "reads #{wire} as NaN" do
        expect(read(wire)).to be_nan
      end
    end
  end

  describe "strings" do
    Boundaries::STR.each do |size, head|
      it "reads #{size} bytes behind #{head} as UTF-8" do
        value = unpacker.feed(hex(head) + ("x" * size)).read
        expect([value, value.encoding]).to eq(["x" * size, Encoding::UTF_8])
      end
    end

    Boundaries::BIN.each do |size, head|
      it "reads #{size} bytes behind #{head} as binary" do
        value = unpacker.feed(hex(head) + ("\xff".b * size)).read
        expect([value, value.encoding]).to eq(["\xff".b * size, Encoding::BINARY])
      end
    end

    ["d9 01 61", "da 00 01 61", "db 00 00 00 01 61"].each do |wire|
      it "reads #{wire}, longer than needed" do
        expect(read(wire)).to eq("a")
      end
    end

    ["c5 00 01 61", "c6 00 00 00 01 61"].each do |wire|
      it "reads #{wire}, longer than needed" do
        expect(read(wire)).to eq("a".b)
      end
    end

    it "reads d9 00, da 00 00 and db 00 00 00 00 as empty UTF-8" do
      values = [read("d9 00"), read("da 00 00"), read("db 00 00 00 00")]
      expect(values.map { |value| [value, value.encoding] }).to all(eq(["", Encoding::UTF_8]))
    end

    it "does not validate UTF-8" do
      value = read("a1 ff")
      expect([value.b, value.encoding, value.valid_encoding?]).to eq(["\xff".b, Encoding::UTF_8, false])
    end

    it "gives each value a String of its own, not frozen" do
      first, second = read("92 a1 61 a1 61")
      expect([first.frozen?, second.frozen?]).to eq([false, false])
      expect(first).not_to equal(second)
    end

    it "gives long values Strings of their own" do
      wire = (hex("da 27 10") + ("x" * 10_000)) * 2
      unpacker.feed(wire)
      first = unpacker.read
      first << "more"
      expect(unpacker.read).to eq("x" * 10_000)
    end
  end

  describe "arrays" do
    Boundaries::ARRAY.each do |count, head|
      it "reads #{count} elements behind #{head}", gc_stress: count <= 100 do
        expect(unpacker.feed(hex(head) + ("\x01" * count)).read).to eq([1] * count)
      end
    end

    ["dc 00 01 01", "dd 00 00 00 01 01"].each do |wire|
      it "reads #{wire}, longer than needed" do
        expect(read(wire)).to eq([1])
      end
    end

    it "reads dc 00 00 and dd 00 00 00 00 as empty" do
      expect([read("dc 00 00"), read("dd 00 00 00 00")]).to eq([[], []])
    end

    it "reads elements of all kinds" do
      expect(read("96 01 a1 61 c0 91 c3 81 02 03 cb 40 00 00 00 00 00 00 00"))
        .to eq([1, "a", nil, [true], { 2 => 3 }, 2.0])
    end

    it "reads more elements than any buffer of its own holds", gc_stress: false do
      count = 300_000
      expect(unpacker.feed([0xdd, count].pack("CN") + ("\x01" * count)).read).to eq([1] * count)
    end

    it "gives Arrays that can be changed" do
      expect(read("91 01") << 2).to eq([1, 2])
    end
  end

  describe "maps", :gc_stress do
    Boundaries::MAP.each do |count, head|
      it "reads #{count} pairs behind #{head}", gc_stress: count <= 100 do
        hash = Array.new(count) { |i| [i, nil] }.to_h
        wire = hex(head) + hash.keys.map { |key| MessagePack.pack(key) + "\xc0".b }.join
        expect(unpacker.feed(wire).read).to eq(hash)
      end
    end

    ["de 00 01 01 02", "df 00 00 00 01 01 02"].each do |wire|
      it "reads #{wire}, longer than needed" do
        expect(read(wire)).to eq({ 1 => 2 })
      end
    end

    it "reads de 00 00 and df 00 00 00 00 as empty" do
      expect([read("de 00 00"), read("df 00 00 00 00")]).to eq([{}, {}])
    end

    it "keeps the order" do
      expect(read("83 a1 63 01 a1 61 02 a1 62 03").keys).to eq(%w[c a b])
    end

    it "keeps the last of equal keys, at the place of the first" do
      expect(read("83 a1 61 01 a1 62 02 a1 61 03").to_a).to eq([["a", 3], ["b", 2]])
    end

    it "takes str and bin for one key when both are ASCII" do
      expect(read("82 a1 61 01 c4 01 61 02")).to eq({ "a" => 2 })
    end

    it "takes str and bin for two keys when they are not" do
      expect(read("82 a2 c3 a9 01 c4 02 c3 a9 02").size).to eq(2)
    end

    it "takes each NaN for a key of its own" do
      expect(read("82 ca 7f c0 00 00 01 ca 7f c0 00 00 02").values).to eq([1, 2])
    end

    it "takes any object for a key" do
      expect(read("84 c0 01 91 02 03 81 04 05 06 cb 3f f0 00 00 00 00 00 00 07"))
        .to eq({ nil => 1, [2] => 3, { 4 => 5 } => 6, 1.0 => 7 })
    end

    it "does not freeze Arrays and Hashes that are keys" do
      expect(read("82 91 01 c0 81 01 02 c0").keys.map(&:frozen?)).to eq([false, false])
    end

    it "gives Hashes without a default" do
      hash = read("80")
      expect([hash.default, hash.default_proc, hash.compare_by_identity?]).to eq([nil, nil, false])
    end

    it "raises what the hash method of a key raises, when the pair is complete" do
      key = Class.new { def hash = raise(IOError, "mine") }
      unpacker.register_type(1) { key.new }
      unpacker.feed(hex("92 81 d4 01 61 05 06 07"))
      expect { unpacker.read }.to raise_error(IOError, "mine")
      expect(unpacker.read).to eq(6)
    end
  end

  describe "keys", :gc_stress do
    it "are the interned Strings" do
      key = read("81 a3 6b 65 79 01").keys.first
      expect(key).to equal(-"key")
    end

    it "are UTF-8 from str" do
      expect(read("81 a3 6b 65 79 01").keys.first.encoding).to eq(Encoding::UTF_8)
    end

    it "are binary from bin, and interned" do
      key = read("81 c4 01 ff 01").keys.first
      expect(key).to equal(-"\xff".b)
      expect(key.encoding).to eq(Encoding::BINARY)
    end

    it "are interned also when they are long" do
      name = "k" * 1000
      expect(unpacker.feed(hex("81 da 03 e8") + name + hex("01")).read.keys.first).to equal(-name)
    end

    it "are interned also when they come in pieces" do
      unpacker.feed(hex("81 a3 6b")).feed(hex("65")).feed(hex("79 01"))
      expect(unpacker.read.keys.first).to equal(-"key")
    end

    it "are ordinary values when read by hand" do
      unpacker = described_class.new(symbolize_keys: true).feed(hex("81 a1 61 01"))
      unpacker.read_map_header
      key = unpacker.read
      expect([key, key.frozen?]).to eq(["a", false])
    end

    it "may be any number", gc_stress: false do
      hash = Array.new(70_000) { |i| ["key #{i}", i] }.to_h
      wire = MessagePack.pack(hash)
      expect(unpacker.feed(wire).read).to eq(hash)
    end

    # 16 bytes and fewer is where a cache of keys would compare words: neighbours must not be mixed up.
    (0..40).each do |size|
      it "of #{size} bytes are told apart by each of their bytes" do
        names = Array.new(size) { |i| ("a" * size).tap { |name| name[i] = "b" } } << ("a" * size)
        hash = names.each_with_index.to_h
        expect(unpacker.feed(MessagePack.pack([hash, hash])).read).to eq([hash, hash])
      end
    end
  end

  describe "key_cache", :gc_stress do
    it "changes no result" do
      data = Array.new(50) { |i| { "same" => i, "key #{i % 7}" => 1, "é" => nil, "\xff".b => 2, "k" * 500 => 3 } }
      wire = MessagePack.pack(data)
      with = described_class.new(key_cache: true).feed(wire).read
      expect(with).to eq(data)
      expect(with.map { |hash| hash.keys.map(&:encoding) }).to eq(data.map { |hash| hash.keys.map(&:encoding) })
    end

    it "gives the interned Strings" do
      unpacker = described_class.new(key_cache: true).feed(hex("81 a3 6b 65 79 01") * 2)
      expect([unpacker.read.keys.first, unpacker.read.keys.first]).to all(equal(-"key"))
    end

    it "works with symbolize_keys" do
      unpacker = described_class.new(key_cache: true, symbolize_keys: true).feed(hex("81 a1 61 01") * 2)
      expect([unpacker.read, unpacker.read]).to eq([{ a: 1 }, { a: 1 }])
    end

    it "takes any number of keys", gc_stress: false do
      hash = Array.new(70_000) { |i| ["key #{i}", i] }.to_h
      expect(described_class.new(key_cache: true).feed(MessagePack.pack(hash)).read).to eq(hash)
    end

    it "has no reader" do
      expect(unpacker).not_to respond_to(:key_cache?)
    end
  end

  describe "symbolize_keys", :gc_stress do
    def symbols(wire)
      read(wire, symbolize_keys: true)
    end

    it "makes Symbols of str keys" do
      expect(symbols("81 a1 61 01")).to eq({ a: 1 })
    end

    it "makes Symbols of bin keys" do
      expect(symbols("81 c4 01 61 01")).to eq({ a: 1 })
    end

    it "makes UTF-8 Symbols" do
      key = symbols("81 a2 c3 a9 01").keys.first
      expect([key, key.encoding]).to eq([:é, Encoding::UTF_8])
    end

    it "makes binary Symbols of bin keys beyond ASCII" do
      key = symbols("81 c4 01 ff 01").keys.first
      expect([key, key.encoding]).to eq(["\xff".b.to_sym, Encoding::BINARY])
    end

    it "makes US-ASCII Symbols of ASCII" do
      expect(symbols("81 a1 61 01").keys.first.encoding).to eq(Encoding::US_ASCII)
    end

    it "makes the empty Symbol" do
      expect(symbols("81 a0 01")).to eq({ "": 1 })
    end

    it "leaves other keys alone" do
      expect(symbols("82 01 02 c0 03")).to eq({ 1 => 2, nil => 3 })
    end

    it "leaves values alone" do
      expect(symbols("81 a1 61 a1 62")).to eq({ a: "b" })
    end

    it "reaches maps inside arrays, maps and keys" do
      expect(symbols("81 81 a1 61 01 91 81 a1 62 02")).to eq({ { a: 1 } => [{ b: 2 }] })
    end

    it "takes keys that come in pieces" do
      unpacker = described_class.new(symbolize_keys: true)
      unpacker.feed(hex("81 a4 c3")).feed(hex("a9 c3 a9 01"))
      expect(unpacker.read).to eq({ éé: 1 })
    end

    it "takes long keys" do
      name = "k" * 1000
      unpacker = described_class.new(symbolize_keys: true)
      expect(unpacker.feed(hex("81 da 03 e8") + name + hex("01")).read).to eq({ name.to_sym => 1 })
    end

    it "refuses broken UTF-8" do
      expect { symbols("81 a1 ff 01") }.to raise_error(EncodingError, 'invalid symbol in encoding UTF-8 :"\xFF"')
    end

    it "forgets open containers after broken UTF-8, and goes on behind the key" do
      unpacker = described_class.new(symbolize_keys: true).feed(hex("92 82 a1 61 01 a1 ff 05 06"))
      expect { unpacker.read }.to raise_error(EncodingError)
      expect([unpacker.read, unpacker.read]).to eq([5, 6])
    end
  end

  describe "freeze", :gc_stress do
    def frozen(wire)
      read(wire, freeze: true)
    end

    it "freezes Arrays and Hashes at every depth, the empty ones too" do
      array = frozen("94 91 90 81 01 80 90 80")
      expect([array, array[0], array[0][0], array[1], array[1][1], array[2], array[3]]).to all(be_frozen)
    end

    it "freezes and interns str" do
      expect(frozen("a6 73 74 72 69 6e 67")).to equal(-"string")
    end

    it "freezes and interns bin" do
      expect(frozen("c4 01 ff")).to equal(-"\xff".b)
    end

    it "interns empty Strings" do
      expect([frozen("a0"), frozen("c4 00")]).to match([equal(-""), equal(-"".b)])
    end

    it "gives equal values one String" do
      first, second = frozen("92 a3 61 62 63 a3 61 62 63")
      expect(first).to equal(second)
    end

    it "interns long Strings" do
      value = described_class.new(freeze: true).feed(hex("da 03 e8") + ("x" * 1000)).read
      expect(value).to equal(-("x" * 1000))
    end

    it "freezes Strings that come in pieces" do
      value = described_class.new(freeze: true).feed(hex("a3 61")).feed(hex("62 63")).read
      expect(value).to eq("abc").and be_frozen
    end

    it "freezes Arrays and Hashes that are keys" do
      expect(frozen("82 91 01 c0 81 01 02 c0").keys).to all(be_frozen)
    end

    it "freezes an ExtensionValue, but not its payload" do
      value = read("d4 01 61", freeze: true, allow_unknown_ext: true)
      expect([value.frozen?, value.payload.frozen?]).to eq([true, false])
    end

    it "freezes what comes before and after a gap" do
      unpacker = described_class.new(freeze: true).feed(hex("92 91 01"))
      expect { unpacker.read }.to raise_error(EOFError)
      array = unpacker.feed(hex("91 02")).read
      expect([array, *array]).to all(be_frozen)
    end
  end

  describe "#full_unpack" do
    it "returns the object" do
      expect(unpacker.feed(hex("92 01 02")).full_unpack).to eq([1, 2])
    end

    it "refuses surplus bytes and keeps them" do
      unpacker.feed(hex("01 02 03"))
      expect { unpacker.full_unpack }
        .to raise_error(MessagePack::MalformedFormatError, "2 extra bytes after the deserialized object")
      expect([unpacker.read, unpacker.read]).to eq([2, 3])
    end

    it "counts surplus bytes however they were fed" do
      unpacker.feed(hex("01 02")).feed(hex("03")).feed("\x00" * 100_000)
      expect { unpacker.full_unpack }
        .to raise_error(MessagePack::MalformedFormatError, "100002 extra bytes after the deserialized object")
    end

    it "raises EOFError on a part of an object" do
      expect { unpacker.feed(hex("92 01")).full_unpack }.to raise_error(EOFError, "end of buffer reached")
    end
  end

  describe "#skip_nil" do
    it "consumes a nil" do
      unpacker.feed(hex("c0 01"))
      expect([unpacker.skip_nil, unpacker.read]).to eq([true, 1])
    end

    it "consumes nothing else" do
      unpacker.feed(hex("01"))
      expect([unpacker.skip_nil, unpacker.read]).to eq([false, 1])
    end

    it "does not consume a c1" do
      unpacker.feed(hex("c1"))
      expect(unpacker.skip_nil).to be(false)
      expect { unpacker.read }.to raise_error(MessagePack::MalformedFormatError)
    end

    it "raises EOFError when there is nothing" do
      expect { unpacker.skip_nil }.to raise_error(EOFError, "end of buffer reached")
    end

    it "asks the io" do
      unpacker = described_class.new(FakeIO::Chunks.new(hex("c0"), hex("01")))
      expect([unpacker.skip_nil, unpacker.skip_nil]).to eq([true, false])
    end
  end

  shared_examples "reading a header" do |method, heads, other|
    heads.merge(2**32 - 1 => heads.fetch(65_536).sub("00 01 00 00", "ff ff ff ff")).each do |count, head|
      it "reads #{head} as #{count}" do
        expect(unpacker.feed(hex(head)).public_send(method)).to eq(count)
      end
    end

    it "leaves what is behind the header" do
      unpacker.feed(hex(heads.fetch(1)) + hex("05"))
      unpacker.public_send(method)
      expect(unpacker.read).to eq(5)
    end

    ["01", "c0", "a1 61", "ff", "cd 01 00", "cb 3f f0 00 00 00 00 00 00", other].each do |wire|
      it "refuses #{wire}, and consumes nothing" do
        unpacker.feed(hex(wire) + hex("05"))
        expect { unpacker.public_send(method) }
          .to raise_error(MessagePack::UnexpectedTypeError, "unexpected type")
        unpacker.skip
        expect(unpacker.read).to eq(5)
      end
    end

    it "lets the right method read what it refused" do
      unpacker.feed(hex("a1 61"))
      expect { unpacker.public_send(method) }.to raise_error(MessagePack::UnexpectedTypeError)
      expect(unpacker.read).to eq("a")
    end

    it "refuses c1, and keeps it" do
      unpacker.feed(hex("c1 01"))
      expect { unpacker.public_send(method) }
        .to raise_error(MessagePack::UnexpectedTypeError, "unexpected type")
      expect { unpacker.read }.to raise_error(MessagePack::MalformedFormatError, "invalid byte")
      expect(unpacker.read).to eq(1)
    end

    it "raises EOFError when there is nothing" do
      expect { unpacker.public_send(method) }.to raise_error(EOFError, "end of buffer reached")
    end
  end

  describe("#read_array_header") { include_examples "reading a header", :read_array_header, Boundaries::ARRAY, "80" }
  describe("#read_map_header") { include_examples "reading a header", :read_map_header, Boundaries::MAP, "90" }

  describe "#read_map_header" do
    it "gives counts from 2**31 on as they are" do
      unpacker.feed(hex("df 80 00 00 01"))
      expect(unpacker.read_map_header).to eq(2**31 + 1)
    end
  end

  describe "errors", :gc_stress do
    it "have UnpackError above them" do
      errors = [MessagePack::MalformedFormatError, MessagePack::StackError, MessagePack::UnexpectedTypeError,
                MessagePack::UnknownExtTypeError]
      expect(errors.map(&:superclass)).to all(equal(MessagePack::UnpackError))
      expect(MessagePack::UnpackError.superclass).to equal(StandardError)
    end

    it "are a MessagePack::TypeError only for an unexpected type" do
      expect(MessagePack::TypeError).to be_instance_of(Module)
      expect(MessagePack::UnexpectedTypeError.include?(MessagePack::TypeError)).to be(true)
      expect(MessagePack::UnknownExtTypeError.include?(MessagePack::TypeError)).to be(false)
    end

    it "forget open containers at an invalid byte, and go on behind it" do
      unpacker.feed(hex("92 c1 01 02"))
      expect { unpacker.read }.to raise_error(MessagePack::MalformedFormatError, "invalid byte")
      expect([unpacker.read, unpacker.read]).to eq([1, 2])
    end

    it "forget open containers at the 129th level, and go on behind its head" do
      unpacker.feed(hex("#{'91' * 129} 05 06"))
      expect { unpacker.read }.to raise_error(MessagePack::StackError, "stack level too deep")
      expect([unpacker.read, unpacker.read]).to eq([5, 6])
    end

    {
      "invalid byte" => "92 01 c1",
      "too deep" => "91" * 129,
      "unknown ext" => "92 01 d4 05 61",
      "end of data" => "92 01"
    }.each do |name, wire|
      it "leave nothing behind after reset: #{name}" do
        unpacker.feed(hex(wire))
        expect { unpacker.read }.to raise_error(StandardError)
        unpacker.reset
        expect(unpacker.feed(hex("92 01 02")).read).to eq([1, 2])
      end
    end
  end

  describe "depth" do
    it "of 128 containers is read" do
      value = read("#{'91' * 128} c0")
      depth = 0
      depth += 1 while (value = value&.first)
      expect(depth).to eq(127)
    end

    it "counts no empty container" do
      expect { read("#{'91' * 128} 90") }.not_to raise_error
      expect { read("#{'91' * 128} 80") }.not_to raise_error
    end

    it "of 129 containers is refused" do
      expect { read("#{'91' * 129} c0") }.to raise_error(MessagePack::StackError)
    end

    it "counts maps, by key and by value" do
      expect { read("#{'81 c0' * 128} c0") }.not_to raise_error
      expect { read("#{'81 c0' * 129} c0") }.to raise_error(MessagePack::StackError)
      expect { read("#{'81' * 128} c0 #{'c0' * 128}") }.not_to raise_error
      expect { read("#{'81' * 129} c0 #{'c0' * 129}") }.to raise_error(MessagePack::StackError)
    end

    it "is counted anew for each object" do
      unpacker.feed(hex("#{'91' * 100} c0") * 3)
      expect { 3.times { unpacker.read } }.not_to raise_error
    end
  end

  describe "#reset" do
    it "drops what is buffered and returns nil" do
      expect(unpacker.feed(hex("01")).reset).to be_nil
      expect { unpacker.read }.to raise_error(EOFError)
    end

    it "drops a half-read object" do
      unpacker.feed(hex("92 01"))
      expect { unpacker.read }.to raise_error(EOFError)
      unpacker.reset
      expect(unpacker.feed(hex("02")).read).to eq(2)
    end

    it "drops a half-read header" do
      unpacker.feed(hex("dd 00 00"))
      expect { unpacker.read_array_header }.to raise_error(EOFError)
      unpacker.reset
      expect(unpacker.feed(hex("02")).read).to eq(2)
    end

    it "drops what skip began" do
      unpacker.feed(hex("92 01"))
      expect { unpacker.skip }.to raise_error(EOFError)
      unpacker.reset
      expect(unpacker.feed(hex("02")).read).to eq(2)
    end

    it "keeps io, options and types" do
      unpacker = described_class.new(FakeIO::Chunks.new(hex("01"), hex("81 a1 61 d4 01 62")), symbolize_keys: true)
      unpacker.register_type(1) { |payload| payload * 2 }
      unpacker.read
      unpacker.reset
      expect(unpacker.read).to eq({ a: "bb" })
    end
  end

  describe "#buffer" do
    it "is a Buffer, the same each time" do
      expect(unpacker.buffer).to be_instance_of(MessagePack::Buffer)
      expect(unpacker.buffer).to equal(unpacker.buffer)
    end

    it "shares its bytes with the unpacker" do
      unpacker.feed(hex("01 02"))
      expect(unpacker.buffer.read(1)).to be_bytes("01")
      unpacker.buffer << hex("03")
      expect([unpacker.read, unpacker.read]).to eq([2, 3])
    end
  end

  describe "#dup and #clone" do
    %i[dup clone].each do |name|
      it "#{name} does not exist" do
        expect(unpacker).not_to respond_to(name)
        expect { unpacker.public_send(name) }.to raise_error(NoMethodError)
      end
    end
  end

  describe "what it is not" do
    it "is not Enumerable" do
      expect(unpacker).not_to respond_to(:map)
    end

    it "does not show content" do
      expect(unpacker.feed("secret").inspect).to match(/\A#<MessagePack::Unpacker:0x\h+>\z/)
    end

    it "can not be marshalled" do
      expect { Marshal.dump(unpacker) }.to raise_error(TypeError, /no _dump_data is defined for class/)
    end
  end

  describe "a subclass" do
    it "can have an initialize of its own" do
      subclass = Class.new(described_class) do
        def initialize(name)
          @name = name
          super(symbolize_keys: true)
        end
      end
      expect(subclass.new("x").feed(hex("81 a1 61 01")).read).to eq({ a: 1 })
    end
  end
end
