# frozen_string_literal: true

RSpec.describe MessagePack do
  describe "VERSION" do
    it "is a frozen String" do
      expect(described_class::VERSION).to be_a(String).and be_frozen
    end

    it "satisfies what dependents ask for" do
      version = Gem::Version.new(described_class::VERSION)
      ["~> 1.2", ">= 1.3.1, < 2.0.0", ">= 1.7.0"].each do |requirement|
        expect(Gem::Requirement.new(requirement.split(", "))).to be_satisfied_by(version)
      end
    end
  end

  describe "what require loads" do

    %w[
      msgpack msgpack/version msgpack/buffer msgpack/packer msgpack/unpacker msgpack/factory msgpack/symbol
      msgpack/core_ext msgpack/timestamp msgpack/time msgpack/bigint
    ].each do |feature|
      it "includes #{feature}, by itself", gc_stress: false do
        expect(Child.ruby("require '#{feature}'; print :loaded")).to eq("loaded")
      end
    end

    it "leaves Bigint to msgpack/bigint", gc_stress: false do
      expect(Child.ruby("require 'msgpack'; p defined?(MessagePack::Bigint)")).to eq("nil\n")
    end

    it "has no DEFAULT_EMPTY_PARAMS" do
      expect(described_class.const_defined?(:DEFAULT_EMPTY_PARAMS)).to be(false)
    end
  end

  describe "DefaultFactory" do
    it "is a Factory" do
      expect(described_class::DefaultFactory).to be_instance_of(MessagePack::Factory)
    end

    it "is not frozen" do
      expect(described_class::DefaultFactory).not_to be_frozen
    end

    it "has no types of its own", gc_stress: false do
      expect(Child.ruby("require 'msgpack'; p MessagePack::DefaultFactory.registered_types")).to eq("[]\n")
    end
  end

  describe "the functions as instance methods" do
    let(:includer) { Class.new { include MessagePack }.new }

    %i[load unpack pack dump].each do |name|
      it "has #{name}, private" do
        expect(includer.private_methods).to include(name)
      end

      it "refuses #{name} from outside" do
        expect { includer.public_send(name, "\x01") }.to raise_error(NoMethodError, /private method/)
      end
    end

    it "pack works from inside" do
      expect(includer.send(:pack, 1)).to be_bytes("01")
    end

    it "unpack works from inside" do
      expect(includer.send(:unpack, "\x01")).to eq(1)
    end
  end

  shared_examples "load" do |name|
    define_method(:load) { |*args, **options| MessagePack.public_send(name, *args, **options) }

    context "with a String" do
      it "returns the object" do
        expect(load(hex("92 01 a1 61"))).to eq([1, "a"])
      end

      it "takes nil as no options" do
        expect(load(hex("01"), nil)).to eq(1)
      end

      it "takes an empty Hash as no options" do
        expect(load(hex("01"), {})).to eq(1)
      end

      it "takes options as keywords" do
        expect(load(hex("81 a1 61 01"), symbolize_keys: true)).to eq({ a: 1 })
      end

      it "takes options as a Hash" do
        options = { symbolize_keys: true }
        expect(load(hex("81 a1 61 01"), options)).to eq({ a: 1 })
      end

      it "ignores option names that are Strings" do
        expect(load(hex("81 a1 61 01"), { "symbolize_keys" => true })).to eq({ "a" => 1 })
      end

      it "ignores options it does not know" do
        expect(load(hex("01"), no_such_option: 1)).to eq(1)
      end

      it "takes a second argument that is no Hash for the io behind the String" do
        expect(load(hex("92 01"), StringIO.new(hex("02")))).to eq([1, 2])
      end

      it "does not touch that io when the String suffices" do
        expect(load(hex("01"), 5)).to eq(1)
      end

      it "takes a frozen String" do
        expect(load(hex("01").freeze)).to eq(1)
      end

      it "takes a subclass of String" do
        expect(load(Class.new(String).new(hex("01")))).to eq(1)
      end

      it "takes the bytes as they are, whatever the encoding" do
        [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::Shift_JIS].each do |encoding|
          expect(load(hex("a2 c3 a9").force_encoding(encoding))).to eq("é")
        end
      end

      it "leaves the String alone" do
        source = hex("92 01 02")
        load(source)
        expect(source).to be_bytes("92 01 02")
      end
    end

    context "with a String that is not one object" do
      it "refuses an empty one" do
        expect { load("") }.to raise_error(EOFError, "end of buffer reached")
      end

      it "refuses one cut anywhere" do
        wire = hex("82 a1 61 92 cd 01 00 c0 a1 62 cb 3f f0 00 00 00 00 00 00")
        (1...wire.bytesize).each do |size|
          expect { load(wire.byteslice(0, size)) }.to raise_error(EOFError, "end of buffer reached")
        end
      end

      it "counts one byte too many" do
        expect { load(hex("01 02")) }
          .to raise_error(MessagePack::MalformedFormatError, "1 extra bytes after the deserialized object")
      end

      it "counts many bytes too many" do
        expect { load(hex("01") + ("\x00" * 100_000)) }
          .to raise_error(MessagePack::MalformedFormatError, "100000 extra bytes after the deserialized object")
      end

      it "refuses c1" do
        expect { load(hex("c1")) }.to raise_error(MessagePack::MalformedFormatError, "invalid byte")
      end

      it "refuses an ext type it does not know" do
        expect { load(hex("d4 05 61")) }
          .to raise_error(MessagePack::UnknownExtTypeError, "unexpected extension type")
      end

      it "refuses more than 128 levels" do
        expect { load(hex("91" * 129 + "c0")) }
          .to raise_error(MessagePack::StackError, "stack level too deep")
      end
    end

    context "with an io" do
      it "reads one object" do
        expect(load(StringIO.new(hex("92 01 02")))).to eq([1, 2])
      end

      it "takes options behind it" do
        expect(load(StringIO.new(hex("81 a1 61 01")), symbolize_keys: true)).to eq({ a: 1 })
      end

      it "takes nil behind it" do
        expect(load(StringIO.new(hex("01")), nil)).to eq(1)
      end

      it "refuses anything else behind it" do
        expect { load(StringIO.new(hex("01")), 1) }
          .to raise_error(ArgumentError, "expected Hash but found Integer.")
      end

      it "raises the io's own error at its end" do
        expect { load(StringIO.new(hex("92 01"))) }.to raise_error(EOFError, "end of file reached")
      end

      it "raises an error of its own when the io's read says nil" do
        expect { load(FakeIO::Read.new(hex("92 01"))) }.to raise_error(EOFError, "IO reached end of file")
      end

      it "counts surplus bytes that were read with the object" do
        expect { load(StringIO.new(hex("01 02 03"))) }
          .to raise_error(MessagePack::MalformedFormatError, "2 extra bytes after the deserialized object")
      end

      it "leaves bytes it did not have to read" do
        io = FakeIO::Chunks.new(hex("01"), hex("02"))
        expect([load(io), io.chunks]).to eq([1, [hex("02")]])
      end

      it "reads at most 32768 bytes ahead" do
        io = FakeIO::Chunks.new(hex("01"))
        load(io)
        expect(io.sizes).to eq([32_768])
      end
    end

    context "with something else" do
      it "refuses nil as an empty source" do
        expect { load(nil) }.to raise_error(EOFError, "end of buffer reached")
      end

      [1, :a, [1], {}].each do |source|
        it "takes #{source.inspect} for an io" do
          expect { load(source) }.to raise_error(NoMethodError) { |error| expect(error.name).to eq(:read) }
        end
      end

      it "takes a lone Hash for the source" do
        source = { symbolize_keys: true }
        expect { load(source) }.to raise_error(NoMethodError) { |error| expect(error.name).to eq(:read) }
      end

      it "takes an object with to_str for an io" do
        source = Object.new
        def source.to_str = "\x01"
        expect { load(source) }.to raise_error(NoMethodError) { |error| expect(error.name).to eq(:read) }
      end
    end

    it "takes one or two arguments" do
      expect { load }.to raise_error(ArgumentError, wrong_number_of_arguments(0, "1..2"))
      expect { load("", nil, nil) }.to raise_error(ArgumentError, wrong_number_of_arguments(3, "1..2"))
    end
  end

  describe(".load") { include_examples "load", :load }
  describe(".unpack") { include_examples "load", :unpack }

  shared_examples "pack" do |name|
    define_method(:pack) { |*args, **options| MessagePack.public_send(name, *args, **options) }

    context "without an io" do
      it "returns the bytes" do
        expect(pack([1, "a"])).to be_bytes("92 01 a1 61")
      end

      it "returns a String of the caller's own" do
        expect(pack(1)).not_to be_frozen
        expect(pack(1)).not_to equal(pack(1))
      end

      [[nil], [nil, nil], [{}], [nil, {}]].each do |rest|
        it "takes #{rest.map(&:inspect).join(', ')} behind the object" do
          expect(pack(1, *rest)).to be_bytes("01")
        end
      end

      it "takes options as keywords" do
        expect(pack("a".b, compatibility_mode: true)).to be_bytes("a1 61")
      end

      it "takes options as a Hash" do
        options = { compatibility_mode: true }
        expect(pack("a".b, options)).to be_bytes("a1 61")
      end

      it "takes options behind nil" do
        options = { compatibility_mode: true }
        expect(pack("a".b, nil, options)).to be_bytes("a1 61")
      end

      it "takes nil behind options" do
        options = { compatibility_mode: true }
        expect(pack("a".b, options, nil)).to be_bytes("a1 61")
      end
    end

    context "with an io" do
      it "writes everything to it" do
        io = StringIO.new("".b)
        pack([1, "a"], io)
        expect(io.string).to be_bytes("92 01 a1 61")
      end

      it "returns nil" do
        expect(pack(1, StringIO.new)).to be_nil
      end

      it "takes options behind it" do
        io = StringIO.new("".b)
        pack("a".b, io, compatibility_mode: true)
        expect(io.string).to be_bytes("a1 61")
      end

      it "writes neither too little nor too much" do
        io = FakeIO::Write.new
        pack(["x" * 100_000, 1], io)
        expect(io.string).to eq(hex("92 db 00 01 86 a0") + ("x" * 100_000) + hex("01"))
      end

      it "appends to an Array" do
        array = []
        expect(pack(1, array)).to be_nil
        expect(array).to eq([hex("01")])
      end

      it "appends to a String" do
        string = hex("00")
        expect(pack(1, string)).to be_nil
        expect(string).to be_bytes("00 01")
      end

      it "asks for write when there is neither write nor <<" do
        expect { pack(1, Object.new) }.to raise_error(NoMethodError) { |error| expect(error.name).to eq(:write) }
      end

      it "takes the first of two Hashes for the io" do
        expect { pack(1, {}, {}) }.to raise_error(NoMethodError) { |error| expect(error.name).to eq(:write) }
      end
    end

    it "refuses options that are no Hash" do
      expect { pack(1, nil, 5) }.to raise_error(TypeError, wrong_argument_type("Integer", "Hash"))
    end

    it "takes one to three arguments" do
      expect { pack }.to raise_error(ArgumentError, wrong_number_of_arguments(0, "1..3"))
      expect { pack(1, nil, nil, nil) }.to raise_error(ArgumentError, wrong_number_of_arguments(4, "1..3"))
    end

    context "with an object that can not be packed" do
      let(:object) { Object.new }

      it "raises NoMethodError" do
        expect { pack(object) }.to raise_error(NoMethodError, undefined_method(:to_msgpack, object))
      end

      it "tells the method, the object and the packer" do
        expect { pack([object]) }.to raise_error(NoMethodError) { |error|
          expect(error.name).to eq(:to_msgpack)
          expect(error.receiver).to equal(object)
          expect(error.args).to match([an_instance_of(MessagePack::Packer)])
        }
      end
    end
  end

  describe(".pack") { include_examples "pack", :pack }
  describe(".dump") { include_examples "pack", :dump }
end
