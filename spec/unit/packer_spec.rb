# frozen_string_literal: true

require "delegate"
require "set"

RSpec.describe MessagePack::Packer do
  subject(:packer) { described_class.new }

  # The bytes of one call, by a packer of its own.
  def written(options = {})
    packer = described_class.new(options)
    yield packer
    packer.to_s
  end

  describe ".new" do
    [[], [nil], [nil, nil], [{}], [{}, nil]].each do |args|
      it "takes #{args.inspect[1..-2].inspect} as neither io nor options" do
        expect(described_class.new(*args).buffer.io).to be_nil
      end
    end

    it "takes an io" do
      io = FakeIO::Write.new
      expect(described_class.new(io).buffer.io).to equal(io)
    end

    it "takes an io and nil" do
      io = FakeIO::Write.new
      expect(described_class.new(io, nil).buffer.io).to equal(io)
    end

    it "takes an io and options" do
      io = FakeIO::Write.new
      packer = described_class.new(io, compatibility_mode: true)
      expect([packer.buffer.io, packer.compatibility_mode?]).to eq([io, true])
    end

    it "takes options alone" do
      expect(described_class.new(compatibility_mode: true)).to be_compatibility_mode
    end

    it "takes options behind nil" do
      expect(described_class.new(nil, { compatibility_mode: true })).to be_compatibility_mode
    end

    it "takes the first of two Hashes for the io" do
      io = {}
      packer = described_class.new(io, { compatibility_mode: true })
      expect(packer.buffer.io).to equal(io)
      expect(packer).to be_compatibility_mode
    end

    it "takes an object with to_hash for an io" do
      io = Object.new
      def io.to_hash = { compatibility_mode: true }
      packer = described_class.new(io)
      expect(packer.buffer.io).to equal(io)
      expect(packer).not_to be_compatibility_mode
    end

    it "asks the default proc of the options" do
      options = Hash.new { |_, key| key == :compatibility_mode || nil }
      expect(described_class.new(options)).to be_compatibility_mode
    end

    it "refuses a second argument that is no Hash" do
      expect { described_class.new(nil, 5) }.to raise_error(TypeError, wrong_argument_type("Integer", "Hash"))
    end

    it "refuses three arguments" do
      expect { described_class.new(nil, nil, nil) }
        .to raise_error(ArgumentError, "wrong number of arguments (3 for 0..2)")
    end

    it "leaves nothing behind when it is called again" do
      packer = described_class.new(compatibility_mode: true).write_nil
      packer.send(:initialize)
      expect([packer.to_s, packer.compatibility_mode?]).to eq([hex("c0"), true])
    end
  end

  describe ".allocate" do
    it "makes a packer that works" do
      expect(described_class.allocate.write([1]).to_s).to be_bytes("91 01")
    end
  end

  describe "size options" do
    %i[io_buffer_size read_reference_threshold write_reference_threshold].each do |option|
      [nil, 0, 1, -1, -(2**40), 10, 100_000, 1024.9].each do |value|
        it "#{option}: #{value.inspect} changes no bytes" do
          bytes = written(option => value) { |packer| packer.write("x" * 2000) }
          expect(bytes).to eq(hex("da 07 d0") + ("x" * 2000))
        end
      end

      it "#{option} refuses a String" do
        expect { described_class.new(option => "x") }.to raise_error(TypeError, string_for_size_option)
      end

      it "#{option} refuses a Symbol" do
        expect { described_class.new(option => :x) }.to raise_error(TypeError)
      end

      it "#{option} refuses 2**64" do
        expect { described_class.new(option => 2**64) }.to raise_error(RangeError)
      end
    end
  end

  describe "#write", :gc_stress do
    it "returns the packer" do
      expect(packer.write(1)).to equal(packer)
    end

    it "is also called pack" do
      expect(packer.pack(1)).to equal(packer)
      expect(packer.to_s).to be_bytes("01")
    end

    it "appends" do
      expect(packer.write(1).write("a").write(nil).to_s).to be_bytes("01 a1 61 c0")
    end

    it "takes one argument" do
      expect { packer.write }.to raise_error(ArgumentError, wrong_number_of_arguments(0, 1))
      expect { packer.write(1, 2) }.to raise_error(ArgumentError, wrong_number_of_arguments(2, 1))
    end

    it "works on a frozen packer" do
      expect(packer.freeze.write(1).to_s).to be_bytes("01")
    end

    it "keeps what was written when an exception ends it" do
      expect { packer.write([1, 2**64]) }.to raise_error(RangeError)
      expect(packer.to_s).to be_bytes("92 01")
    end

    it "writes nil" do
      expect(packer.write(nil).to_s).to be_bytes("c0")
    end

    it "writes true and false" do
      expect(packer.write(true).write(false).to_s).to be_bytes("c3 c2")
    end

    it "gives Integers no ext type" do
      packer.register_type(1, Integer) { "x" }
      expect(packer.write(1).to_s).to be_bytes("01")
    end

    it "gives nil, true, false and Floats no ext type" do
      [NilClass, TrueClass, FalseClass, Float, Object].each { |klass| packer.register_type(1, klass) { "x" } }
      expect(packer.write([nil, true, false, 1.0]).to_s).to be_bytes("94 c0 c3 c2 cb 3f f0 00 00 00 00 00 00")
    end

    it "gives core Strings, Arrays and Hashes no ext type" do
      [String, Array, Hash, Object].each { |klass| packer.register_type(1, klass) { "x" } }
      expect(packer.write(["a", [], {}]).to_s).to be_bytes("93 a1 61 90 80")
    end

    it "gives subclasses of String, Array and Hash their ext type" do
      classes = [String, Array, Hash].map { |klass| Class.new(klass) }
      classes.each.with_index(1) { |klass, id| packer.register_type(id, klass) { "x" } }
      expect(packer.write(classes.map(&:new)).to_s).to be_bytes("93 d4 01 78 d4 02 78 d4 03 78")
    end

    it "gives a String with a singleton class its ext type" do
      string = +"a"
      def string.extra; end
      packer.register_type(1, String) { "x" }
      expect(packer.write(string).to_s).to be_bytes("d4 01 78")
    end

    it "writes subclasses of String, Array and Hash without an ext type as their content" do
      string = Class.new(String).new("a")
      array = Class.new(Array).new([1])
      hash = Class.new(Hash)[2, 3]
      expect(packer.write([string, array, hash]).to_s).to be_bytes("93 a1 61 91 01 81 02 03")
    end

    it "writes them as their content also where other classes have ext types" do
      packer.register_type(1, Samples::Wrap) { "x" }
      objects = [Samples::SubString.new("a"), Samples::SubArray[1], Samples::SubHash[2, 3]]
      expect(packer.write(objects).to_s).to be_bytes("93 a1 61 91 01 81 02 03")
    end

    it "calls no methods of subclasses" do
      overridden = Module.new do
        %i[each size length to_a to_s [] to_msgpack].each { |name| define_method(name) { |*| raise "called" } }
      end
      objects = [Class.new(String).new("a"), Class.new(Array).new([1]), Class.new(Hash)[2, 3]]
      objects.each { |object| object.singleton_class.prepend(overridden) }
      expect(packer.write([*objects]).to_s).to be_bytes("93 a1 61 91 01 81 02 03")
    end
  end

  describe "#write with an object that has to_msgpack", :gc_stress do
    def object(&body)
      Object.new.tap { |object| object.define_singleton_method(:to_msgpack, &body) }
    end

    it "calls it with the packer" do
      given = nil
      packer.write(object { |packer| given = packer })
      expect(given).to equal(packer)
    end

    it "ignores what it returns" do
      expect(packer.write(object { |packer| packer.write(1) && "x" }).to_s).to be_bytes("01")
    end

    it "lets it write nothing" do
      expect(packer.write([1, object { |_| nil }]).to_s).to be_bytes("92 01")
    end

    it "finds it when it is private" do
      private_one = Class.new do
        private

        def to_msgpack(packer) = packer.write(7)
      end
      expect(packer.write(private_one.new).to_s).to be_bytes("07")
    end

    it "finds it by method_missing" do
      missing = Class.new do
        def method_missing(name, packer) = name == :to_msgpack ? packer.write(7) : super
        def respond_to_missing?(*) = false
      end
      expect(packer.write(missing.new).to_s).to be_bytes("07")
    end

    it "finds it in a BasicObject" do
      basic = Class.new(BasicObject) do
        def to_msgpack(packer) = packer.write(7)
      end
      expect(packer.write(basic.new).to_s).to be_bytes("07")
    end

    it "passes exactly one argument" do
      expect { packer.write(Object.new.tap { |o| def o.to_msgpack; end }) }
        .to raise_error(ArgumentError, wrong_number_of_arguments(1, 0))
      expect { packer.write(Object.new.tap { |o| def o.to_msgpack(one, two); end }) }
        .to raise_error(ArgumentError, wrong_number_of_arguments(1, 2))
    end

    it "passes its exceptions on" do
      error = Class.new(StandardError).new("mine")
      expect { packer.write([1, object { |_| raise error }]) }.to raise_error { |raised| expect(raised).to equal(error) }
    end

    it "packs a delegator as what it delegates to" do
      expect(packer.write(SimpleDelegator.new([1])).to_s).to be_bytes("91 01")
    end

    it "lets it take what was written" do
      taken = nil
      packer.write([1, object { |packer| taken = packer.full_pack }])
      expect([taken, packer.to_s]).to eq([hex("92 01"), ""])
    end

    it "lets it reset" do
      packer.write([1, object { |packer| packer.reset }, 2])
      expect(packer.to_s).to be_bytes("02")
    end

    it "hands it a packer without <<" do
      responds = nil
      packer.write(object { |packer| responds = packer.respond_to?(:<<) })
      expect(responds).to be(false)
    end
  end

  describe "#write with an object that has no to_msgpack" do
    {
      "Object" => -> { Object.new },
      "Time" => -> { Time.at(0) },
      "Range" => -> { 1..2 },
      "Struct" => -> { Struct.new(:a).new(1) },
      "Set" => -> { Set[1] },
      "Rational" => -> { 1r },
      "Complex" => -> { 1i },
      "Regexp" => -> { /a/ },
      "Class" => -> { String },
      "Proc" => -> { proc {} },
      "IO" => -> { $stdout },
      "ENV" => -> { ENV },
      "Timestamp" => -> { MessagePack::Timestamp.new(0, 0) }
    }.each do |name, object|
      it "refuses #{name}" do
        instance = object.call
        expect { packer.write(instance) }.to raise_error(NoMethodError) { |error|
          expect(error.name).to eq(:to_msgpack)
          expect(error.receiver).to equal(instance)
        }
      end
    end

    it "raises NoMethodError with Ruby's text" do
      object = Object.new
      expect { packer.write(object) }.to raise_error(NoMethodError, undefined_method(:to_msgpack, object))
    end
  end

  describe "integers" do
    Boundaries::INTEGERS.each do |value, wire|
      it "writes #{value} as #{wire}" do
        expect(packer.write(value).to_s).to be_bytes(wire)
      end
    end

    it "looks at the value, not at how Ruby holds it" do
      small = (2**100) - (2**100) + 5
      expect(packer.write(small).to_s).to be_bytes("05")
    end

    it "refuses 2**64" do
      expect { packer.write(2**64) }.to raise_error(RangeError, bignum_too_big("unsigned long long"))
    end

    it "refuses -2**63-1" do
      expect { packer.write(-(2**63) - 1) }.to raise_error(RangeError, bignum_too_big("long long"))
    end

    it "writes nothing for what it refuses" do
      expect { packer.write(2**64) }.to raise_error(RangeError)
      expect(packer).to be_empty
    end
  end

  describe "#write_int" do
    Boundaries::INTEGERS.each do |value, wire|
      it "writes #{value} as #{wire}" do
        expect(packer.write_int(value).to_s).to be_bytes(wire)
      end
    end

    it "returns the packer" do
      expect(packer.write_int(1)).to equal(packer)
    end

    { 1.5 => "Float", "a" => "String", a: "Symbol", nil => "nil", true => "true", false => "false" }
      .each do |value, name|
        it "refuses #{value.inspect}" do
          expect { packer.write_int(value) }.to raise_error(TypeError, wrong_argument_type(name, "Integer"))
        end
      end

    it "does not call to_int" do
      object = Object.new
      def object.to_int = 1
      expect { packer.write_int(object) }.to raise_error(TypeError, wrong_argument_type("Object", "Integer"))
    end

    it "refuses what does not fit" do
      expect { packer.write_int(2**64) }.to raise_error(RangeError, bignum_too_big("unsigned long long"))
    end
  end

  describe "#write_nil, #write_true, #write_false" do
    it "write their byte" do
      expect(packer.write_nil.write_true.write_false.to_s).to be_bytes("c0 c3 c2")
    end

    it "take no argument" do
      expect { packer.write_nil(1) }.to raise_error(ArgumentError, wrong_number_of_arguments(1, 0))
      expect { packer.write_true(1) }.to raise_error(ArgumentError, wrong_number_of_arguments(1, 0))
      expect { packer.write_false(1) }.to raise_error(ArgumentError, wrong_number_of_arguments(1, 0))
    end
  end

  describe "floats" do
    Boundaries::FLOATS.each do |value, wire|
      it "writes #{value} as #{wire}" do
        expect(packer.write(value).to_s).to be_bytes(wire)
      end
    end

    it "keeps the sign of -0.0" do
      expect(packer.write(-0.0).to_s).to be_bytes("cb 80 00 00 00 00 00 00 00")
    end

    it "writes NaN as a quiet one" do
      expect(packer.write(Float::NAN).to_s).to be_bytes("cb 7f f8 00 00 00 00 00 00")
    end
  end

  describe "#write_float" do
    Boundaries::FLOATS.each do |value, wire|
      it "writes #{value} as #{wire}" do
        expect(packer.write_float(value).to_s).to be_bytes(wire)
      end
    end

    it "returns the packer" do
      expect(packer.write_float(1.0)).to equal(packer)
    end

    it "converts an Integer" do
      expect(packer.write_float(1).to_s).to be_bytes("cb 3f f0 00 00 00 00 00 00")
    end

    it "converts a huge Integer to Infinity" do
      allow(Warning).to receive(:warn) # Ruby does, that it is out of range
      expect(packer.write_float(10**400).to_s).to be_bytes("cb 7f f0 00 00 00 00 00 00")
    end

    it "converts a Rational" do
      expect(packer.write_float(1r / 2).to_s).to be_bytes("cb 3f e0 00 00 00 00 00 00")
    end

    it "converts a real Complex" do
      expect(packer.write_float(Complex(1, 0)).to_s).to be_bytes("cb 3f f0 00 00 00 00 00 00")
    end

    it "converts a Numeric by to_f" do
      number = Class.new(Numeric) { def to_f = 1.0 }.new
      expect(packer.write_float(number).to_s).to be_bytes("cb 3f f0 00 00 00 00 00 00")
    end

    it "refuses a String" do
      expect { packer.write_float("1") }.to raise_error(TypeError, "no implicit conversion to float from string")
    end

    it "refuses nil" do
      expect { packer.write_float(nil) }.to raise_error(TypeError, "no implicit conversion to float from nil")
    end

    it "refuses true" do
      expect { packer.write_float(true) }.to raise_error(TypeError, "no implicit conversion to float from true")
    end

    it "refuses a Symbol" do
      expect { packer.write_float(:a) }.to raise_error(TypeError, "can't convert Symbol into Float")
    end

    it "refuses an Object" do
      expect { packer.write_float(Object.new) }.to raise_error(TypeError, "can't convert Object into Float")
    end

    it "refuses a Complex that is not real" do
      expect { packer.write_float(Complex(1, 1)) }.to raise_error(RangeError, "can't convert 1+1i into Float")
    end
  end

  describe "#write_float32" do
    Boundaries::FLOATS32.each do |wire, value|
      it "writes #{value} as #{wire}" do
        expect(packer.write_float32(value).to_s).to be_bytes(wire)
      end
    end

    { 0.1 => "ca 3d cc cc cd", 1e300 => "ca 7f 80 00 00", 123 => "ca 42 f6 00 00", 1r / 2 => "ca 3f 00 00 00" }
      .each do |value, wire|
        it "rounds #{value} to #{wire}" do
          expect(packer.write_float32(value).to_s).to be_bytes(wire)
        end
      end

    it "writes NaN as a quiet one" do
      expect(packer.write_float32(Float::NAN).to_s).to be_bytes("ca 7f c0 00 00")
    end

    it "returns the packer" do
      expect(packer.write_float32(1.0)).to equal(packer)
    end

    ["1", nil, :a, [1]].each do |value|
      it "refuses #{value.inspect}" do
        expect { packer.write_float32(value) }.to raise_error(ArgumentError, "Expected numeric")
      end
    end
  end

  shared_examples "strings" do |write|
    define_method(:string) { |value, options = {}| written(options) { |packer| packer.public_send(write, value) } }

    Boundaries::STR.each do |size, head|
      it "writes #{size} bytes of UTF-8 behind #{head}" do
        expect(string("x" * size)).to eq(hex(head) + ("x" * size))
      end
    end

    Boundaries::BIN.each do |size, head|
      it "writes #{size} binary bytes behind #{head}" do
        expect(string("\xff".b * size)).to eq(hex(head) + ("\xff".b * size))
      end
    end

    it "counts bytes, not characters" do
      expect(string("é" * 16)).to eq(hex("d9 20") + ("é" * 16).b)
    end

    it "does not validate UTF-8" do
      expect(string("\xff")).to be_bytes("a1 ff")
    end

    it "does not validate US-ASCII" do
      expect(string((+"\xff").force_encoding("US-ASCII"))).to be_bytes("a1 ff")
    end

    it "takes ASCII content of other encodings as it is" do
      %w[ISO-8859-1 Shift_JIS EUC-JP Windows-1252 Emacs-Mule].each do |encoding|
        expect(string((+"abc").force_encoding(encoding))).to be_bytes("a3 61 62 63")
      end
    end

    %w[ISO-8859-1 UTF-16LE UTF-16BE UTF-32LE UTF-32BE GB18030 CESU-8 UTF8-MAC].each do |encoding|
      it "converts #{encoding} to UTF-8" do
        text = encoding == "UTF8-MAC" ? (+"é").force_encoding(encoding) : "é".encode(encoding)
        expect(string(text)).to be_bytes("a2 c3 a9")
      end
    end

    %w[Shift_JIS EUC-JP Windows-31J ISO-2022-JP].each do |encoding|
      it "converts #{encoding} to UTF-8" do
        expect(string("あ".encode(encoding))).to be_bytes("a3 e3 81 82")
      end
    end

    it "converts UTF-16 of ASCII characters" do
      expect(string("a".encode("UTF-16LE"))).to be_bytes("a1 61")
    end

    it "converts a long UTF-16, which is not referred to" do
      expect(string(("a" * 600_000).encode("UTF-16LE")) == hex("db 00 09 27 c0") + "a" * 600_000).to be(true)
    end

    it "converts an empty UTF-16" do
      expect(string("".encode("UTF-16LE"))).to be_bytes("a0")
    end

    it "measures what it writes, not what it got" do
      expect(string("é".encode("ISO-8859-1") * 16)).to eq(hex("d9 20") + ("é" * 16).b)
    end

    {
      "broken Shift_JIS" => ["\xff", "Shift_JIS", Encoding::InvalidByteSequenceError, '"\xFF" on Shift_JIS'],
      "a hole in Windows-1252" => ["\x81", "Windows-1252", Encoding::UndefinedConversionError, nil],
      "UTF-16 of odd length" => ["a\0b", "UTF-16LE", Encoding::InvalidByteSequenceError, nil],
      "half a surrogate pair" => ["\x00\xd8", "UTF-16LE", Encoding::InvalidByteSequenceError, nil],
      "an encoding without converter" =>
        ["abc", "UTF-7", Encoding::ConverterNotFoundError, "code converter not found (UTF-7 to UTF-8)"]
    }.each do |what, (bytes, encoding, error, message)|
      it "refuses #{what}, and writes nothing" do
        text = bytes.dup.force_encoding(encoding)
        expect { packer.public_send(write, text) }.to raise_error(error, *message)
        expect(packer).to be_empty
      end
    end

    it "does not care for the default encodings" do
      saved = [Encoding.default_external, Encoding.default_internal, $VERBOSE]
      $VERBOSE = nil
      Encoding.default_external = Encoding.default_internal = "ISO-8859-1"
      expect(string("é")).to be_bytes("a2 c3 a9")
    ensure
      Encoding.default_external, Encoding.default_internal, $VERBOSE = saved
    end

    context "with compatibility_mode" do
      Boundaries::RAW.each do |size, head|
        it "writes #{size} bytes behind #{head}" do
          expect(string("x" * size, compatibility_mode: true)).to eq(hex(head) + ("x" * size))
        end

        it "writes #{size} binary bytes behind #{head}" do
          expect(string("\xff".b * size, compatibility_mode: true)).to eq(hex(head) + ("\xff".b * size))
        end
      end

      it "converts nothing" do
        expect(string("é".encode("UTF-16LE"), compatibility_mode: true)).to be_bytes("a2 e9 00")
      end
    end
  end

  describe("strings") { include_examples "strings", :write }

  describe "#write_string" do
    include_examples "strings", :write_string

    it "returns the packer" do
      expect(packer.write_string("a")).to equal(packer)
    end

    it "passes over the ext type of a subclass" do
      string = Class.new(String)
      packer.register_type(1, string) { "x" }
      expect(packer.write_string(string.new("a")).to_s).to be_bytes("a1 61")
    end

    { 1 => "Integer", a: "Symbol", nil => "nil" }.each do |value, name|
      it "refuses #{value.inspect}" do
        expect { packer.write_string(value) }.to raise_error(TypeError, wrong_argument_type(name, "String"))
      end
    end

    it "does not call to_str" do
      object = Object.new
      def object.to_str = "a"
      expect { packer.write_string(object) }.to raise_error(TypeError, wrong_argument_type("Object", "String"))
    end
  end

  describe "strings beyond write_reference_threshold", :gc_stress do
    subject(:packer) { described_class.new(write_reference_threshold: 256) }

    it "do not see later changes of the source" do
      source = "x".b * 1000
      packer.write(source)
      source.setbyte(0, 0)
      source << "more"
      expect(packer.to_s).to eq(hex("c5 03 e8") + ("x" * 1000))
    end

    it "do not see the source cleared" do
      source = "x".b * 1000
      packer.write(source)
      source.clear
      expect(packer.to_s).to eq(hex("c5 03 e8") + ("x" * 1000))
    end

    it "are not reached through a result" do
      source = "x".b * 1000
      packer.write(source)
      packer.to_s.replace("y")
      packer.to_a.each { |piece| piece.replace("y") unless piece.frozen? }
      expect([source, packer.to_s]).to eq(["x" * 1000, hex("c5 03 e8") + ("x" * 1000)])
    end

    it "keep their place among short ones" do
      packer.write(1).write("x".b * 1000).write(2).write("y" * 1000).write(3)
      expect(packer.to_s)
        .to eq(hex("01 c5 03 e8") + ("x" * 1000) + hex("02 da 03 e8") + ("y" * 1000) + hex("03"))
    end

    it "can be frozen" do
      expect(packer.write(("x" * 1000).freeze).to_s).to eq(hex("da 03 e8") + ("x" * 1000))
    end
  end

  describe "#write_bin" do
    Boundaries::BIN.each do |size, head|
      it "writes #{size} bytes behind #{head}" do
        expect(packer.write_bin("\xff".b * size).to_s).to eq(hex(head) + ("\xff".b * size))
      end
    end

    it "returns the packer" do
      expect(packer.write_bin("a".b)).to equal(packer)
    end

    it "takes ASCII of any encoding" do
      %w[UTF-8 US-ASCII ISO-8859-1 Shift_JIS].each do |encoding|
        expect(written { |packer| packer.write_bin((+"abc").force_encoding(encoding)) }).to be_bytes("c4 03 61 62 63")
      end
    end

    it "converts UTF-16 of ASCII characters" do
      expect(packer.write_bin("ab".encode("UTF-16LE")).to_s).to be_bytes("c4 02 61 62")
    end

    it "refuses UTF-8 beyond ASCII" do
      expect { packer.write_bin("é") }.to raise_error(Encoding::UndefinedConversionError, /\AU\+00E9 from UTF-8 to /)
    end

    it "refuses broken UTF-8" do
      expect { packer.write_bin("\xff") }.to raise_error(Encoding::InvalidByteSequenceError)
    end

    it "refuses broken US-ASCII" do
      expect { packer.write_bin((+"\xff").force_encoding("US-ASCII")) }
        .to raise_error(Encoding::InvalidByteSequenceError)
    end

    { 1 => "Integer", a: "Symbol", nil => "nil" }.each do |value, name|
      it "refuses #{value.inspect}" do
        expect { packer.write_bin(value) }.to raise_error(TypeError, wrong_argument_type(name, "String"))
      end
    end

    it "writes raw with compatibility_mode" do
      bytes = written(compatibility_mode: true) { |packer| packer.write_bin("x".b * 32) }
      expect(bytes).to eq(hex("da 00 20") + ("x" * 32))
    end
  end

  describe "symbols", :gc_stress do
    { a: "a1 61", "": "a0", é: "a2 c3 a9" }.each do |symbol, wire|
      it "writes #{symbol.inspect} as #{wire}" do
        expect(packer.write(symbol).to_s).to be_bytes(wire)
      end
    end

    it "converts the name to UTF-8" do
      expect(packer.write("é".encode("ISO-8859-1").to_sym).to_s).to be_bytes("a2 c3 a9")
    end

    it "writes a binary name as bin" do
      expect(packer.write("\xff".b.to_sym).to_s).to be_bytes("c4 01 ff")
    end

    it "uses the type registered for Symbol, for keys and inside too" do
      packer.register_type(1, Symbol) { |symbol| symbol.to_s.upcase }
      expect(packer.write([:a, { b: :c }]).to_s).to be_bytes("92 d4 01 41 81 d4 01 42 d4 01 43")
    end

    it "does not use a type registered for Object or Comparable" do
      packer.register_type(1, Object) { "x" }
      packer.register_type(2, Comparable) { "x" }
      expect(packer.write(:a).to_s).to be_bytes("a1 61")
    end
  end

  describe "#write_symbol" do
    it "writes the name" do
      expect(packer.write_symbol(:a).to_s).to be_bytes("a1 61")
    end

    it "returns the packer" do
      expect(packer.write_symbol(:a)).to equal(packer)
    end

    it "uses the type registered for Symbol" do
      packer.register_type(1, Symbol, :to_s)
      expect(packer.write_symbol(:a).to_s).to be_bytes("d4 01 61")
    end

    it "refuses a String" do
      expect { packer.write_symbol("a") }.to raise_error(TypeError, wrong_argument_type("String", "Symbol"))
    end
  end

  shared_examples "arrays" do |write|
    Boundaries::ARRAY.each do |count, head|
      it "writes #{count} elements behind #{head}", gc_stress: count <= 100 do
        expect(packer.public_send(write, [nil] * count).to_s).to eq(hex(head) + ("\xc0".b * count))
      end
    end

    it "writes elements of all kinds" do
      expect(packer.public_send(write, [1, "a", :b, nil, [2.0], { 3 => true }]).to_s)
        .to be_bytes("96 01 a1 61 a1 62 c0 91 cb 40 00 00 00 00 00 00 00 81 03 c3")
    end

    it "writes nil for elements that vanish meanwhile" do
      array = [nil, 1, 2]
      array[0] = Object.new.tap { |o| o.define_singleton_method(:to_msgpack) { |pk| pk.write(array.pop) } }
      expect(packer.public_send(write, array).to_s).to be_bytes("93 02 01 c0")
    end

    it "ignores elements that are added meanwhile" do
      array = [nil, 1]
      array[0] = Object.new.tap { |o| o.define_singleton_method(:to_msgpack) { |pk| pk.write(array.push(7).size) } }
      expect(packer.public_send(write, array).to_s).to be_bytes("92 03 01")
    end
  end

  describe("arrays") { include_examples "arrays", :write }

  describe "#write_array", :gc_stress do
    include_examples "arrays", :write_array

    it "returns the packer" do
      expect(packer.write_array([])).to equal(packer)
    end

    it "passes over the ext type of a subclass, but not of its elements" do
      subclass = Class.new(Array)
      packer.register_type(1, subclass) { "x" }
      expect(packer.write_array(subclass.new([subclass.new])).to_s).to be_bytes("91 d4 01 78")
    end

    { {} => "Hash", 1 => "Integer", nil => "nil" }.each do |value, name|
      it "refuses #{value.inspect}" do
        expect { packer.write_array(value) }.to raise_error(TypeError, wrong_argument_type(name, "Array"))
      end
    end
  end

  shared_examples "maps" do |write|
    Boundaries::MAP.each do |count, head|
      it "writes #{count} pairs behind #{head}", gc_stress: count <= 100 do
        hash = Array.new(count) { |i| [i, nil] }.to_h
        expected = hex(head) + hash.keys.map { |key| MessagePack.pack(key) + "\xc0".b }.join
        expect(packer.public_send(write, hash).to_s).to eq(expected)
      end
    end

    it "keeps the order" do
      expect(packer.public_send(write, { "b" => 1, "a" => 2 }).to_s).to be_bytes("82 a1 62 01 a1 61 02")
    end

    it "writes keys of any kind" do
      hash = { nil => 1, 1.0 => 2, [3] => 4, { 5 => 6 } => 7, a: 8 }
      expect(packer.public_send(write, hash).to_s)
        .to be_bytes("85 c0 01 cb 3f f0 00 00 00 00 00 00 02 91 03 04 81 05 06 07 a1 61 08")
    end

    it "does not ask for default values" do
      hash = Hash.new { raise "asked" }
      hash[1] = 2
      expect(packer.public_send(write, hash).to_s).to be_bytes("81 01 02")
    end

    it "takes a Hash that compares by identity" do
      hash = {}.compare_by_identity
      hash[+"a"] = 1
      hash[+"a"] = 2
      expect(packer.public_send(write, hash).to_s).to be_bytes("82 a1 61 01 a1 61 02")
    end

    # `change` runs while the first pair is written.
    def changing(hash, &change)
      hash.merge!(1 => Object.new.tap { |o| o.define_singleton_method(:to_msgpack) { |pk| pk.write(change.call && nil) } })
      hash[2] = 2
      hash[3] = 3
      hash
    end

    it "raises when a key is added meanwhile, or writes the pairs announced" do
      hash = {}
      changing(hash) { hash[4] = 4 }
      begin
        packer.public_send(write, hash)
      rescue RuntimeError => e
        expect(e.message).to eq("can't add a new key into hash during iteration")
      else
        expect(packer.to_s).to be_bytes("83 01 c0 02 02 03 03")
      end
    end

    it "raises when a key is lost meanwhile, or writes the pairs announced" do
      hash = {}
      changing(hash) { hash.delete(3) || true }
      begin
        packer.public_send(write, hash)
      rescue RuntimeError => e
        expect(e.message).to match(/hash/i).and match(/chang/i)
      else
        expect(packer.to_s).to be_bytes("83 01 c0 02 02 03 03")
      end
    end

    it "does not mind a new value of an old key" do
      hash = {}
      changing(hash) { hash[1] = 9 }
      expect(packer.public_send(write, hash).to_s).to be_bytes("83 01 c0 02 02 03 03")
    end
  end

  describe("maps") { include_examples "maps", :write }

  describe "#write_hash", :gc_stress do
    include_examples "maps", :write_hash

    it "returns the packer" do
      expect(packer.write_hash({})).to equal(packer)
    end

    it "passes over the ext type of a subclass, but not of its values" do
      subclass = Class.new(Hash)
      packer.register_type(1, subclass) { "x" }
      expect(packer.write_hash(subclass[1, subclass.new]).to_s).to be_bytes("81 01 d4 01 78")
    end

    { [] => "Array", 1 => "Integer", nil => "nil" }.each do |value, name|
      it "refuses #{value.inspect}" do
        expect { packer.write_hash(value) }.to raise_error(TypeError, wrong_argument_type(name, "Hash"))
      end
    end
  end

  shared_examples "a header" do |write, heads|
    heads.merge(2**32 - 1 => heads.fetch(65_536).sub("00 01 00 00", "ff ff ff ff")).each do |count, head|
      it "writes #{head} for #{count}" do
        expect(packer.public_send(write, count).to_s).to be_bytes(head)
      end
    end

    it "returns the packer" do
      expect(packer.public_send(write, 0)).to equal(packer)
    end

    it "truncates Floats" do
      expect(packer.public_send(write, 1.9).to_s).to be_bytes(heads.fetch(1))
    end

    it "calls to_int" do
      object = Object.new
      def object.to_int = 1
      expect(packer.public_send(write, object).to_s).to be_bytes(heads.fetch(1))
    end

    it "refuses 2**32" do
      expect { packer.public_send(write, 2**32) }
        .to raise_error(RangeError, integer_too_big(4_294_967_296, "unsigned int"))
    end

    it "refuses 2**64" do
      expect { packer.public_send(write, 2**64) }.to raise_error(RangeError)
    end

    it "refuses -1" do
      expect { packer.public_send(write, -1) }.to raise_error(RangeError, integer_too_small(-1, "unsigned int"))
    end

    it "refuses -2**31" do
      expect { packer.public_send(write, -(2**31)) }
        .to raise_error(RangeError, integer_too_small(-(2**31), "unsigned int"))
    end

    it "refuses nil" do
      expect { packer.public_send(write, nil) }.to raise_error(TypeError, nil_for_header_size)
    end

    it "refuses a String" do
      expect { packer.public_send(write, "1") }
        .to raise_error(TypeError, "no implicit conversion of String into Integer")
    end

    it "refuses a Symbol" do
      expect { packer.public_send(write, :a) }
        .to raise_error(TypeError, "no implicit conversion of Symbol into Integer")
    end

    it "writes nothing for what it refuses" do
      expect { packer.public_send(write, -1) }.to raise_error(RangeError)
      expect(packer).to be_empty
    end
  end

  describe("#write_array_header") { include_examples "a header", :write_array_header, Boundaries::ARRAY }
  describe("#write_map_header") { include_examples "a header", :write_map_header, Boundaries::MAP }

  describe "#write_bin_header" do
    include_examples "a header", :write_bin_header, Boundaries::BIN

    it "is the same with compatibility_mode" do
      expect(written(compatibility_mode: true) { |packer| packer.write_bin_header(1) }).to be_bytes("c4 01")
    end
  end

  describe "#write_ext" do
    Boundaries::EXT.each do |size, head|
      it "writes #{size} bytes behind #{head}" do
        expect(packer.write_ext(5, "x" * size).to_s).to eq(hex(head) + ("x" * size))
      end
    end

    Boundaries::EXT_IDS.each do |id, byte|
      it "writes type #{id} as #{byte}" do
        expect(packer.write_ext(id, "a").to_s).to be_bytes("d4 #{byte} 61")
      end
    end

    it "returns the packer" do
      expect(packer.write_ext(1, "a")).to equal(packer)
    end

    it "takes the bytes of any encoding" do
      expect(packer.write_ext(1, "é".encode("UTF-16LE")).to_s).to be_bytes("d5 01 e9 00")
    end

    it "calls to_str" do
      object = Object.new
      def object.to_str = "a"
      expect(packer.write_ext(1, object).to_s).to be_bytes("d4 01 61")
    end

    { nil => "nil", a: "Symbol", 5 => "Integer" }.each do |payload, name|
      it "refuses #{payload.inspect} as payload" do
        expect { packer.write_ext(1, payload) }
          .to raise_error(TypeError, "no implicit conversion of #{name} into String")
      end
    end

    [128, -129].each do |type|
      it "refuses type #{type}" do
        expect { packer.write_ext(type, "a") }.to raise_error(RangeError, no_signed_char(type))
      end
    end

    it "refuses type 2**40" do
      expect { packer.write_ext(2**40, "a") }.to raise_error(RangeError, integer_too_big(2**40, "int"))
    end

    it "refuses type 2**80" do
      expect { packer.write_ext(2**80, "a") }.to raise_error(RangeError, bignum_too_big("long"))
    end

    it "refuses a String as type" do
      expect { packer.write_ext("1", "a") }
        .to raise_error(TypeError, "no implicit conversion of String into Integer")
    end

    it "refuses nil as type" do
      expect { packer.write_ext(nil, "a") }.to raise_error(TypeError, "no implicit conversion from nil to integer")
    end

    it "truncates a Float as type" do
      expect(packer.write_ext(1.9, "a").to_s).to be_bytes("d4 01 61")
    end

    it "writes nothing for what it refuses" do
      expect { packer.write_ext(128, "a") }.to raise_error(RangeError)
      expect { packer.write_ext(1, nil) }.to raise_error(TypeError)
      expect(packer).to be_empty
    end
  end

  describe "#write_extension" do
    it "writes an ExtensionValue" do
      expect(packer.write_extension(MessagePack::ExtensionValue.new(5, "ab")).to_s).to be_bytes("d5 05 61 62")
    end

    it "writes the first two members of any Struct" do
      struct = Struct.new(:a, :b, :c).new(5, "ab", :other)
      expect(packer.write_extension(struct).to_s).to be_bytes("d5 05 61 62")
    end

    it "returns the packer" do
      expect(packer.write_extension(MessagePack::ExtensionValue.new(5, "ab"))).to equal(packer)
    end

    it "passes over the ext type of the Struct" do
      packer.register_type(1, MessagePack::ExtensionValue) { "x" }
      expect(packer.write_extension(MessagePack::ExtensionValue.new(5, "ab")).to_s).to be_bytes("d5 05 61 62")
    end

    it "refuses what is no Struct" do
      expect { packer.write_extension("a") }.to raise_error(TypeError, wrong_argument_type("String", "Struct"))
    end

    it "refuses a Struct of one member" do
      expect { packer.write_extension(Struct.new(:a).new(1)) }
        .to raise_error(IndexError, "offset 1 too large for struct(size:1)")
    end

    { 1.5 => "1.5", nil => "", sym: "sym", 2**80 => (2**80).to_s, 128 => "128", -129 => "-129" }
      .each do |type, text|
        it "refuses #{type.inspect} as type" do
          expect { packer.write_extension(MessagePack::ExtensionValue.new(type, "a")) }
            .to raise_error(RangeError, no_signed_char(text))
        end
      end

    it "refuses a payload that is no String" do
      expect { packer.write_extension(MessagePack::ExtensionValue.new(1, nil)) }.to raise_error(TypeError)
    end
  end

  describe "#flush", :gc_stress do
    it "sends everything to the io, in order" do
      io = FakeIO::Write.new
      described_class.new(io).write(1).write("x" * 10_000).write(2).flush
      expect(io.string).to eq(hex("01 da 27 10") + ("x" * 10_000) + hex("02"))
    end

    it "leaves the packer empty" do
      packer = described_class.new(FakeIO::Write.new).write(1).flush
      expect([packer.size, packer.to_s]).to eq([0, ""])
    end

    it "returns the packer" do
      expect(packer.flush).to equal(packer)
    end

    it "keeps everything without an io" do
      expect(packer.write(1).flush.to_s).to be_bytes("01")
    end

    it "does not call the io when there is nothing" do
      io = FakeIO::Write.new
      described_class.new(io).flush
      expect(io.writes).to eq([])
    end

    it "sends binary Strings that are not frozen" do
      io = FakeIO::Write.new
      described_class.new(io).write("é").flush
      expect(io.writes.map(&:encoding).uniq).to eq([Encoding::BINARY])
      expect(io.writes).to all(satisfy { |bytes| !bytes.frozen? })
    end

    it "appends with << when the io has no write" do
      io = FakeIO::Append.new
      described_class.new(io).write([1, 2]).flush
      expect(io.string).to be_bytes("92 01 02")
    end

    it "prefers write over <<" do
      io = StringIO.new("".b)
      expect(io).not_to receive(:<<)
      described_class.new(io).write(1).flush
      expect(io.string).to be_bytes("01")
    end

    it "decides between write and << when the packer is made" do
      io = FakeIO::Append.new
      packer = described_class.new(io)
      def io.write(_bytes) = raise("called")
      packer.write(1).flush
      expect(io.string).to be_bytes("01")
    end

    it "believes respond_to_missing?" do
      io = Class.new do
        attr_reader :sent

        def method_missing(name, bytes) = name == :write ? (@sent = bytes) : super
        def respond_to_missing?(name, all) = name == :write || super
      end.new
      described_class.new(io).write(1).flush
      expect(io.sent).to be_bytes("01")
    end

    it "reaches a private write when there is nothing else" do
      io = Class.new do
        attr_reader :sent

        private

        def write(bytes) = @sent = bytes
      end.new
      described_class.new(io).write(1).flush
      expect(io.sent).to be_bytes("01")
    end

    it "does not care what the io returns" do
      io = Object.new
      def io.write(_bytes) = :nonsense
      expect(described_class.new(io).write(1).flush.size).to eq(0)
    end

    it "never flushes, syncs or closes the io" do
      io = StringIO.new("".b)
      %i[flush fsync close].each { |name| expect(io).not_to receive(name) }
      described_class.new(io).write(1).flush
    end

    it "keeps what an io that raises did not take" do
      io = FakeIO::Write.new
      packer = described_class.new(io).write([1, 2])
      def io.write(_bytes) = raise(IOError, "full")
      expect { packer.flush }.to raise_error(IOError, "full")
      expect(packer.to_s).to be_bytes("92 01 02")
    end

    it "sends the rest at the next try" do
      io = FakeIO::Write.new
      fails = true
      io.define_singleton_method(:write) { |bytes| fails ? raise(IOError) : super(bytes) }
      packer = described_class.new(io).write([1, 2])
      expect { packer.flush }.to raise_error(IOError)
      fails = false
      packer.flush
      expect(io.string).to be_bytes("92 01 02")
    end

    it "keeps everything when the io throws" do
      io = Object.new
      def io.write(_bytes) = throw(:out)
      packer = described_class.new(io).write(1)
      catch(:out) { packer.flush }
      expect(packer.to_s).to be_bytes("01")
    end
  end

  describe "#full_pack", :gc_stress do
    it "returns everything and empties the packer" do
      packer.write(1).write(2)
      expect(packer.full_pack).to be_bytes("01 02")
      expect(packer).to be_empty
    end

    it "returns a String of the caller's own" do
      expect(packer.write(1).full_pack).not_to be_frozen
    end

    it "returns an empty String when there is nothing" do
      expect(packer.full_pack).to be_bytes("")
    end

    it "sends everything to the io and returns nil" do
      io = FakeIO::Write.new
      packer = described_class.new(io).write(1)
      expect(packer.full_pack).to be_nil
      expect(io.string).to be_bytes("01")
      expect(packer).to be_empty
    end
  end

  describe "#to_s" do
    it "does not consume" do
      packer.write(1)
      expect([packer.to_s, packer.to_s]).to eq([hex("01"), hex("01")])
    end

    it "is binary and a String of the caller's own" do
      packer.write("é")
      packer.to_s << "more"
      expect(packer.to_s).to be_bytes("a2 c3 a9")
    end

    it "is also called to_str" do
      expect(packer.write(1).to_str).to be_bytes("01")
    end

    it "has only what was not sent yet" do
      packer = described_class.new(FakeIO::Write.new).write(1).flush.write(2)
      expect(packer.to_s).to be_bytes("02")
    end
  end

  describe "#to_a" do
    it "holds the pieces of to_s" do
      packer = described_class.new(write_reference_threshold: 256)
      packer.write(1).write("x".b * 1000).write(2)
      expect(packer.to_a.join).to eq(packer.to_s)
      expect(packer.to_a).to all(be_a(String))
    end

    it "is one empty String when there is nothing" do
      expect(packer.to_a).to eq([""])
    end
  end

  describe "#size" do
    it "counts bytes" do
      expect { packer.write("é" * 1000) }.to change(packer, :size).from(0).to(2003)
    end
  end

  describe "#empty?" do
    it "tells whether there are bytes" do
      expect { packer.write(1) }.to change(packer, :empty?).from(true).to(false)
    end
  end

  %i[reset clear].each do |name|
    describe "##{name}" do
      it "drops the bytes and returns nil" do
        packer.write(1)
        expect(packer.public_send(name)).to be_nil
        expect(packer.to_s).to be_bytes("")
      end

      it "keeps io, options and types" do
        io = FakeIO::Write.new
        packer = described_class.new(io, compatibility_mode: true)
        packer.register_type(1, Symbol, :to_s)
        packer.write(1)
        packer.public_send(name)
        packer.write([:a, "a".b]).flush
        expect(io.string).to be_bytes("92 d4 01 61 a1 61")
      end
    end
  end

  describe "#write_to", :gc_stress do
    it "hands everything over and counts it" do
      io = FakeIO::Write.new
      expect(packer.write([1, 2]).write_to(io)).to eq(3)
      expect(io.string).to be_bytes("92 01 02")
      expect(packer).to be_empty
    end

    it "does not call the io when there is nothing" do
      io = FakeIO::Write.new
      expect(packer.write_to(io)).to eq(0)
      expect(io.writes).to eq([])
    end

    it "does not use <<" do
      expect { packer.write(1).write_to(FakeIO::Append.new) }
        .to raise_error(NoMethodError) { |error| expect(error.name).to eq(:write) }
    end
  end

  describe "#buffer" do
    it "is a Buffer, the same each time" do
      expect(packer.buffer).to be_instance_of(MessagePack::Buffer)
      expect(packer.buffer).to equal(packer.buffer)
    end

    it "sees what is written, and is seen" do
      packer.write(1)
      packer.buffer << "\xc0"
      packer.write(2)
      expect([packer.to_s, packer.buffer.to_s]).to eq([hex("01 c0 02")] * 2)
    end
  end

  describe "#compatibility_mode?" do
    it "is false unless asked for" do
      expect(packer.compatibility_mode?).to be(false)
    end

    it "is true for anything truthy" do
      expect(described_class.new(compatibility_mode: 1).compatibility_mode?).to be(true)
    end

    it "is false for nil" do
      expect(described_class.new(compatibility_mode: nil).compatibility_mode?).to be(false)
    end
  end

  describe "#dup and #clone" do
    %i[dup clone].each do |name|
      it "#{name} does not exist" do
        expect(packer).not_to respond_to(name)
        expect { packer.public_send(name) }.to raise_error(NoMethodError)
      end
    end
  end

  describe "#inspect" do
    it "does not show content" do
      expect(packer.write("secret").inspect).to match(/\A#<MessagePack::Packer:0x\h+>\z/)
    end
  end

  describe "#register_type", :gc_stress do
    let(:klass) { Class.new { def to_payload = "p" } }
    let(:object) { klass.new }

    it "returns nil" do
      expect(packer.register_type(1, klass, :to_payload)).to be_nil
    end

    it "takes a method name" do
      packer.register_type(1, klass, :to_payload)
      expect(packer.write(object).to_s).to be_bytes("d4 01 70")
    end

    it "takes a block" do
      packer.register_type(1, klass) { |given| given.equal?(object) ? "y" : "n" }
      expect(packer.write(object).to_s).to be_bytes("d4 01 79")
    end

    it "takes a Symbol as block" do
      packer.register_type(1, klass, &:to_payload)
      expect(packer.write(object).to_s).to be_bytes("d4 01 70")
    end

    it "takes a Proc" do
      packer.register_type(1, klass, proc { "q" })
      expect(packer.write(object).to_s).to be_bytes("d4 01 71")
    end

    it "takes a Method" do
      helper = Object.new
      def helper.payload(_object) = "m"
      packer.register_type(1, klass, helper.method(:payload))
      expect(packer.write(object).to_s).to be_bytes("d4 01 6d")
    end

    it "prefers the block" do
      packer.register_type(1, klass, :to_payload) { "b" }
      expect(packer.write(object).to_s).to be_bytes("d4 01 62")
    end

    it "takes a module" do
      mixin = Module.new
      packer.register_type(1, mixin) { "x" }
      expect(packer.write(Class.new { include mixin }.new).to_s).to be_bytes("d4 01 78")
    end

    it "passes a Proc nothing but the object" do
      given = nil
      packer.register_type(1, klass, proc { |*all| (given = all) && "x" })
      packer.write(object)
      expect(given).to eq([object])
    end

    it "replaces the type of the same class" do
      packer.register_type(1, klass) { "x" }
      packer.register_type(2, klass) { "y" }
      expect(packer.write(object).to_s).to be_bytes("d4 02 79")
    end

    it "takes effect at once" do
      packer.register_type(1, klass) { "x" }
      subclass = Class.new(klass)
      packer.write(subclass.new)
      packer.register_type(2, subclass) { "y" }
      expect(packer.write(subclass.new).to_s).to be_bytes("d4 01 78 d4 02 79")
    end

    [[1], [2, nil], [3, "str"], [4, Object.new]].each do |id, *callable|
      it "refuses #{callable.empty? ? 'nothing' : callable.first.class} as callable" do
        expect { packer.register_type(id, klass, *callable) }
          .to raise_error(NoMethodError) { |error| expect(error.name).to eq(:to_proc) }
      end
    end

    it "refuses what is no Module" do
      expect { packer.register_type(1, "A") { "x" } }
        .to raise_error(ArgumentError, 'expected Module/Class got: "A"')
    end

    [128, -129].each do |type|
      it "refuses type #{type}" do
        expect { packer.register_type(type, klass) { "x" } }.to raise_error(RangeError, no_signed_char(type))
      end
    end

    [-128, 0, 127].each do |type|
      it "takes type #{type}" do
        packer.register_type(type, klass) { "x" }
        expect(packer.write(object).to_s).to eq([0xd4, type, "x"].pack("CcA"))
      end
    end

    it "refuses type 2**40" do
      expect { packer.register_type(2**40, klass) { "x" } }
        .to raise_error(RangeError, integer_too_big(2**40, "int"))
    end

    it "refuses type 2**80" do
      expect { packer.register_type(2**80, klass) { "x" } }.to raise_error(RangeError, bignum_too_big("long"))
    end

    ["1", nil].each do |type|
      it "refuses type #{type.inspect}" do
        expect { packer.register_type(type, klass) { "x" } }.to raise_error(TypeError)
      end
    end

    it "truncates a Float" do
      packer.register_type(1.7, klass) { "x" }
      expect(packer.write(object).to_s).to be_bytes("d4 01 78")
    end

    it "is refused by a frozen packer" do
      expect { packer.freeze.register_type(1, klass) { "x" } }
        .to raise_error(FrozenError, /\Acan't modify frozen MessagePack::Packer/)
    end

    it "does not change the factory or its other packers" do
      factory = MessagePack::Factory.new
      packer = factory.packer
      packer.register_type(1, klass) { "x" }
      expect([factory.type_registered?(1), factory.packer.type_registered?(1)]).to eq([false, false])
    end

    it "makes no type for oversized integers" do
      packer.register_type(1, Integer) { "x" }
      expect { packer.write(2**64) }.to raise_error(RangeError)
    end

    Boundaries::EXT.each do |size, head|
      it "writes a payload of #{size} bytes behind #{head}" do
        packer.register_type(5, klass) { "x" * size }
        expect(packer.write(object).to_s).to eq(hex(head) + ("x" * size))
      end
    end

    it "takes the bytes of the payload, whatever the encoding" do
      packer.register_type(1, klass) { "é".encode("UTF-16LE") }
      expect(packer.write(object).to_s).to be_bytes("d5 01 e9 00")
    end

    it "calls to_str on the payload" do
      payload = Object.new
      def payload.to_str = "s"
      packer.register_type(1, klass) { payload }
      expect(packer.write(object).to_s).to be_bytes("d4 01 73")
    end

    { nil => "nil", 1 => "Integer", a: "Symbol" }.each do |payload, name|
      it "refuses #{payload.inspect} as payload" do
        packer.register_type(1, klass) { payload }
        expect { packer.write(object) }.to raise_error(TypeError, "no implicit conversion of #{name} into String")
      end
    end

    it "passes exceptions on and keeps what was written" do
      packer.register_type(1, klass) { raise IOError, "mine" }
      expect { packer.write([1, object]) }.to raise_error(IOError, "mine")
      expect(packer.to_s).to be_bytes("92 01")
    end

    it "lets throw through" do
      packer.register_type(1, klass) { throw :out, 5 }
      expect(catch(:out) { packer.write([1, object]) }).to eq(5)
      expect(packer.write(2).to_s).to be_bytes("92 01 02")
    end
  end

  describe "the ext type of an object", :gc_stress do
    let(:base) { Class.new }
    let(:child) { Class.new(base) }
    let(:grandchild) { Class.new(child) }

    def register(*classes)
      classes.each.with_index(1) { |klass, id| packer.register_type(id, klass) { "x" } }
    end

    it "is that of the ancestor registered first, if that is the farther one" do
      register(base, child)
      expect(packer.write(grandchild.new).to_s).to be_bytes("d4 01 78")
    end

    it "is that of the ancestor registered first, if that is the nearer one" do
      register(child, base)
      expect(packer.write(grandchild.new).to_s).to be_bytes("d4 01 78")
    end

    it "is that of its own class before all ancestors" do
      register(base, child)
      expect(packer.write(child.new).to_s).to be_bytes("d4 02 78")
    end

    it "is that of its singleton class before that of its class" do
      object = base.new
      register(base, object.singleton_class)
      expect(packer.write(object).to_s).to be_bytes("d4 02 78")
    end

    it "is that of its class before that of a module it was extended with" do
      mixin = Module.new
      register(mixin, base)
      expect(packer.write(base.new.extend(mixin)).to_s).to be_bytes("d4 02 78")
    end

    it "can be that of a module it was extended with" do
      mixin = Module.new
      register(mixin)
      expect(packer.write(base.new.extend(mixin)).to_s).to be_bytes("d4 01 78")
    end

    it "is found for a module included after a first try" do
      mixin = Module.new
      register(mixin)
      expect { packer.write(base.new) }.to raise_error(NoMethodError)
      base.include(mixin)
      expect(packer.write(base.new).to_s).to be_bytes("d4 01 78")
    end

    it "is not mixed up between an extended object and its class" do
      mixin = Module.new
      register(mixin)
      packer.write(base.new.extend(mixin))
      expect { packer.write(base.new) }.to raise_error(NoMethodError)
    end

    {
      "Object" => [Object, -> { Time.at(0) }],
      "BasicObject" => [BasicObject, -> { BasicObject.new }],
      "Kernel" => [Kernel, -> { Object.new }],
      "Comparable" => [Comparable, -> { Time.at(0) }],
      "Struct" => [Struct, -> { Struct.new(:a).new(1) }],
      "Class" => [Class, -> { String }],
      "Module" => [Module, -> { Kernel }],
      "Numeric" => [Numeric, -> { 1r }]
    }.each do |name, (klass, object)|
      it "can be that of #{name}" do
        register(klass)
        expect(packer.write(object.call).to_s).to be_bytes("d4 01 78")
      end
    end

    it "is that of ExtensionValue for an ExtensionValue" do
      register(MessagePack::ExtensionValue)
      expect(packer.write(MessagePack::ExtensionValue.new(9, "")).to_s).to be_bytes("d4 01 78")
    end
  end

  describe "#registered_types" do
    it "lists them by type" do
      packer.register_type(2, Symbol, :to_s)
      packer.register_type(-1, Range) { "x" }
      expect(packer.registered_types).to match([
        { type: -1, class: Range, packer: an_instance_of(Proc) },
        { type: 2, class: Symbol, packer: an_instance_of(Proc) }
      ])
    end

    it "orders the names" do
      packer.register_type(2, Symbol, :to_s)
      expect(packer.registered_types.first.keys).to eq(%i[type class packer])
    end

    it "is a copy" do
      packer.register_type(2, Symbol, :to_s)
      packer.registered_types.clear
      packer.registered_types.each(&:clear)
      expect(packer.registered_types.size).to eq(1)
      expect(packer.registered_types.first[:type]).to eq(2)
    end

    it "includes those of the factory" do
      factory = MessagePack::Factory.new
      factory.register_type(1, Range, packer: :to_s, unpacker: nil)
      expect(factory.packer.registered_types.map { |entry| entry[:type] }).to eq([1])
    end
  end

  describe "#type_registered?" do
    before { packer.register_type(1, Comparable) { "x" } }

    it "knows an id" do
      expect([packer.type_registered?(1), packer.type_registered?(2)]).to eq([true, false])
    end

    it "knows a module, and what includes it" do
      expect([packer.type_registered?(Comparable), packer.type_registered?(Time), packer.type_registered?(Range)])
        .to eq([true, true, false])
    end

    it "refuses anything else" do
      expect { packer.type_registered?("1") }.to raise_error(ArgumentError, "class or type id")
    end
  end

  describe "a subclass" do
    it "can have an initialize of its own" do
      subclass = Class.new(described_class) do
        def initialize(name)
          @name = name
          super(compatibility_mode: true)
        end
      end
      expect(subclass.new("x").write("a".b).to_s).to be_bytes("a1 61")
    end
  end

  describe "Marshal" do
    it "is refused" do
      expect { Marshal.dump(packer) }.to raise_error(TypeError, /no _dump_data is defined for class/)
    end
  end
end
