# frozen_string_literal: true

# Data and callbacks that mean harm: claims without the data, endless depth, any bytes at all, and objects
# that change under the packer's hands. The last part has one example for each report of such a defect in
# this or another library, named after it: msgpack-ruby#368 is an issue of github.com/msgpack/msgpack-ruby.
RSpec.describe "hostile input", gc_stress: false do
  mebibyte = 2**20

  # What a hostile claim may cost: far below the smallest of them, far above what the data justifies.
  let(:memory) { 256 * mebibyte }

  # Outcome of the block as something that can be compared: its value or the class of what it raised.
  def outcome
    yield
  rescue StandardError, SystemStackError, NoMemoryError => e
    e.class
  end

  # The same without the value: nil when nothing was raised.
  def error
    yield
    nil
  rescue StandardError, SystemStackError, NoMemoryError => e
    e.class
  end

  # `depth` arrays of one element around nil.
  def nested(depth)
    hex("91" * depth + "c0")
  end

  # `depth` extensions of type 1 inside each other.
  def nested_ext(depth)
    depth.times.inject("\xc0".b) { |wire, _| [0xc9, wire.bytesize, 1].pack("CNc") + wire }
  end

  # A factory whose ext type 1 is recursive and reads one object.
  def recursive_factory(unpacker = :read.to_proc)
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(1, Range, packer: nil, unpacker: ->(inner) { unpacker.call(inner) }, recursive: true)
    end
  end

  def object_with_to_msgpack(&body)
    Object.new.tap { |object| object.define_singleton_method(:to_msgpack, &body) }
  end

  # Everything that reading may raise, whatever the bytes.
  def reading_errors
    [EOFError, EncodingError, MessagePack::MalformedFormatError, MessagePack::StackError,
     MessagePack::UnknownExtTypeError]
  end

  describe "a claim of 4 GiB with three bytes behind it" do
    { "str" => "db", "bin" => "c6", "ext" => "c9", "array" => "dd", "map" => "df" }.each do |name, marker|
      it "is the end of the data: #{name}" do
        wire = hex("#{marker} ff ff ff ff 01 02 03")
        expect(in_child(memory: memory) { outcome { MessagePack.unpack(wire) } }).to eq(EOFError)
      end

      it "is the end of the data for skip: #{name}" do
        wire = hex("#{marker} ff ff ff ff 01 02 03")
        expect(in_child(memory: memory) { outcome { MessagePack::Unpacker.new.feed(wire).skip } }).to eq(EOFError)
      end

      it "leaves each without an object: #{name}" do
        wire = hex("#{marker} ff ff ff ff 01 02 03")
        yielded = in_child(memory: memory) { MessagePack::Unpacker.new.feed(wire).each { raise "yielded" } }
        expect(yielded).to be_nil
      end
    end

    it "is the end of the data for a known ext type" do
      wire = hex("c9 ff ff ff ff 01 02 03")
      result = in_child(memory: memory) do
        outcome { MessagePack::Unpacker.new.tap { |unpacker| unpacker.register_type(1) { raise } }.feed(wire).read }
      end
      expect(result).to eq(EOFError)
    end

    it "is the end of the data for a recursive ext type" do
      wire = hex("c9 ff ff ff ff 01 02 03")
      expect(in_child(memory: memory) { outcome { recursive_factory.unpacker.feed(wire).read } }).to eq(EOFError)
    end

    it "is the end of the data as a key" do
      wire = hex("81 db ff ff ff ff 61")
      result = in_child(memory: memory) { outcome { MessagePack.unpack(wire, symbolize_keys: true) } }
      expect(result).to eq(EOFError)
    end
  end

  describe "a claim of 4 GiB over an io" do
    { "str" => "db ff ff ff ff", "bin" => "c6 ff ff ff ff", "ext" => "c9 ff ff ff ff 05" }.each do |name, head|
      it "is read in pieces of io_buffer_size at most: #{name}" do
        result = in_child(memory: memory) do
          io = FakeIO::Chunks.new(hex(head), *(["x" * 32_768] * 100))
          [outcome { MessagePack.load(io) }, io.sizes.max]
        end
        expect(result).to eq([EOFError, 32_768])
      end
    end

    it "is read in pieces of io_buffer_size at most: recursive ext" do
      result = in_child(memory: memory) do
        io = FakeIO::Chunks.new(hex("c9 ff ff ff ff 01"), *(["x" * 32_768] * 100))
        [outcome { recursive_factory.unpacker(io).read }, io.sizes.max]
      end
      expect(result).to eq([EOFError, 32_768])
    end
  end

  describe "claims inside claims" do
    { "array 32" => "dd ff ff ff ff", "map 32" => "df ff ff ff ff", "array 16" => "dc ff ff", "map 16" => "de ff ff" }
      .each do |name, head|
        it "cost no more than the data: 128 times #{name}" do
          wire = hex(head * 128)
          expect(in_child(memory: memory) { outcome { MessagePack.unpack(wire) } }).to eq(EOFError)
        end

        it "cost no more in a hundred unpackers at once: #{name}" do
          wire = hex(head * 128)
          result = in_child(memory: memory) do
            unpackers = Array.new(100) { MessagePack::Unpacker.new.feed(wire) }
            unpackers.map { |unpacker| outcome { unpacker.read } }.uniq
          end
          expect(result).to eq([EOFError])
        end
      end
  end

  describe "counts whose double does not fit 32 bits" do
    ["df 80 00 00 00", "df 80 00 00 01", "df ff ff ff ff"].each do |head|
      it "are not cut: #{head} and a few pairs" do
        wire = hex(head) + ("\x01" * 1000)
        expect(in_child(memory: memory) { outcome { MessagePack.unpack(wire) } }).to eq(EOFError)
      end
    end

    it "come out of read_map_header as they are" do
      unpacker = MessagePack::Unpacker.new.feed(hex("df 80 00 00 01"))
      expect(unpacker.read_map_header).to eq(0x8000_0001)
    end
  end

  describe "depth" do
    stacks = {
      "the main thread" => ->(&body) { body.call },
      "a Thread" => ->(&body) { Thread.new(&body).value },
      "a Fiber" => ->(&body) { Fiber.new(&body).resume }
    }

    stacks.each do |name, run|
      it "of 20000 arrays is refused on #{name}" do
        wire = nested(20_000)
        expect(run.call { outcome { MessagePack.unpack(wire) } }).to eq(MessagePack::StackError)
      end

      it "of 20000 arrays is refused by skip on #{name}" do
        wire = nested(20_000)
        expect(run.call { outcome { MessagePack::Unpacker.new.feed(wire).skip } }).to eq(MessagePack::StackError)
      end

      it "of 128 arrays is read on #{name}" do
        wire = nested(128)
        expect(run.call { outcome { MessagePack.unpack(wire).flatten } }).to eq([nil])
      end

      it "of 20000 recursive exts is refused on #{name}" do
        wire = nested_ext(20_000)
        result = in_child { run.call { outcome { recursive_factory.unpacker.feed(wire).read } } }
        expect(result).to eq(MessagePack::StackError)
      end

      it "of 128 recursive exts is read on #{name}" do
        wire = nested_ext(128)
        expect(in_child { run.call { outcome { recursive_factory.unpacker.feed(wire).read } } }).to be_nil
      end

      it "of 1000 arrays and hashes is packed on #{name}" do
        object = 500.times.inject(nil) { |inner, _| [{ 1 => inner }] }
        expect(in_child { run.call { outcome { MessagePack.pack(object).bytesize } } }).to eq(500 * 3 + 1)
      end

      it "without end is a SystemStackError on #{name}, and the packer works on" do
        result = in_child do
          run.call do
            cycle = []
            cycle << cycle
            packer = MessagePack::Packer.new
            error = outcome { packer.write(cycle) }
            packer.reset
            [error, packer.write(1).to_s]
          end
        end
        expect(result).to eq([SystemStackError, "\x01".b])
      end

      it "without end through hashes is a SystemStackError on #{name}" do
        result = in_child do
          run.call do
            cycle = {}
            cycle[1] = cycle
            outcome { MessagePack.pack(cycle) }
          end
        end
        expect(result).to eq(SystemStackError)
      end

      it "without end through to_msgpack is a SystemStackError on #{name}" do
        result = in_child do
          run.call do
            object = object_with_to_msgpack { |packer| packer.write([self]) }
            outcome { MessagePack.pack(object) }
          end
        end
        expect(result).to eq(SystemStackError)
      end

      it "without end through recursive packers is a SystemStackError on #{name}" do
        result = in_child do
          run.call do
            factory = MessagePack::Factory.new
            factory.register_type(1, Range, packer: ->(range, packer) { packer.write(range) }, recursive: true)
            outcome { factory.dump(1..2) }
          end
        end
        expect(result).to eq(SystemStackError)
      end
    end

    it "of 10000 arrays and hashes is packed on the main thread" do
      object = 5000.times.inject(nil) { |inner, _| [{ 1 => inner }] }
      expect(in_child { MessagePack.pack(object).bytesize }).to eq(5000 * 3 + 1)
    end
  end

  describe "any bytes" do
    option_sets = [
      {}, { symbolize_keys: true }, { freeze: true }, { allow_unknown_ext: true }, { key_cache: true },
      { symbolize_keys: true, freeze: true, allow_unknown_ext: true, key_cache: true }
    ]

    # Random bytes have few containers and many surplus bytes: half of them are drawn from short heads.
    def random_wire(random)
      heads = hex("80 81 82 90 91 92 93 a0 a1 a2 c4 c5 c7 c8 ca cb cc cd d4 d5 d6 d9 da dc dd de df c0 01").bytes
      Array.new(random.rand(1..60)) { random.rand(2).zero? ? random.rand(256) : heads.sample(random: random) }.pack("C*")
    end

    it "of length one and two end in a value or one of the errors" do
      wires = Array.new(256) { |a| [a].pack("C") } + Array.new(65_536) { |n| [n].pack("n") }
      outcomes = wires.map { |wire| error { MessagePack.unpack(wire) } }
      expect(outcomes.uniq.compact - reading_errors).to eq([])
    end

    option_sets.each do |options|
      it "end in a value or one of the errors, with #{options}" do
        random = Random.new(RSpec.configuration.seed)
        outcomes = Array.new(5000) do
          wire = random_wire(random)
          error { MessagePack.unpack(wire, **options) }
        end
        expect(outcomes.uniq.compact - reading_errors).to eq([])
      end

      it "give the same in one piece, in pieces and over an io, with #{options}" do
        random = Random.new(RSpec.configuration.seed)
        500.times do
          wire = random_wire(random)
          cut = random.rand(wire.bytesize + 1)
          whole = objects(MessagePack::Unpacker.new(options).feed(wire))
          pieces = MessagePack::Unpacker.new(options).feed(wire.byteslice(0, cut))
          first = objects(pieces)
          halves = first.last == :end ? first[0..-2] + objects(pieces.feed(wire.byteslice(cut..))) : first
          expect(halves.inspect).to eq(whole.inspect)
          io = FakeIO::Chunks.new(*wire.each_char.to_a)
          expect(objects(MessagePack::Unpacker.new(io, options)).inspect).to eq(whole.inspect)
        end
      end
    end

    # All objects up to the first error, then that error's class, or :end.
    def objects(unpacker)
      all = []
      loop { all << unpacker.read }
    rescue EOFError
      all << :end
    rescue *reading_errors => e
      all << e.class
    end

    it "are skipped as far as they are read" do
      random = Random.new(RSpec.configuration.seed)
      2000.times do
        wire = random_wire(random)
        reader = MessagePack::Unpacker.new(allow_unknown_ext: true).feed(wire)
        skipper = MessagePack::Unpacker.new.feed(wire)
        read = error { reader.read }
        expect(outcome { skipper.skip }).to eq(read)
        expect(skipper.buffer.size).to eq(reader.buffer.size) if read.nil?
      end
    end

    it "changed in one place end in a value or one of the errors" do
      random = Random.new(RSpec.configuration.seed)
      seed = MessagePack.pack([{ "key" => [1, 2.5, nil, "é" * 20] }, "x" * 300, -70_000, { 1 => { "a" => "b".b } }])
      outcomes = Array.new(5000) do
        wire = seed.dup
        wire.setbyte(random.rand(wire.bytesize), random.rand(256))
        error { MessagePack.unpack(wire, symbolize_keys: true) }
      end
      expect(outcomes.uniq.compact - reading_errors).to eq([])
    end
  end

  describe "two threads in one object" do
    it "do not crash an unpacker" do
      result = in_child do
        reader, writer = IO.pipe
        unpacker = MessagePack::Unpacker.new(reader)
        threads = Array.new(4) { Thread.new { 500.times { outcome { unpacker.read } } } }
        writer.write(MessagePack.pack([1, "x" * 50, { "a" => [nil] }]) * 2000)
        writer.close
        threads.each(&:join)
        :alive
      end
      expect(result).to eq(:alive)
    end

    it "do not crash a packer" do
      result = in_child do
        packer = MessagePack::Packer.new
        object = object_with_to_msgpack { |pk| Thread.pass || pk.write("y" * 100) }
        threads = Array.new(4) { Thread.new { 500.times { packer.write([1, object, "x" * 1000]) && packer.reset } } }
        threads.each(&:join)
        :alive
      end
      expect(result).to eq(:alive)
    end
  end

  describe "reports of" do
    it "CVE-2026-54522, dradis#1640, fizzy#2953: a cleared buffer shows nothing of what others write" do
      buffers = Array.new(20) { MessagePack::Buffer.new << "secret " * 10 << "secret " * 2000 }
      buffers.each(&:clear)
      others = Array.new(20) { |i| MessagePack::Buffer.new << "other #{i} " * 10 }
      expect(buffers.map { |buffer| [buffer.size, buffer.to_s, buffer.read, buffer.read(10), buffer.to_a] })
        .to all(eq([0, "", "", nil, [""]]))
      buffers.each { |buffer| buffer << "new" }
      expect(buffers.map(&:read)).to all(eq("new"))
      expect(others.map.with_index { |buffer, i| buffer.to_s == "other #{i} " * 10 }).to all(be(true))
    end

    it "msgpack-ruby#399, cbor-ruby#35: two buffers do not exchange content" do
      long = "L".b * 600_000
      pairs = Array.new(50) do
        first = MessagePack::Buffer.new << "a" * 100 << long << "b" * 100
        first.skip(100)
        first.skip(long.bytesize)
        second = MessagePack::Buffer.new << "z" * 4000
        first << "c" * 100
        [first.read, second.read]
      end
      expect(pairs.uniq).to eq([["#{'b' * 100}#{'c' * 100}", "z" * 4000]])
    end

    it "msgpack-ruby#309, #327, #328: later output does not overwrite earlier output" do
      packer = MessagePack::Packer.new
      collect = object_with_to_msgpack { |pk| GC.start && nil || pk.write("gc") }
      expected = +"".b
      200.times do |i|
        text = "#{i}:" * (i + 1)
        packer.write(text)
        expected << MessagePack.pack(text)
        (packer.write(collect) && expected << hex("a2 67 63")) if (i % 40).zero?
      end
      expect(packer.to_s).to eq(expected)
    end

    it "msgpack-ruby#341, #349: a recursive packer with more than 512 KiB in the buffer survives GC" do
      factory = MessagePack::Factory.new
      pack = lambda do |range, packer|
        packer.write(range.begin * 600_000)
        GC.start
        packer.write(range.end * 600_000)
      end
      unpack = ->(unpacker) { unpacker.read[0]..unpacker.read[0] }
      factory.register_type(1, Range, packer: pack, unpacker: unpack, recursive: true)
      objects = ["x" * 600_000, "a".."b", ["c".."d"]]
      expect(factory.load(factory.dump(objects))).to eq(objects)
    end

    it "msgpack-ruby#307, #314, #319: a view outlives its packer, and GC may run while a buffer is made" do
      views = Array.new(50) { |i| MessagePack::Packer.new.write("#{i}" * 300).buffer }
      GC.start
      made = begin
        GC.stress = true
        Array.new(3) { MessagePack::Buffer.new(StringIO.new) << "abc" }
      ensure
        GC.stress = false
      end
      expect(views.map.with_index { |view, i| view.to_s == MessagePack.pack("#{i}" * 300) }).to all(be(true))
      expect(made.map(&:to_s)).to all(eq("abc"))
    end

    it "msgpack-ruby#133, #135, #150, #151: objects are valid from allocation on, and arguments are checked" do
      classes = [MessagePack::Packer, MessagePack::Unpacker, MessagePack::Buffer, MessagePack::Factory]
      allocated = classes.flat_map { |klass| Array.new(20) { klass.allocate } }
      GC.start
      expect(allocated.map(&:inspect)).to all(match(/\A#<MessagePack::/))
      expect { MessagePack::Packer.new.write_array(1) }.to raise_error(TypeError)
      expect(MessagePack::DefaultFactory.dump(1)).to be_bytes("01")
    end

    it "msgpack-ruby#4, msgpack#91, msgpack-ruby#36: very large messages, and frozen keys" do
      object = { "key".freeze => "x" * (8 * mebibyte), 1 => Array.new(300_000) { |i| i }, 2 => ["y".b * mebibyte] * 3 }
      expect(MessagePack.unpack(MessagePack.pack(object)) == object).to be(true)
    end

    it "msgpack-ruby#391: a map of 2**31 + 1 pairs is not a map of one" do
      expect { MessagePack.unpack(hex("df 80 00 00 01 01 02")) }.to raise_error(EOFError)
    end

    it "msgpack-java#1014: nor is it for skip" do
      unpacker = MessagePack::Unpacker.new.feed(hex("df 80 00 00 01 01 02"))
      expect { unpacker.skip }.to raise_error(EOFError)
    end

    it "msgpack-ruby#388, #389: five bytes make no String of 4 GB" do
      expect(in_child(memory: memory) { outcome { MessagePack.unpack(hex("db ff ff ff ff")) } }).to eq(EOFError)
    end

    it "msgpack-ruby#368: five bytes make no Hash of 8 GB" do
      expect(in_child(memory: memory) { outcome { MessagePack.unpack(hex("df ff ff ff ff")) } }).to eq(EOFError)
    end

    it "msgpackr#200: 72 KB of nested array headers make no 1.4 GB" do
      wire = hex("dc ff ff" * 24_000)
      expect(in_child(memory: memory) { outcome { MessagePack.unpack(wire) } }).to eq(MessagePack::StackError)
    end

    it "RUSTSEC-2017-0006, rmp#151, #221, #191: five bytes reserve nothing" do
      wires = %w[c6 c9 dd].map { |marker| hex("#{marker} ff ff ff ff") }
      result = in_child(memory: memory) { wires.map { |wire| outcome { MessagePack.unpack(wire) } } }
      expect(result).to eq([EOFError] * 3)
    end

    it "rmp#52, #281, #276, ormsgpack#2, relay#6212, msgpack-java#1015, #1026: depth is limited" do
      wires = ["91" * 2000, "81" * 2000, "81 c0" * 2000, "dc 00 01" * 2000, "92 01" * 2000].map { |text| hex(text) }
      expect(in_child { wires.map { |wire| outcome { MessagePack.unpack(wire) } } }).to eq([MessagePack::StackError] * 5)
    end

    it "cbor-ruby#11, cose-ruby#39: random bytes are no NoMemoryError" do
      seed = RSpec.configuration.seed
      result = in_child(memory: memory) do
        random = Random.new(seed)
        Array.new(20_000) { error { MessagePack.unpack(random.bytes(12)) } }.uniq
      end
      expect(result.compact - reading_errors).to eq([])
    end

    it "msgpack-python#695, #704: a proc may feed its own unpacker" do
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1) { |payload| unpacker.feed("\x01" * 10_000) && payload }
      unpacker.feed(hex("93 d4 01 61 d4 01 62") + MessagePack.pack("x" * 3000))
      expect(unpacker.read).to eq(["a", "b", "x" * 3000])
      expect(unpacker.buffer.size).to eq(20_000)
    end

    it "msgpack-python#733: what a callback took of the packer's buffer stays as it was" do
      taken = nil
      packer = MessagePack::Packer.new
      packer.write("a" * 1000)
      packer.write(object_with_to_msgpack { |pk| (taken = [pk.buffer.to_s, pk.to_a.join]) && pk.write("b" * 100_000) })
      expect(taken).to eq([hex("da 03 e8") + ("a" * 1000)] * 2)
    end

    it "GHSA-6v7p-g79w-8964: an unpacker can be used again after any error" do
      wires = ["c1", "92 c1", "d4 09 61", "92 81 d4 09 61", "91" * 129, "81 a1 ff", "92 d4 01 61", "92", "da"]
      unpacker = MessagePack::Unpacker.new(symbolize_keys: true)
      unpacker.register_type(1) { raise IOError }
      wires.each do |wire|
        unpacker.feed(hex(wire))
        expect { unpacker.read }.to raise_error(StandardError)
        unpacker.reset
        expect(unpacker.feed(hex("82 a1 61 92 01 02 a1 62 c0")).read).to eq({ a: [1, 2], b: nil })
      end
    end

    it "msgpack-python#727: skip raises what read raises on deep data" do
      [nested(129), hex("81" * 129), hex("91 c1"), hex("91")].each do |wire|
        read = outcome { MessagePack::Unpacker.new.feed(wire).read }
        expect(outcome { MessagePack::Unpacker.new.feed(wire).skip }).to eq(read)
      end
    end

    it "bson-ruby#371: an array may change while it is packed" do
      [:clear, :pop, :shift, ->(array) { array.replace([9] * 1000) }].each do |change|
        array = Array.new(50, &:itself)
        array[10] = object_with_to_msgpack { |packer| change.to_proc.call(array) && GC.start && nil || packer.write(nil) }
        packed = MessagePack.unpack(MessagePack.pack(array))
        expect([packed.size, packed[0, 10]]).to eq([50, (0..9).to_a])
      end
    end

    it "bson-ruby#371: a hash may change while it is packed" do
      [:clear, :shift, ->(hash) { hash.delete(40) }, ->(hash) { hash[99] = 1 }].each do |change|
        hash = Array.new(50) { |i| [i, i] }.to_h
        hash[10] = object_with_to_msgpack { |packer| packer.write(nil) && change.to_proc.call(hash) && GC.start }
        packed = outcome { MessagePack.unpack(MessagePack.pack(hash)) }
        expect(packed.is_a?(Hash) ? packed.size : packed).to eq(50).or eq(RuntimeError)
      end
    end

    it "ruby/ruby#18838: a block may clear the String that is being read" do
      source = MessagePack.pack("x" * 1000) * 20
      yielded = []
      MessagePack::Unpacker.new.feed_each(source) do |object|
        source.clear
        GC.start
        yielded << object
      end
      expect(yielded).to eq(["x" * 1000] * 20)
    end

    it "json#251, #574, #659: an exception of to_msgpack leaks nothing", :slow do
      result = in_child(memory: memory) do
        failing = object_with_to_msgpack { |_| raise IOError }
        Array.new(1000) do |i|
          GC.start if (i % 50).zero?
          outcome { MessagePack.pack(["x" * 500_000, "y" * 500_000, failing]) }
        end.uniq
      end
      expect(result).to eq([IOError])
    end

    it "json#251, #574, #659: nor does one of an ext proc", :slow do
      wire = hex("93") + MessagePack.pack("x" * 500_000) + MessagePack.pack("y" * 500_000) + hex("d4 01 61")
      result = in_child(memory: memory) do
        factory = MessagePack::Factory.new
        factory.register_type(1, Range, packer: nil, unpacker: ->(_) { raise IOError })
        Array.new(1000) do |i|
          GC.start if (i % 50).zero?
          outcome { factory.load(wire) }
        end.uniq
      end
      expect(result).to eq([IOError])
    end

    it "json#929, #930: nothing is collected while it is in use" do
      object = { "key" => ["value", { "inner" => ["x" * 50, 2**70 - 2**70, 1.5] }], "other" => "é" }
      result = begin
        GC.stress = true
        MessagePack.unpack(MessagePack.pack(object))
      ensure
        GC.stress = false
      end
      expect(result).to eq(object)
    end

    it "oj#699, #745, #838, redcarpet#806: objects may move between any two calls" do
      skip("this Ruby can not move objects") unless GC.respond_to?(:compact)

      factory = MessagePack::Factory.new
      factory.register_type(1, Symbol)
      packer = factory.packer
      unpacker = factory.unpacker.feed(hex("93") + MessagePack.pack({ "key" * 10 => "v" * 100 }))
      pool = factory.pool(2)
      expect { unpacker.read }.to raise_error(EOFError)
      packer.write(["x" * 600_000, :before])
      GC.compact
      packer.write(:after)
      unpacker.feed(hex("d4 01 61 05"))
      expect(unpacker.read).to eq([{ "key" * 10 => "v" * 100 }, :a, 5])
      expect(factory.unpacker.feed(packer.to_s).each.to_a).to eq([["x" * 600_000, :before], :after])
      expect(pool.load(pool.dump(:pooled))).to eq(:pooled)
    end

    it "cbor-ruby#12: an ext of 8 bytes comes back, whole or in pieces" do
      wire = hex("d7 05 01 02 03 04 05 06 07 08")
      value = MessagePack::ExtensionValue.new(5, hex("01 02 03 04 05 06 07 08"))
      unpacker = MessagePack::Unpacker.new(allow_unknown_ext: true)
      yielded = []
      wire.each_char { |byte| unpacker.feed_each(byte) { |object| yielded << object } }
      expect([MessagePack.pack(value), yielded]).to eq([wire, [value]])
    end

    it "msgpack-ruby#388: streams of any bytes with every option" do
      seed = RSpec.configuration.seed
      result = in_child(memory: memory) do
        random = Random.new(seed)
        Array.new(500) do
          options = %i[symbolize_keys freeze allow_unknown_ext key_cache].to_h { |name| [name, random.rand(2).zero?] }
          unpacker = MessagePack::Unpacker.new(options)
          Array.new(10) { outcome { unpacker.feed_each(random.bytes(random.rand(20))) { |object| object } } }
        end.flatten.uniq
      end
      expect(result.compact - reading_errors).to eq([])
    end
  end

  # Maps that are copied first and then walked take most of the machine stack.
  describe "packing a Hash within itself" do
    { "a big Integer" => 2**64 - 1, "a Symbol made at run time" => "made #{Process.pid}".to_sym, "an object" => Samples::Wrap.new(1) }.each do |what, first|
      [2, 40].each do |size|
        it "is refused on every kind of stack, with #{what} before and #{size} entries" do
          stacks = Child.run(60) do
            MessagePack::DefaultFactory.register_type(9, Samples::Wrap, packer: ->(_) { "" })
            cycle = { 0 => first }
            size.times { |i| cycle[i + 1] = i }
            cycle["again"] = cycle
            pack = lambda do
              MessagePack.pack(cycle)
            rescue SystemStackError => e
              e.class.name
            end
            [pack.call, Thread.new(&pack).value, Fiber.new(&pack).resume]
          end
          expect(stacks).to eq(["SystemStackError"] * 3)
        end
      end
    end
  end
end
