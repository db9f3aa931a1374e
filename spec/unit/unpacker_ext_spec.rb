# frozen_string_literal: true

# Extension types on the reading side: ExtensionValue, procs, recursive procs.
RSpec.describe MessagePack::Unpacker, :gc_stress do
  subject(:unpacker) { described_class.new }

  # An unpacker whose one ext type, id 1, is recursive.
  def recursive(options = {}, &unpacker_proc)
    factory = MessagePack::Factory.new
    factory.register_type(1, Range, packer: nil, unpacker: unpacker_proc, recursive: true)
    factory.unpacker(options)
  end

  def raise_end_of_buffer
    raise_error(EOFError, "end of buffer reached")
  end

  def raise_end_of_payload
    raise_error(MessagePack::MalformedFormatError, "unexpected end of the ext payload")
  end

  def raise_extra_bytes(count)
    raise_error(MessagePack::MalformedFormatError, "#{count} extra bytes after the deserialized object")
  end

  def raise_inside_own_proc
    raise_error(MessagePack::UnpackError, "cannot read from an unpacker inside its own ext proc")
  end

  describe "an ext type that is not registered" do
    it "is refused" do
      expect { unpacker.feed(hex("d4 05 61")).read }
        .to raise_error(MessagePack::UnknownExtTypeError, "unexpected extension type")
    end

    it "is dropped with its payload and the containers around it" do
      unpacker.feed(hex("92 d4 01 61 05"))
      expect { unpacker.read }.to raise_error(MessagePack::UnknownExtTypeError)
      expect(unpacker.read).to eq(5)
    end

    it "is end of data until its payload is complete" do
      unpacker.feed(hex("c7 03 05 61 62"))
      expect { unpacker.read }.to raise_end_of_buffer
      expect { unpacker.feed(hex("63")).read }.to raise_error(MessagePack::UnknownExtTypeError)
    end
  end

  describe "allow_unknown_ext" do
    subject(:unpacker) { described_class.new(allow_unknown_ext: true) }

    Boundaries::EXT.each do |size, head|
      it "gives an ExtensionValue for #{size} bytes behind #{head}" do
        value = unpacker.feed(hex(head) + ("x" * size)).read
        expect(value).to eq(MessagePack::ExtensionValue.new(5, "x" * size))
      end
    end

    Boundaries::EXT_IDS.each do |id, byte|
      it "gives type #{id} for #{byte}" do
        expect(unpacker.feed(hex("d4 #{byte} 61")).read.type).to eq(id)
      end
    end

    ["c7 01 05 61", "c8 00 01 05 61", "c9 00 00 00 01 05 61"].each do |wire|
      it "reads #{wire}, longer than needed" do
        expect(unpacker.feed(hex(wire)).read).to eq(MessagePack::ExtensionValue.new(5, "a"))
      end
    end

    it "gives a binary payload of its own, not frozen" do
      payload = unpacker.feed(hex("d4 05 61")).read.payload
      expect([payload.encoding, payload.frozen?]).to eq([Encoding::BINARY, false])
    end

    it "still calls registered procs" do
      unpacker.register_type(5) { |payload| payload * 2 }
      expect(unpacker.feed(hex("d4 05 61")).read).to eq("aa")
    end

    it "allows an ExtensionValue as key" do
      expect(unpacker.feed(hex("81 d4 05 61 01")).read).to eq({ MessagePack::ExtensionValue.new(5, "a") => 1 })
    end
  end

  describe "#register_type" do
    it "returns nil" do
      expect(unpacker.register_type(1) { nil }).to be_nil
    end

    it "takes a block" do
      unpacker.register_type(1) { |payload| [payload] }
      expect(unpacker.feed(hex("d4 01 61")).read).to eq(["a"])
    end

    it "takes a Symbol as block" do
      unpacker.register_type(1, &:upcase)
      expect(unpacker.feed(hex("d4 01 61")).read).to eq("A")
    end

    it "takes a lambda" do
      unpacker.register_type(1, &->(payload) { payload * 2 })
      expect(unpacker.feed(hex("d4 01 61")).read).to eq("aa")
    end

    [:from_payload, "from_payload"].each do |name|
      it "takes a class and a method name as #{name.class}" do
        klass = Class.new { def self.from_payload(payload) = [self, payload] }
        unpacker.register_type(1, klass, name)
        expect(unpacker.feed(hex("d4 01 61")).read).to eq([klass, "a"])
      end
    end

    it "takes any object with that method for a class" do
      helper = Object.new
      def helper.from_payload(payload) = payload * 3
      unpacker.register_type(1, helper, :from_payload)
      expect(unpacker.feed(hex("d4 01 61")).read).to eq("aaa")
    end

    it "prefers class and method name over a block" do
      klass = Class.new { def self.from_payload(_payload) = :method }
      unpacker.register_type(1, klass, :from_payload) { :block }
      expect(unpacker.feed(hex("d4 01 61")).read).to eq(:method)
    end

    it "replaces the type of the same id" do
      unpacker.register_type(1) { :first }
      unpacker.register_type(1) { :second }
      expect(unpacker.feed(hex("d4 01 61")).read).to eq(:second)
    end

    [[1], [1, String], [1, nil, :upcase]].each do |args|
      it "refuses #{args.inspect} without a block" do
        expect { unpacker.register_type(*args) }
          .to raise_error(ArgumentError, "register_type takes either 3 arguments or a block")
      end
    end

    it "refuses a method that does not exist" do
      expect { unpacker.register_type(1, String, :no_such_method) }.to raise_error(NameError, /no_such_method/)
    end

    [-128, 0, 127].each do |type|
      it "takes type #{type}" do
        unpacker.register_type(type) { type }
        expect(unpacker.feed([0xd4, type, "a"].pack("CcA")).read).to eq(type)
      end
    end

    [128, -129].each do |type|
      it "refuses type #{type}" do
        expect { unpacker.register_type(type) { nil } }.to raise_error(RangeError, no_signed_char(type))
      end
    end

    it "refuses type 2**40" do
      expect { unpacker.register_type(2**40) { nil } }.to raise_error(RangeError, integer_too_big(2**40, "int"))
    end

    it "refuses type 2**80" do
      expect { unpacker.register_type(2**80) { nil } }.to raise_error(RangeError, bignum_too_big("long"))
    end

    ["1", nil].each do |type|
      it "refuses type #{type.inspect}" do
        expect { unpacker.register_type(type) { nil } }.to raise_error(TypeError)
      end
    end

    it "is refused by a frozen unpacker" do
      expect { unpacker.freeze.register_type(1) { nil } }
        .to raise_error(FrozenError, /\Acan't modify frozen MessagePack::Unpacker/)
    end

    it "does not change the factory or its other unpackers" do
      factory = MessagePack::Factory.new
      factory.unpacker.register_type(1) { nil }
      expect([factory.type_registered?(1), factory.unpacker.type_registered?(1)]).to eq([false, false])
    end

    it "survives reset" do
      unpacker.register_type(1) { :kept }
      unpacker.reset
      expect(unpacker.feed(hex("d4 01 61")).read).to eq(:kept)
    end
  end

  describe "#registered_types" do
    it "lists them by type" do
      unpacker.register_type(2) { nil }
      unpacker.register_type(-1, String, :new)
      expect(unpacker.registered_types).to match([
        { type: -1, class: String, unpacker: an_instance_of(Proc) },
        { type: 2, class: nil, unpacker: an_instance_of(Proc) }
      ])
    end

    it "is a copy" do
      unpacker.register_type(2) { nil }
      unpacker.registered_types.clear
      expect(unpacker.registered_types.size).to eq(1)
    end
  end

  describe "#type_registered?" do
    before { unpacker.register_type(1, String, :new) }

    it "knows an id" do
      expect([unpacker.type_registered?(1), unpacker.type_registered?(2)]).to eq([true, false])
    end

    it "knows a class, but not its descendants" do
      expect([unpacker.type_registered?(String), unpacker.type_registered?(Class.new(String))]).to eq([true, false])
    end

    it "takes a module" do
      expect(unpacker.type_registered?(Comparable)).to be(false)
    end

    it "refuses anything else" do
      expect { unpacker.type_registered?("1") }.to raise_error(ArgumentError, "class or type id")
    end
  end

  describe "an ext proc" do
    Boundaries::EXT.each do |size, head|
      it "gets #{size} bytes behind #{head}" do
        unpacker.register_type(5, &:itself)
        expect(unpacker.feed(hex(head) + ("x" * size)).read).to eq("x" * size)
      end
    end

    it "gets one argument: binary, not frozen, its own" do
      given = nil
      unpacker.register_type(1) { |*all| given = all }
      unpacker.feed(hex("d4 01 61")).read
      expect(given.map { |payload| [payload, payload.encoding, payload.frozen?] })
        .to eq([["a", Encoding::BINARY, false]])
    end

    it "gets the same with freeze" do
      unpacker = described_class.new(freeze: true)
      frozen = nil
      unpacker.register_type(1) { |payload| frozen = payload.frozen? }
      unpacker.feed(hex("d4 01 61")).read
      expect(frozen).to be(false)
    end

    it "may change its payload" do
      unpacker.register_type(1) { |payload| payload << "more" }
      source = hex("c7 03 01 61 62 63")
      expect(unpacker.feed(source).read).to eq("abcmore")
      expect(source).to be_bytes("c7 03 01 61 62 63")
    end

    it "gives the object, also nil" do
      unpacker.register_type(1) { nil }
      expect(unpacker.feed(hex("92 d4 01 61 01")).read).to eq([nil, 1])
    end

    it "gives a key" do
      unpacker.register_type(1) { |payload| [payload] }
      expect(unpacker.feed(hex("81 d4 01 61 02")).read).to eq({ ["a"] => 2 })
    end

    it "must take one argument when it is a lambda" do
      unpacker.register_type(1, &-> { nil })
      expect { unpacker.feed(hex("d4 01 61")).read }
        .to raise_error(ArgumentError, wrong_number_of_arguments(1, 0))
    end

    it "may use next" do
      unpacker.register_type(1) { |_| next 7 }
      expect(unpacker.feed(hex("d4 01 61")).read).to eq(7)
    end

    it "may not use break" do
      unpacker.register_type(1) { |_| break 7 }
      expect { unpacker.feed(hex("d4 01 61")).read }.to raise_error(LocalJumpError)
    end

    it "is called when its payload is complete" do
      calls = []
      unpacker.register_type(1) { |payload| calls << payload }
      unpacker.feed(hex("c7 03 01 61 62"))
      expect { unpacker.read }.to raise_end_of_buffer
      expect(calls).to eq([])
      unpacker.feed(hex("63")).read
      expect(calls).to eq(["abc"])
    end

    it "has its result frozen with freeze, by no method of its own" do
      klass = Class.new { def freeze = raise("called") }
      unpacker = described_class.new(freeze: true)
      unpacker.register_type(1) { klass.new }
      expect(Kernel.instance_method(:frozen?).bind_call(unpacker.feed(hex("d4 01 61")).read)).to be(true)
    end

    it "has its result frozen not deeply" do
      unpacker = described_class.new(freeze: true)
      unpacker.register_type(1) { [+"inner"] }
      value = unpacker.feed(hex("d4 01 61")).read
      expect([value.frozen?, value.first.frozen?]).to eq([true, false])
    end

    it "has classes and modules left unfrozen with freeze" do
      klass = Class.new
      mod = Module.new
      unpacker = described_class.new(freeze: true)
      unpacker.register_type(1) { klass }
      unpacker.register_type(2) { mod }
      unpacker.feed(hex("92 d4 01 61 d4 02 61")).read
      expect([klass.frozen?, mod.frozen?]).to eq([false, false])
    end

    it "may feed: that comes after all data" do
      unpacker.register_type(1) { unpacker.feed(hex("05")) && :fed }
      unpacker.feed(hex("92 d4 01 61 02 03"))
      expect([unpacker.read, unpacker.read, unpacker.read]).to eq([[:fed, 2], 3, 5])
    end

    it "may register types" do
      unpacker.register_type(1) { unpacker.register_type(2) { :second } || :first }
      expect(unpacker.feed(hex("92 d4 01 61 d4 02 61")).read).to eq(%i[first second])
    end

    it "may yield to another Fiber" do
      unpacker.register_type(1) { |payload| Fiber.yield(payload) }
      fiber = Fiber.new { unpacker.feed(hex("92 d4 01 61 02")).read }
      expect([fiber.resume, fiber.resume(:resumed)]).to eq(["a", [:resumed, 2]])
    end

    it "may use another unpacker" do
      unpacker.register_type(1) { |payload| MessagePack.unpack(payload) }
      expect(unpacker.feed(hex("92 c7 02 01 91 07 02")).read).to eq([[7], 2])
    end
  end

  shared_examples "an ext proc that is left" do
    # `unpacker_with` gives an unpacker that calls the proc for id 1, behind whatever it has to read.
    [
      ["a StandardError", IOError.new("mine")],
      ["a SystemExit", SystemExit.new(3)],
      ["an Interrupt", Interrupt.new("mine")],
      ["an EOFError", EOFError.new("mine")]
    ].each do |name, error|
      it "by #{name}: it comes out as the same object" do
        unpacker = unpacker_with { raise error }
        expect { unpacker.feed(hex("92 c7 01 01 07 05")).read }
          .to raise_error { |raised| expect(raised).to equal(error) }
      end
    end

    it "leaves $! clean" do
      unpacker = unpacker_with { raise IOError }
      begin
        unpacker.feed(hex("d4 01 07")).read
      rescue IOError
        nil
      end
      expect($!).to be_nil
    end

    it "by an exception: the ext and its containers are dropped, the next read starts behind it" do
      unpacker = unpacker_with { raise IOError }
      unpacker.feed(hex("92 81 c7 01 01 07 05 06"))
      expect { unpacker.read }.to raise_error(IOError)
      expect([unpacker.read, unpacker.read]).to eq([5, 6])
    end

    it "by an exception before it read anything: the payload is dropped too" do
      unpacker = unpacker_with(read: false) { raise IOError }
      unpacker.feed(hex("92 c7 03 01 07 08 09 05"))
      expect { unpacker.read }.to raise_error(IOError)
      expect(unpacker.read).to eq(5)
    end

    it "by an EOFError: nothing resumes" do
      unpacker = unpacker_with { raise EOFError }
      unpacker.feed(hex("92 d4 01 07 05"))
      expect { unpacker.read }.to raise_error(EOFError)
      expect(unpacker.read).to eq(5)
    end

    it "by throw" do
      unpacker = unpacker_with { throw :out, :thrown }
      unpacker.feed(hex("92 d4 01 07 05"))
      expect([catch(:out) { unpacker.read }, unpacker.read]).to eq([:thrown, 5])
    end

    it "by return" do
      unpacker = nil
      leave = lambda do
        unpacker = unpacker_with { return :returned }
        unpacker.feed(hex("92 d4 01 07 05")).read
      end
      expect([leave.call, unpacker.read]).to eq([:returned, 5])
    end

    it "by Thread#kill" do
      unpacker = unpacker_with { Thread.current.kill }
      unpacker.feed(hex("92 d4 01 07 05"))
      thread = Thread.new { unpacker.read }
      expect(thread.value).to be_nil
      expect(unpacker.read).to eq(5)
    end

    it "again and again", gc_stress: false do
      unpacker = unpacker_with { raise IOError }
      200.times do
        unpacker.feed(hex("92 d4 01 07"))
        expect { unpacker.read }.to raise_error(IOError)
      end
      expect(unpacker.feed(hex("92 01 02")).read).to eq([1, 2])
    end

    it "by an exception in each: it comes out, the rest is kept" do
      unpacker = unpacker_with { raise IOError }
      yielded = []
      expect { unpacker.feed(hex("01 d4 01 07 05")).each { |object| yielded << object } }.to raise_error(IOError)
      expect([yielded, unpacker.read]).to eq([[1], 5])
    end
  end

  describe "a plain ext proc" do
    def unpacker_with(read: true)
      described_class.new.tap { |unpacker| unpacker.register_type(1) { |_payload| yield } }
    end

    include_examples "an ext proc that is left"
  end

  describe "a recursive ext proc, after it read its payload" do
    def unpacker_with(read: true)
      recursive do |unpacker|
        unpacker.read if read
        yield
      end
    end

    include_examples "an ext proc that is left"
  end

  describe "a plain ext proc that reads from its own unpacker" do
    calls = {
      "read" => ->(unpacker) { unpacker.read },
      "unpack" => ->(unpacker) { unpacker.unpack },
      "skip" => ->(unpacker) { unpacker.skip },
      "skip_nil" => ->(unpacker) { unpacker.skip_nil },
      "read_array_header" => ->(unpacker) { unpacker.read_array_header },
      "read_map_header" => ->(unpacker) { unpacker.read_map_header },
      "full_unpack" => ->(unpacker) { unpacker.full_unpack },
      "each" => ->(unpacker) { unpacker.each { raise "yielded" } },
      "feed_each" => ->(unpacker) { unpacker.feed_each(Hex.hex("09")) { raise "yielded" } }
    }

    calls.each do |name, call|
      it "is refused by #{name}" do
        unpacker.register_type(1) { call.call(unpacker) }
        expect { unpacker.feed(hex("92 d4 01 61 05")).read }.to raise_inside_own_proc
      end

      it "leaves the outer object unharmed when it rescues the refusal of #{name}" do
        unpacker.register_type(1) do
          call.call(unpacker)
        rescue MessagePack::UnpackError
          :rescued
        end
        unpacker.feed(hex("92 d4 01 61 05 06"))
        expect([unpacker.read, unpacker.read]).to eq([[:rescued, 5], 6])
      end
    end

    it "does not feed by a feed_each that is refused" do
      unpacker.register_type(1) do
        unpacker.feed_each(hex("09")) { nil }
      rescue MessagePack::UnpackError
        :rescued
      end
      expect(unpacker.feed(hex("d4 01 61")).read).to eq(:rescued)
      expect { unpacker.read }.to raise_end_of_buffer
    end

    it "is refused from another Fiber too" do
      unpacker.register_type(1) { Fiber.new { unpacker.read }.resume }
      expect { unpacker.feed(hex("92 d4 01 61 05")).read }.to raise_inside_own_proc
    end

    it "is refused from another Thread too" do
      unpacker.register_type(1) do
        Thread.new { unpacker.read }.tap { |thread| thread.report_on_exception = false }.value
      end
      expect { unpacker.feed(hex("92 d4 01 61 05")).read }.to raise_inside_own_proc
    end

    it "can read again when it is over" do
      unpacker.register_type(1) { unpacker.read }
      expect { unpacker.feed(hex("d4 01 61 05")).read }.to raise_inside_own_proc
      expect(unpacker.read).to eq(5)
    end
  end

  describe "#reset inside an ext proc" do
    it "gives the outer object up" do
      unpacker.register_type(1) { unpacker.reset }
      expect { unpacker.feed(hex("92 d4 01 61 05")).read }.to raise_error(EOFError)
      expect(unpacker.feed(hex("92 01 02")).read).to eq([1, 2])
    end

    it "gives the outer object up from a recursive one" do
      unpacker = recursive(&:reset)
      expect { unpacker.feed(hex("92 d4 01 07 05")).read }.to raise_error(EOFError)
      expect(unpacker.feed(hex("92 01 02")).read).to eq([1, 2])
    end

    it "gives the outer object up from a recursive one that read before" do
      unpacker = recursive { |inner| inner.read && inner.reset }
      expect { unpacker.feed(hex("92 d4 01 07 05")).read }.to raise_error(EOFError)
      expect(unpacker.feed(hex("92 01 02")).read).to eq([1, 2])
    end
  end

  describe "a recursive ext proc" do
    it "gets the unpacker" do
      given = nil
      unpacker = recursive { |inner| (given = inner).read }
      unpacker.feed(hex("d4 01 07")).read
      expect(given).to equal(unpacker)
    end

    it "gets the unpacker for an empty payload" do
      given = nil
      unpacker = recursive { |inner| given = inner }
      unpacker.feed(hex("c7 00 01")).read
      expect(given).to equal(unpacker)
    end

    it "reads objects" do
      unpacker = recursive { |inner| [:ext, inner.read, inner.read] }
      expect(unpacker.feed(hex("92 d5 01 07 08 05")).read).to eq([[:ext, 7, 8], 5])
    end

    it "reads containers" do
      unpacker = recursive(&:read)
      expect(unpacker.feed(hex("92 c7 05 01 92 01 81 02 03 05")).read).to eq([[1, { 2 => 3 }], 5])
    end

    it "reads headers and elements" do
      unpacker = recursive { |inner| Array.new(inner.read_array_header) { inner.read } }
      expect(unpacker.feed(hex("92 c7 03 01 92 07 08 05")).read).to eq([[7, 8], 5])
    end

    it "reads map headers" do
      unpacker = recursive { |inner| [inner.read_map_header, inner.read, inner.read] }
      expect(unpacker.feed(hex("92 c7 03 01 81 07 08 05")).read).to eq([[1, 7, 8], 5])
    end

    it "uses skip for exactly one object" do
      unpacker = recursive { |inner| [inner.skip, inner.read] }
      expect(unpacker.feed(hex("92 d6 01 92 01 02 08 05")).read).to eq([[nil, 8], 5])
    end

    it "uses skip_nil" do
      unpacker = recursive { |inner| [inner.skip_nil, inner.skip_nil, inner.read] }
      expect(unpacker.feed(hex("92 d5 01 c0 07 05")).read).to eq([[true, false, 7], 5])
    end

    it "uses each to the end of its payload" do
      unpacker = recursive { |inner| [].tap { |all| inner.each { |object| all << object } } }
      expect(unpacker.feed(hex("92 c7 03 01 07 08 09 05")).read).to eq([[7, 8, 9], 5])
    end

    it "uses full_unpack" do
      expect(recursive(&:full_unpack).feed(hex("92 d4 01 07 05")).read).to eq([7, 5])
    end

    it "has full_unpack refuse more than one object" do
      unpacker = recursive(&:full_unpack)
      unpacker.feed(hex("92 d5 01 07 08 05"))
      expect { unpacker.read }.to raise_extra_bytes(1)
      expect(unpacker.read).to eq(5)
    end

    it "is called once, when the payload is complete" do
      calls = 0
      unpacker = recursive { |inner| (calls += 1) && [inner.read, inner.read] }
      unpacker.feed(hex("92 d5 01 07"))
      expect { unpacker.read }.to raise_end_of_buffer
      expect(calls).to eq(0)
      expect(unpacker.feed(hex("08 05")).read).to eq([[7, 8], 5])
      expect(calls).to eq(1)
    end

    it "is called when the last byte came through feed_each" do
      unpacker = recursive { |inner| [inner.read, inner.read] }
      yielded = []
      hex("92 d5 01 07 08 05").each_char { |byte| unpacker.feed_each(byte) { |object| yielded << object } }
      expect(yielded).to eq([[[7, 8], 5]])
    end

    it "is called when the last byte came from the io" do
      factory = MessagePack::Factory.new
      factory.register_type(1, Range, packer: nil, unpacker: ->(inner) { [inner.read, inner.read] }, recursive: true)
      io = FakeIO::Chunks.new(hex("92 d5"), hex("01 07"), hex("08"), hex("05"))
      expect(factory.unpacker(io).read).to eq([[7, 8], 5])
    end

    it "may not read past its payload" do
      unpacker = recursive { |inner| [inner.read, inner.read] }
      unpacker.feed(hex("92 d4 01 07 05 06"))
      expect { unpacker.read }.to raise_end_of_payload
      expect([unpacker.read, unpacker.read]).to eq([5, 6])
    end

    it "may not read from an empty payload" do
      unpacker = recursive(&:read)
      unpacker.feed(hex("92 c7 00 01 05"))
      expect { unpacker.read }.to raise_end_of_payload
      expect(unpacker.read).to eq(5)
    end

    it "may not read an object that its payload cuts" do
      unpacker = recursive(&:read)
      unpacker.feed(hex("92 d4 01 92 05 06"))
      expect { unpacker.read }.to raise_end_of_payload
      expect(unpacker.read).to eq(5)
    end

    it "may not skip past its payload" do
      unpacker = recursive(&:skip)
      unpacker.feed(hex("92 d4 01 92 05 06"))
      expect { unpacker.read }.to raise_end_of_payload
      expect(unpacker.read).to eq(5)
    end

    it "may not leave bytes unread" do
      unpacker = recursive(&:read)
      unpacker.feed(hex("92 c7 03 01 07 08 09 05"))
      expect { unpacker.read }.to raise_extra_bytes(2)
      expect(unpacker.read).to eq(5)
    end

    it "may not leave the payload alone" do
      unpacker = recursive { |_| :unread }
      expect { unpacker.feed(hex("d4 01 07")).read }.to raise_extra_bytes(1)
    end

    it "may feed: that comes after all data" do
      unpacker = recursive { |inner| inner.feed(hex("06")) && inner.read }
      unpacker.feed(hex("92 d4 01 07 05"))
      expect([unpacker.read, unpacker.read]).to eq([[7, 5], 6])
    end

    it "may be inside another" do
      unpacker = recursive { |inner| [:ext, inner.read] }
      expect(unpacker.feed(hex("92 c7 03 01 d4 01 07 05")).read).to eq([[:ext, [:ext, 7]], 5])
    end

    it "may rescue a failure inside, and the outer objects go on" do
      unpacker = recursive do |inner|
        inner.read
      rescue MessagePack::MalformedFormatError
        inner.read
      end
      expect(unpacker.feed(hex("92 d5 01 c1 07 05")).read).to eq([7, 5])
    end

    it "gives a key" do
      unpacker = recursive { |inner| [inner.read] }
      expect(unpacker.feed(hex("81 d4 01 07 05")).read).to eq({ [7] => 5 })
    end

    it "reads values, not keys, in the place of a key" do
      seen = nil
      unpacker = recursive { |inner| [seen = inner.read] }
      unpacker.feed(hex("81 d5 01 a1 61 05")).read
      expect([seen, seen.frozen?]).to eq(["a", false])
    end

    it "has its result not made a Symbol in the place of a key" do
      unpacker = recursive({ symbolize_keys: true }, &:read)
      expect(unpacker.feed(hex("82 d5 01 a1 61 05 a1 62 06")).read).to eq({ "a" => 5, b: 6 })
    end

    it "has the options of the unpacker" do
      unpacker = recursive({ symbolize_keys: true, freeze: true }, &:read)
      value = unpacker.feed(hex("c7 04 01 81 a1 61 90")).read
      expect([value, value.frozen?, value[:a].frozen?]).to eq([{ a: [] }, true, true])
    end

    it "costs one level" do
      unpacker = recursive(&:read)
      unpacker.feed(hex("#{'91' * 126} d5 01 91 07 #{'91' * 127} d5 01 91 07"))
      expect { unpacker.read }.not_to raise_error
      expect { unpacker.read }.to raise_error(MessagePack::StackError, "stack level too deep")
    end

    it "sees everything buffered through buffer" do
      sizes = nil
      unpacker = recursive { |inner| (sizes = inner.buffer.size) && inner.read }
      unpacker.feed(hex("92 d4 01 07 05 06")).read
      expect(sizes).to eq(3)
    end

    it "survives a garbage collection around half-read objects" do
      unpacker = recursive { |inner| [inner.read, GC.start, inner.read] }
      payload = MessagePack.pack("x" * 1000) + MessagePack.pack(["y" * 1000])
      wire = hex("92") + ("z" * 20).to_msgpack + [0xc8, payload.bytesize, 1].pack("Cnc") + payload
      expect(unpacker.feed(wire).read).to eq(["z" * 20, ["x" * 1000, nil, ["y" * 1000]]])
    end
  end
end
