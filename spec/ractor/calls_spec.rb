# frozen_string_literal: true

# Everything that is public, in a Ractor that is not the main one, with objects of its own.
RSpec.describe "MessagePack in a Ractor" do
  # What the block returns there.
  def off_main(*arguments, &block)
    Child.run { Ractors.run(*arguments, &block) }
  end

  values = [
    nil, true, false, 5, -5, 2**63, 1.5, "é", "b\xff".b, "x" * 70_000, [], [1, [2, nil]], {}, { "k" => [{ 1 => [] }], nil => false }
  ]

  describe ".pack" do
    it "gives the same bytes" do
      expect(off_main(values) { |copy| copy.map { |value| MessagePack.pack(value) } }).to eq(values.map { |value| MessagePack.pack(value) })
    end

    it "is dump as well" do
      expect(off_main { MessagePack.dump([1]) }).to be_bytes("91 01")
    end

    it "takes options" do
      expect(off_main { MessagePack.pack("b".b, compatibility_mode: true) }).to be_bytes("a1 62")
    end

    it "writes to an io" do
      result, written = off_main { StringIO.new(String.new).then { |io| [MessagePack.pack([1], io), io.string] } }
      expect(result).to be_nil
      expect(written).to be_bytes("91 01")
    end

    it "refuses what has no format" do
      expect(off_main { Ractors.error { MessagePack.pack([Object.new]) } }).to match([NoMethodError, /to_msgpack/])
    end

    it "refuses integers that are too big" do
      expect(off_main { [2**64, -(2**64)].map { |number| Ractors.error { MessagePack.pack(number) }[0] } }).to eq([RangeError, RangeError])
    end

    it "goes 1000 levels deep" do
      size = off_main do
        deep = []
        999.times { deep = [deep] }
        MessagePack.pack(deep).bytesize
      end
      expect(size).to eq(1000)
    end

    it "ends in SystemStackError for an endless object" do
      classes = off_main do
        array = []
        array << array
        hash = {}
        hash[1] = hash
        [array, hash].map { |endless| Ractors.error { MessagePack.pack(endless) }[0] } << MessagePack.pack(1)
      end
      expect(classes).to eq([SystemStackError, SystemStackError, hex("01")])
    end
  end

  describe ".unpack" do
    it "gives equal objects" do
      packed = values.map { |value| MessagePack.pack(value) }
      expect(off_main(packed) { |copy| copy.map { |data| MessagePack.unpack(data) } }).to eq(values)
    end

    it "is load as well" do
      expect(off_main { MessagePack.load("\x91\x01") }).to eq([1])
    end

    it "takes options" do
      result, frozen = off_main do
        hash = MessagePack.unpack("\x81\xa1a\x91\xa1b", symbolize_keys: true, freeze: true, key_cache: true)
        [hash, [hash, hash[:a], hash[:a][0]].map(&:frozen?)]
      end
      expect(result).to eq({ a: ["b"] })
      expect(frozen).to eq([true] * 3)
    end

    it "reads from an io" do
      expect(off_main { MessagePack.unpack(StringIO.new("\x91\x01")) }).to eq([1])
    end

    it "makes shareable objects with freeze: true" do
      data = MessagePack.pack({ "a" => ["b", { 1 => "c" }, nil, 2**64 - 1, 1.5] })
      shareable, result = off_main(data) { |copy| MessagePack.unpack(copy, freeze: true).then { |value| [Ractor.shareable?(value), value] } }
      expect(shareable).to be(true)
      expect(result).to eq({ "a" => ["b", { 1 => "c" }, nil, 2**64 - 1, 1.5] })
    end

    it "interns keys as in the main Ractor" do
      key = MessagePack.unpack(hex("81 a1 61 01")).keys[0]
      expect(off_main { MessagePack.unpack("\x81\xa1a\x01", key_cache: true).keys[0].then { |key| key.equal?(-"a") } }).to be(true)
      expect(key).to equal(-"a")
    end

    {
      "92 01" => [EOFError, "end of buffer reached"],
      "01 02" => [MessagePack::MalformedFormatError, "1 extra bytes after the deserialized object"],
      "c1" => [MessagePack::MalformedFormatError, "invalid byte"],
      "d4 01 61" => [MessagePack::UnknownExtTypeError, "unexpected extension type"],
      "91" * 129 => [MessagePack::StackError, "stack level too deep"]
    }.each do |data, error|
      it "raises #{error[0]} for #{data[0, 8]}" do
        expect(off_main(hex(data)) { |copy| Ractors.error { MessagePack.unpack(copy) } }).to eq(error)
      end
    end
  end

  describe "Packer.new" do
    it "gives a packer" do
      expect(off_main { MessagePack::Packer.new.write_array_header(2).write(1).write_true.to_s }).to be_bytes("92 01 c3")
    end

    it "gives a packer that takes types" do
      packed = off_main do
        packer = MessagePack::Packer.new
        suffix = "!"
        packer.register_type(1, Samples::Wrap) { |wrap| wrap.value + suffix }
        packer.write([Samples::Wrap.new("x")]).to_s
      end
      expect(packed).to be_bytes("91 d5 01 78 21")
    end

    it "gives a packer for an io" do
      expect(off_main { StringIO.new(String.new).tap { |io| MessagePack::Packer.new(io).write([1]).flush }.string }).to be_bytes("91 01")
    end
  end

  describe "Unpacker.new" do
    it "gives an unpacker, which takes its data as it comes" do
      data = MessagePack.pack([1, { "k" => nil }]) + MessagePack.pack("tail")
      objects = off_main(data) do |copy|
        unpacker = MessagePack::Unpacker.new
        copy.each_char.with_object([]) { |byte, all| unpacker.feed_each(byte) { |object| all << object } }
      end
      expect(objects).to eq([[1, { "k" => nil }], "tail"])
    end

    it "gives an unpacker that goes on after the end of its data" do
      first, second = off_main do
        unpacker = MessagePack::Unpacker.new.feed("\x92\x01")
        [Ractors.error { unpacker.read }, unpacker.feed("\x02").read]
      end
      expect(first).to eq([EOFError, "end of buffer reached"])
      expect(second).to eq([1, 2])
    end

    it "gives an unpacker that takes types" do
      object = off_main do
        unpacker = MessagePack::Unpacker.new
        prefix = "!"
        unpacker.register_type(1) { |data| prefix + data }
        unpacker.feed("\x91\xd4\x01a").read
      end
      expect(object).to eq(["!a"])
    end
  end

  describe "Buffer.new" do
    it "gives a buffer" do
      parts = off_main do
        buffer = MessagePack::Buffer.new
        buffer << "ab" << "cde"
        [buffer.size, buffer.read(3), buffer.read_all]
      end
      expect(parts).to eq([5, "abc", "de"])
    end
  end

  describe "Factory.new" do
    it "gives a factory with types whose callables belong to the Ractor" do
      result = off_main do
        mark = "m"
        factory = MessagePack::Factory.new
        factory.register_type(1, Samples::Wrap, packer: ->(wrap) { mark + wrap.value }, unpacker: ->(data) { Samples::Wrap.new(data[1..]) })
        factory.register_type(2, Samples::Tagged, recursive: true, packer: ->(_, packer) { packer.write([mark]) }, unpacker: ->(unpacker) { unpacker.read })
        factory.load(factory.dump([Samples::Wrap.new("x"), Samples::Tagged.new]))
      end
      expect(result).to eq([Samples::Wrap.new("x"), ["m"]])
    end

    it "gives a factory with Symbol and oversized integer types" do
      require "msgpack/bigint"
      result = off_main do
        factory = MessagePack::Factory.new
        factory.register_type(0, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)
        factory.register_type(3, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext),
                                          unpacker: MessagePack::Bigint.method(:from_msgpack_ext), oversized_integer_extension: true)
        factory.load(factory.dump([:sym, 2**80, -(2**80)]))
      end
      expect(result).to eq([:sym, 2**80, -(2**80)])
    end

    it "gives a factory that says what is registered" do
      types = off_main do
        factory = MessagePack::Factory.new
        factory.register_type(1, Samples::Wrap)
        [factory.registered_types.map { |entry| entry.values_at(:type, :class) }, factory.type_registered?(Samples::WrapChild), factory.dup.registered_types.size]
      end
      expect(types).to eq([[[1, Samples::Wrap]], true, 1])
    end

    it "gives a factory with a pool" do
      result = off_main do
        factory = MessagePack::Factory.new
        factory.register_type(1, Samples::Wrap)
        pool = factory.pool(2, symbolize_keys: true)
        [pool.load(pool.dump({ "a" => Samples::Wrap.new("p") })), pool.packer { |outer| pool.packer { |inner| outer.equal?(inner) } },
         pool.packer(&:object_id) == pool.packer(&:object_id)]
      end
      expect(result).to eq([{ a: Samples::Wrap.new("p") }, false, true])
    end

    # In a new process: in a forked one Ruby 3.3 hangs every other time.
    it "gives a factory with a pool for the Ractor's threads" do
      skip "threads of Ractors can hang Ruby 3.3 and 3.4, whatever they do" if RUBY_VERSION.match?(/\A3\.[34]\./)

      output = Child.ruby(<<~'RUBY', "-W0", "-r", File.join(__dir__, "../support/ractors"))
        require "msgpack"
        p(Ractors.run do
          pool = MessagePack::Factory.new.pool(2)
          Array.new(3) { |number| Thread.new { (1..50).map { pool.load(pool.dump([number])) }.uniq } }.map(&:value)
        end)
      RUBY
      expect(output).to eq("[[[0]], [[1]], [[2]]]\n")
    end
  end

  describe "a packed payload" do
    it "can be sent to a Ractor" do
      result = Child.run do
        ractor = Ractors.start { MessagePack.unpack(Ractor.receive) }
        ractor.send(MessagePack.pack({ "a" => [1, nil] }))
        Ractors.value(ractor)
      end
      expect(result).to eq({ "a" => [1, nil] })
    end

    it "can be moved to a Ractor, also a long one" do
      result = Child.run do
        ractor = Ractors.start { MessagePack.unpack(Ractor.receive).bytesize }
        ractor.send(MessagePack.pack("x" * 1_000_000), move: true)
        Ractors.value(ractor)
      end
      expect(result).to eq(1_000_000)
    end

    it "can be sent from a Ractor" do
      expect(MessagePack.unpack(off_main { MessagePack.pack({ "a" => [1, nil] }) })).to eq({ "a" => [1, nil] })
    end
  end

  describe "#to_msgpack" do
    { nil => "c0", true => "c3", false => "c2", 1 => "01", 1.5 => "cb 3f f8 00 00 00 00 00 00", "a" => "a1 61",
      :b => "a1 62", [1] => "91 01", { 1 => 2 } => "81 01 02" }.each do |object, bytes|
      it "works on #{object.inspect}" do
        packed, by_packer = off_main(object) { |copy| [copy.to_msgpack, copy.to_msgpack(MessagePack::Packer.new).to_s] }
        expect(packed).to be_bytes(bytes)
        expect(by_packer).to be_bytes(bytes)
      end
    end

    it "works on an ExtensionValue" do
      expect(off_main { MessagePack::ExtensionValue.new(1, "a").to_msgpack }).to be_bytes("d4 01 61")
    end
  end

  it "has Timestamp, Time, Bigint and the Symbol helpers" do
    require "msgpack/bigint"
    result = off_main do
      factory = MessagePack::Factory.new
      factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
      [MessagePack::Timestamp.to_msgpack_ext(1, 0), MessagePack::Timestamp.from_msgpack_ext("\0\0\0\5").sec, factory.load(factory.dump(Time.at(7, 5, :nsec))),
       MessagePack::Bigint.from_msgpack_ext(MessagePack::Bigint.to_msgpack_ext(2**70)), Symbol.from_msgpack_ext(:é.to_msgpack_ext.dup)]
    end
    expect(result).to eq([hex("00 00 00 01"), 5, Time.at(7, 5, :nsec), 2**70, :é])
  end

  it "can read every constant" do
    require "msgpack/bigint"
    unreadable = off_main do
      modules = [MessagePack]
      refused = []
      while (owner = modules.shift)
        owner.constants(false).each do |name|
          value = owner.const_get(name)
          modules << value if value.is_a?(Module) && value.name.start_with?("MessagePack::")
        rescue Ractor::IsolationError
          refused << "#{owner}::#{name}"
        end
      end
      refused
    end
    expect(unreadable).to eq([])
  end

  it "works in four Ractors at once, with garbage collections", :slow do
    wrong = Child.run(120) do
      Ractors.run_many(4) do |number|
        value = { "id" => number, "body" => number.to_s * 700, "list" => Array.new(30) { |index| number * 1000 + index }, "deep" => [[nil, 1.5]] }
        (1..1000).count do |round|
          GC.start if (round % 250).zero?
          MessagePack.unpack(MessagePack.pack(value)) != value
        end
      end
    end
    expect(wrong).to eq([0] * 4)
  end
end
