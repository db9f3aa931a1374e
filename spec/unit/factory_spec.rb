# frozen_string_literal: true

RSpec.describe MessagePack::Factory do
  subject(:factory) { described_class.new }

  let(:wrap) { Samples::Wrap }
  let(:wrap_child) { Samples::WrapChild }

  # What every object that the type catches packs as: fixext 1 with this payload.
  def constant(payload)
    ->(_object) { payload }
  end

  describe ".new" do
    it "takes no arguments" do
      expect { described_class.new(1) }.to raise_error(ArgumentError, "wrong number of arguments (1 for 0)")
    end

    it "knows no types" do
      expect(factory.registered_types).to eq([])
    end
  end

  describe ".allocate" do
    it "gives an empty factory" do
      expect(described_class.allocate.dump([1])).to be_bytes("91 01")
    end

    it "gives a factory that takes types" do
      allocated = described_class.allocate
      allocated.register_type(1, wrap)
      expect(allocated.load(allocated.dump(wrap.new("x")))).to eq(wrap.new("x"))
    end

    it "gives a factory that can be duplicated" do
      expect(described_class.allocate.dup.dump(1)).to be_bytes("01")
    end
  end

  describe "#register_type" do
    it "returns nil" do
      expect(factory.register_type(1, wrap)).to be_nil
    end

    it "takes to_msgpack_ext by default" do
      factory.register_type(1, wrap)
      expect(factory.dump(wrap.new("xy"))).to be_bytes("d5 01 78 79")
    end

    it "takes from_msgpack_ext by default" do
      factory.register_type(1, wrap)
      expect(factory.load(hex("d5 01 78 79"))).to eq(wrap.new("xy"))
    end

    it "takes two or three arguments" do
      expect { factory.register_type(1) }.to raise_error(ArgumentError, "wrong number of arguments (given 1, expected 2..3)")
    end

    {
      "a Symbol" => :value,
      "a String" => "value",
      "a lambda" => ->(object) { object.value },
      "a proc" => proc { |object| object.value },
      "a Method" => Samples::Caller.new("xy").method(:call),
      "an object with #call" => Samples::Caller.new("xy")
    }.each do |name, callable|
      it "takes #{name} as packer" do
        factory.register_type(1, wrap, packer: callable)
        expect(factory.dump(wrap.new("xy"))).to be_bytes("d5 01 78 79")
      end
    end

    {
      "a Symbol" => :from_msgpack_ext,
      "a String" => "from_msgpack_ext",
      "a lambda" => ->(data) { Samples::Wrap.new(data) },
      "a proc" => proc { |data| Samples::Wrap.new(data) },
      "a Method" => Samples::Wrap.method(:new),
      "an object with #call" => Samples::Caller.new(Samples::Wrap.new("xy"))
    }.each do |name, callable|
      it "takes #{name} as unpacker" do
        factory.register_type(1, wrap, unpacker: callable)
        expect(factory.load(hex("d5 01 78 79"))).to eq(wrap.new("xy"))
      end
    end

    it "calls a private method of the class" do
      klass = Class.new(wrap) { private_class_method :from_msgpack_ext }
      factory.register_type(1, klass)
      expect(factory.load(hex("d4 01 78"))).to eq(klass.new("x"))
    end

    it "keeps a Method that its name does not lead to" do
      parent = Class.new { def pack(_object) = "p" }
      child = Class.new(parent) { def pack(_object) = "c" }
      factory.register_type(1, wrap, packer: child.new.method(:pack).super_method)
      expect(factory.dump(wrap.new)).to be_bytes("d4 01 70")
    end

    it "keeps the Method of an object whose #method is another thing" do
      request = Class.new do
        def method = "GET"
        def pack(_object) = "r"
      end
      pack = Kernel.instance_method(:method).bind(request.new).call(:pack)
      factory.register_type(1, wrap, packer: pack)
      expect(factory.dump(wrap.new)).to be_bytes("d4 01 72")
    end

    it "registers neither side for nil options" do
      factory.register_type(1, wrap, nil)
      expect(factory.registered_types).to eq([{ type: 1, class: wrap, packer: nil, unpacker: nil }])
    end

    it "registers neither side for empty options" do
      factory.register_type(1, wrap, {})
      expect(factory.registered_types).to eq([{ type: 1, class: wrap, packer: nil, unpacker: nil }])
    end

    it "leaves the unpacker nil if only a packer is given" do
      factory.register_type(1, wrap, packer: :value)
      expect(factory.registered_types).to match([hash_including(packer: Proc, unpacker: nil)])
    end

    it "leaves the packer nil if only an unpacker is given" do
      factory.register_type(1, wrap, unpacker: :new)
      expect(factory.registered_types).to match([hash_including(packer: nil, unpacker: Proc)])
    end

    it "ignores option names that are Strings" do
      factory.register_type(1, wrap, { "packer" => :value })
      expect(factory.registered_types(:packer)).to eq([])
    end

    it "takes frozen options with unknown keys, and leaves them as they are" do
      options = { packer: :value, code: 1 }.freeze
      factory.register_type(1, wrap, options)
      expect(options).to eq({ packer: :value, code: 1 })
    end

    it "does not know oversized_integer_extension_type" do
      factory.register_type(1, Integer, packer: :to_s, oversized_integer_extension_type: true)
      expect { factory.dump(2**64) }.to raise_error(RangeError)
    end

    it "refuses options that are not a Hash" do
      expect { factory.register_type(1, wrap, 5) }.to raise_error(TypeError, "wrong argument type Integer (expected Hash)")
    end

    [5, false, Object].each do |value|
      it "refuses #{value.inspect} as packer" do
        expect { factory.register_type(1, wrap, packer: value) }
          .to raise_error(TypeError, "expected :packer argument to be a callable object, got: #{value.inspect}")
      end

      it "refuses #{value.inspect} as unpacker" do
        expect { factory.register_type(1, wrap, unpacker: value) }
          .to raise_error(TypeError, "expected :unpacker argument to be a callable object, got: #{value.inspect}")
      end
    end

    it "refuses a class without the unpacker method" do
      expect { factory.register_type(1, wrap, unpacker: :nope) }.to raise_error(NameError, /undefined method [`']nope'/)
    end

    it "refuses a class without from_msgpack_ext if no options are given" do
      expect { factory.register_type(1, Class.new) }.to raise_error(NameError, /from_msgpack_ext/)
    end

    it "registers nothing when it refuses" do
      factory.register_type(1, Class.new) rescue NameError
      expect(factory.registered_types).to eq([])
    end

    it "takes a class whose objects lack the packer method, which shows when one is packed" do
      factory.register_type(1, wrap, packer: :nope)
      expect { factory.dump(wrap.new) }.to raise_error(NoMethodError, /undefined method [`']nope'/)
    end

    it "refuses what is neither class nor module" do
      expect { factory.register_type(1, "A", {}) }.to raise_error(ArgumentError, "expected Module/Class but found String.")
    end

    it "refuses nil as class" do
      expect { factory.register_type(1, nil, packer: :to_s) }
        .to raise_error(ArgumentError, "expected Module/Class but found NilClass.")
    end

    it "looks the unpacker up before it looks at the class" do
      expect { factory.register_type(1, "A") }.to raise_error(NameError, /from_msgpack_ext/)
    end

    { "1" => "String", nil => "nil", 1.0 => "Float" }.each do |type, name|
      it "refuses #{type.inspect} as id" do
        expect { factory.register_type(type, wrap) }
          .to raise_error(TypeError, "wrong argument type #{name} (expected Integer)")
      end
    end

    [128, -129].each do |type|
      it "refuses #{type} as id" do
        expect { factory.register_type(type, wrap) }
          .to raise_error(RangeError, "integer #{type} too big to convert to `signed char'")
      end
    end

    it "refuses an id that is not a machine word" do
      expect { factory.register_type(2**80, wrap) }.to raise_error(RangeError, /\Abignum too big to convert into [`']long'\z/)
    end

    it "refuses 2**40 as id" do
      expect { factory.register_type(2**40, wrap) }.to raise_error(RangeError)
    end

    { -128 => "80", -1 => "ff", 127 => "7f" }.each do |type, byte|
      it "takes #{type} as id" do
        factory.register_type(type, wrap)
        expect(factory.dump(wrap.new("x"))).to be_bytes("d4 #{byte} 78")
      end
    end

    it "is refused by a frozen factory before anything else is looked at" do
      factory.freeze
      expect { factory.register_type("x", 5, packer: 5) }
        .to raise_error(FrozenError, "can't modify frozen MessagePack::Factory")
    end

    it "names the frozen factory as the receiver" do
      factory.freeze
      expect { factory.register_type(1, wrap) }.to raise_error(FrozenError) { |error| expect(error.receiver).to equal(factory) }
    end
  end

  describe "a packer callable" do
    it "gets the object, and nothing else" do
      got = nil
      factory.register_type(1, wrap, packer: ->(*arguments) { (got = arguments) && "" })
      object = wrap.new
      factory.dump(object)
      expect(got).to eq([object])
    end

    it "may return an object that stands for a String" do
      factory.register_type(1, wrap, packer: ->(_) { Samples::StringLike.new("ts") })
      expect(factory.dump(wrap.new)).to be_bytes("d5 01 74 73")
    end

    it "may return a String in any encoding, of which the bytes count" do
      factory.register_type(1, wrap, packer: ->(_) { "é".encode("UTF-16LE") })
      expect(factory.dump(wrap.new)).to be_bytes("d5 01 e9 00")
    end

    it "may return the empty String" do
      factory.register_type(1, wrap, packer: constant(""))
      expect(factory.dump(wrap.new)).to be_bytes("c7 00 01")
    end

    { nil => "nil", 5 => "Integer", :s => "Symbol" }.each do |result, name|
      it "may not return #{result.inspect}" do
        factory.register_type(1, wrap, packer: constant(result))
        expect { factory.dump(wrap.new) }.to raise_error(TypeError, "no implicit conversion of #{name} into String")
      end
    end

    it "leaves what was written before it raised" do
      factory.register_type(1, wrap, packer: ->(_) { raise "no" })
      packer = factory.packer
      expect { packer.write([1, wrap.new]) }.to raise_error(RuntimeError, "no")
      expect(packer.to_s).to be_bytes("92 01")
    end

    it "may throw" do
      factory.register_type(1, wrap, packer: ->(_) { throw :out, 7 })
      packer = factory.packer.write(1)
      expect(catch(:out) { packer.write(wrap.new) }).to eq(7)
      expect(packer.to_s).to be_bytes("01")
    end

    it "may use the factory it is registered on" do
      factory.register_type(1, wrap, packer: ->(object) { factory.dump(object.value) }, unpacker: ->(data) { wrap.new(factory.load(data)) })
      nested = wrap.new([wrap.new(1), wrap.new({ "a" => 2 })])
      expect(factory.load(factory.dump(nested))).to eq(nested)
    end
  end

  describe "the look-up of an object's type" do
    let(:parent) { Class.new }
    let(:child) { Class.new(parent) }
    let(:grandchild) { Class.new(child) }

    it "takes the first registered ancestor, the farther one" do
      factory.register_type(1, parent, packer: constant("p"))
      factory.register_type(2, child, packer: constant("c"))
      expect(factory.dump(grandchild.new)).to be_bytes("d4 01 70")
    end

    it "takes the first registered ancestor, the nearer one" do
      factory.register_type(2, child, packer: constant("c"))
      factory.register_type(1, parent, packer: constant("p"))
      expect(factory.dump(grandchild.new)).to be_bytes("d4 02 63")
    end

    it "prefers the object's own class to ancestors registered earlier" do
      factory.register_type(1, parent, packer: constant("p"))
      factory.register_type(2, child, packer: constant("c"))
      expect(factory.dump(child.new)).to be_bytes("d4 02 63")
    end

    it "prefers a registered singleton class to the class" do
      object = parent.new
      factory.register_type(1, parent, packer: constant("p"))
      factory.register_type(2, object.singleton_class, packer: constant("s"))
      expect(factory.dump(object)).to be_bytes("d4 02 73")
    end

    it "prefers the class to a module that the object is extended with" do
      factory.register_type(2, Samples::Tag, packer: :to_msgpack_ext)
      factory.register_type(1, parent, packer: constant("p"))
      expect(factory.dump(parent.new.extend(Samples::Tag))).to be_bytes("d4 01 70")
    end

    it "finds a module that the object is extended with" do
      factory.register_type(2, Samples::Tag, packer: :to_msgpack_ext)
      expect(factory.dump(Object.new.extend(Samples::Tag))).to be_bytes("c7 03 02 74 61 67")
    end

    it "finds an included module" do
      factory.register_type(2, Samples::Tag, packer: :to_msgpack_ext)
      expect(factory.dump(Samples::Tagged.new)).to be_bytes("c7 03 02 74 61 67")
    end

    it "finds a prepended module" do
      factory.register_type(2, Samples::Tag, packer: :to_msgpack_ext)
      expect(factory.dump(Class.new { prepend Samples::Tag }.new)).to be_bytes("c7 03 02 74 61 67")
    end

    it "takes the first registered of a class and a module" do
      factory.register_type(2, Samples::Tag, packer: :to_msgpack_ext)
      factory.register_type(1, parent, packer: constant("p"))
      expect(factory.dump(Class.new(parent) { include Samples::Tag }.new)).to be_bytes("c7 03 02 74 61 67")
    end

    it "passes over a nil packer of the class itself" do
      factory.register_type(1, parent, packer: constant("p"))
      factory.register_type(2, child, packer: nil)
      expect(factory.dump(child.new)).to be_bytes("d4 01 70")
    end

    it "stops at an ancestor with a nil packer" do
      factory.register_type(2, child, packer: nil)
      factory.register_type(1, parent, packer: constant("p"))
      expect { factory.dump(grandchild.new) }.to raise_error(NoMethodError, /to_msgpack/)
    end

    it "falls back to to_msgpack for a nil packer" do
      klass = Class.new { def to_msgpack(packer) = packer.write(5) }
      factory.register_type(1, klass, packer: nil)
      expect(factory.dump(klass.new)).to be_bytes("05")
    end

    it "goes before to_msgpack" do
      klass = Class.new { def to_msgpack(packer) = packer.write(5) }
      factory.register_type(1, klass, packer: constant("k"))
      expect(factory.dump(klass.new)).to be_bytes("d4 01 6b")
    end

    it "takes the last packer of a class registered twice" do
      factory.register_type(1, parent, packer: constant("1"))
      factory.register_type(2, parent, packer: constant("2"))
      expect(factory.dump(parent.new)).to be_bytes("d4 02 32")
    end

    it "keeps both unpackers of a class registered twice" do
      factory.register_type(1, wrap)
      factory.register_type(2, wrap)
      expect(factory.load(hex("92 d4 01 78 d4 02 79"))).to eq([wrap.new("x"), wrap.new("y")])
    end

    it "packs two classes with one id" do
      factory.register_type(1, parent, packer: constant("p"))
      factory.register_type(1, Samples::Tagged, packer: constant("t"))
      expect(factory.dump([parent.new, Samples::Tagged.new])).to be_bytes("92 d4 01 70 d4 01 74")
    end

    it "unpacks an id of two classes by the last one" do
      factory.register_type(1, parent, unpacker: constant(:first))
      factory.register_type(1, wrap, unpacker: constant(:last))
      expect(factory.load(hex("d4 01 78"))).to eq(:last)
    end

    it "is not used for what has a format of its own" do
      factory.register_type(1, Object, packer: constant("o"))
      expect(factory.dump([nil, true, false, 1, 1.5, "s", :s, {}]))
        .to be_bytes("98 c0 c3 c2 01 cb 3f f8 00 00 00 00 00 00 a1 73 a1 73 80")
    end

    it "is used for subclasses of String, Array and Hash" do
      factory.register_type(1, Object, packer: constant("o"))
      expect(factory.dump([Samples::SubString.new("x"), Samples::SubArray[1], Samples::SubHash[1, 2]]))
        .to be_bytes("93 d4 01 6f d4 01 6f d4 01 6f")
    end

    it "is used for a String with a singleton class" do
      string = +"x"
      def string.extra; end
      factory.register_type(1, Object, packer: constant("o"))
      expect(factory.dump(string)).to be_bytes("d4 01 6f")
    end

    it "is used for subclasses of String only if String is registered" do
      factory.register_type(1, String, packer: constant("s"))
      expect(factory.dump(["x", Samples::SubString.new("x")])).to be_bytes("92 a1 78 d4 01 73")
    end

    it "packs the content of a String subclass without a type" do
      expect(factory.dump(Samples::SubString.new("x"))).to be_bytes("a1 78")
    end

    {
      Struct => Struct.new(:a).new(1), Kernel => 1r, Numeric => 1r, Comparable => Time.at(0), Class => String,
      Module => Kernel, BasicObject => BasicObject.new, Object => Object.new
    }.each do |type, object|
      it "takes #{type} as a type" do
        factory.register_type(1, type, packer: constant("x"))
        expect(factory.dump([object])).to be_bytes("91 d4 01 78")
      end
    end

    it "writes an ExtensionValue as it is" do
      factory.register_type(1, wrap)
      expect(factory.dump(MessagePack::ExtensionValue.new(9, "x"))).to be_bytes("d4 09 78")
    end

    it "catches an ExtensionValue by a type for Struct" do
      factory.register_type(1, Struct, packer: constant("s"))
      expect(factory.dump(MessagePack::ExtensionValue.new(9, "x"))).to be_bytes("d4 01 73")
    end

    it "notices a module that is included after the class was seen" do
      klass = Class.new
      factory.register_type(1, Samples::Tag, packer: :to_msgpack_ext)
      packer = factory.packer
      expect { packer.write(klass.new) }.to raise_error(NoMethodError)
      klass.include(Samples::Tag)
      expect(packer.write(klass.new).to_s).to be_bytes("c7 03 01 74 61 67")
    end

    it "notices a class made after the factory was frozen" do
      factory.register_type(1, wrap)
      factory.freeze
      expect(factory.dump(Class.new(wrap).new("x"))).to be_bytes("d4 01 78")
    end

    it "keeps no object with a singleton class alive" do
      factory.register_type(1, Samples::Tag, packer: :to_msgpack_ext)
      packer = factory.packer
      klass = Class.new
      200.times { packer.write(klass.new.extend(Samples::Tag)) }
      packer.reset
      3.times { GC.start }
      expect(ObjectSpace.each_object(klass).count).to be < 20
    end
  end

  describe "a recursive type" do
    let(:pair) { Struct.new(:left, :right) }

    before do
      klass = pair
      factory.register_type(
        1, pair, recursive: true,
        packer: ->(object, packer) { packer.write(object.left).write(object.right) },
        unpacker: ->(unpacker) { klass.new(unpacker.read, unpacker.read) }
      )
    end

    it "has what the packer writes as payload" do
      expect(factory.dump(pair.new(1, "a"))).to be_bytes("c7 03 01 01 a1 61")
    end

    it "reads the payload from the unpacker" do
      expect(factory.load(hex("c7 03 01 01 a1 61"))).to eq(pair.new(1, "a"))
    end

    it "holds objects of itself to any depth" do
      nested = (1..50).inject(pair.new(0, nil)) { |inner, number| pair.new(number, [inner, { "k" => inner.left }]) }
      expect(factory.load(factory.dump(nested))).to eq(nested)
    end

    it "stands inside of arrays and maps" do
      value = [pair.new(1, 2), { "k" => pair.new([3], nil) }, 4]
      expect(factory.load(factory.dump(value))).to eq(value)
    end

    it "ignores what the packer returns" do
      factory.register_type(2, wrap, packer: ->(_, packer) { packer.write(5) && "ignored" }, recursive: true)
      expect(factory.dump(wrap.new)).to be_bytes("d4 02 05")
    end

    it "has an empty payload if the packer writes nothing" do
      factory.register_type(2, wrap, packer: ->(_, _) {}, recursive: true)
      expect(factory.dump(wrap.new)).to be_bytes("c7 00 02")
    end

    it "gives the packer in use to the callable" do
      got = nil
      factory.register_type(2, wrap, packer: ->(_, packer) { got = [packer, packer.buffer] }, recursive: true)
      packer = factory.packer
      buffer = packer.buffer
      packer.write(wrap.new)
      expect(got).to match([equal(packer), equal(buffer)])
    end

    it "gives the unpacker in use to the callable" do
      got = nil
      factory.register_type(2, wrap, unpacker: ->(unpacker) { (got = unpacker).read }, recursive: true)
      unpacker = factory.unpacker.feed(hex("d4 02 05"))
      unpacker.read
      expect(got).to equal(unpacker)
    end

    it "gives the unpacker to the callable for an empty payload as well" do
      factory.register_type(2, wrap, unpacker: ->(unpacker) { unpacker.class }, recursive: true)
      expect(factory.load(hex("c7 00 02"))).to eq(MessagePack::Unpacker)
    end

    it "shows the packer empty and without io inside" do
      seen = nil
      factory.register_type(2, wrap, recursive: true, packer: lambda { |_, packer|
        seen = [packer.empty?, packer.buffer.io]
        packer.write(1).flush
      })
      io = StringIO.new(String.new)
      factory.packer(io).write(9).write(wrap.new).flush
      expect(seen).to eq([true, nil])
      expect(io.string).to be_bytes("09 d4 02 01")
    end

    it "resets nothing but the payload inside" do
      factory.register_type(2, wrap, packer: ->(_, packer) { packer.write(1).reset || packer.write(2) }, recursive: true)
      expect(factory.packer.write(9).write(wrap.new).to_s).to be_bytes("09 d4 02 02")
    end

    it "takes nothing but the payload by full_pack inside" do
      taken = nil
      factory.register_type(2, wrap, packer: ->(_, packer) { (taken = packer.write(1).full_pack) && packer.write(2) }, recursive: true)
      expect(factory.packer.write(9).write(wrap.new).to_s).to be_bytes("09 d4 02 02")
      expect(taken).to be_bytes("01")
    end

    it "drops the payload when the packer raises, and keeps what stood before" do
      factory.register_type(2, wrap, packer: ->(_, packer) { packer.write(1) && raise("no") }, recursive: true)
      packer = factory.packer.write(9)
      expect { packer.write(wrap.new) }.to raise_error(RuntimeError, "no")
      expect(packer.write(8).to_s).to be_bytes("09 08")
    end

    it "drops the payload when the packer throws" do
      factory.register_type(2, wrap, packer: ->(_, packer) { packer.write(1) && throw(:out, 7) }, recursive: true)
      packer = factory.packer.write(9)
      expect(catch(:out) { packer.write(wrap.new) }).to eq(7)
      expect(packer.write(8).to_s).to be_bytes("09 08")
    end

    it "refuses a lambda that takes the object alone" do
      factory.register_type(2, wrap, packer: ->(_) { "x" }, recursive: true)
      expect { factory.dump(wrap.new) }.to raise_error(ArgumentError, "wrong number of arguments (given 2, expected 1)")
    end

    it "takes a proc that takes the object alone" do
      factory.register_type(2, wrap, packer: proc { |_object| "x" }, recursive: true)
      expect(factory.dump(wrap.new)).to be_bytes("c7 00 02")
    end

    it "sends a method name with the packer" do
      klass = Class.new { def pack_into(packer) = packer.write_array_header(1).write(7) }
      factory.register_type(2, klass, packer: :pack_into, recursive: true)
      expect(factory.dump(klass.new)).to be_bytes("d5 02 91 07")
    end

    it "ends in SystemStackError when it never ends" do
      factory.register_type(2, wrap, packer: ->(object, packer) { packer.write(object) }, recursive: true)
      packer = factory.packer
      expect { packer.write(wrap.new) }.to raise_error(SystemStackError)
      packer.reset
      expect(packer.write(1).to_s).to be_bytes("01")
    end

    it "takes payloads of several hundred kilobytes, with a garbage collection inside" do
      factory.register_type(2, wrap, recursive: true,
                                     packer: ->(object, packer) { packer.write(object.value).then { GC.start } },
                                     unpacker: ->(unpacker) { Samples::Wrap.new(unpacker.read) })
      value = [wrap.new("a".b * 600_000), wrap.new("b".b * 70_000)]
      expect(factory.load(factory.dump(value))).to eq(value)
    end
  end

  describe "an oversized integer type" do
    let(:options) { { packer: :to_s, unpacker: ->(data) { data.to_i }, oversized_integer_extension: true } }

    before { factory.register_type(1, Integer, options) }

    it "takes what is above 64 bits" do
      expect(factory.dump(2**64)).to eq(hex("c7 14 01") + "18446744073709551616".b)
    end

    it "takes what is below 64 bits" do
      expect(factory.load(factory.dump(-(2**63) - 1))).to eq(-(2**63) - 1)
    end

    it "takes -2**63 as well" do
      expect(factory.dump(-(2**63))).to eq(hex("c7 14 01") + "-9223372036854775808".b)
    end

    { 5 => "05", 2**64 - 1 => "cf ff ff ff ff ff ff ff ff", -(2**63) + 1 => "d3 80 00 00 00 00 00 00 01" }.each do |number, bytes|
      it "leaves #{number} alone" do
        expect(factory.dump(number)).to be_bytes(bytes)
      end
    end

    it "is used by write_int" do
      expect(factory.packer.write_int(2**64).to_s).to eq(factory.dump(2**64))
    end

    it "works as a recursive type" do
      factory.register_type(1, Integer, options.merge(packer: ->(number, packer) { packer.write(number.to_s) },
                                                      unpacker: ->(unpacker) { unpacker.read.to_i }, recursive: true))
      expect(factory.load(factory.dump([2**70, 1]))).to eq([2**70, 1])
    end

    it "is for Integer alone" do
      [Numeric, wrap].each do |klass|
        expect { factory.register_type(2, klass, options) }
          .to raise_error(ArgumentError, "oversized_integer_extension: true is only for Integer class")
      end
    end

    it "without a packer leaves the RangeError" do
      other = described_class.new
      other.register_type(1, Integer, unpacker: ->(_) {}, oversized_integer_extension: true)
      expect { other.dump(2**64) }.to raise_error(RangeError, /unsigned long long/)
    end

    it "without the flag is never used" do
      other = described_class.new
      other.register_type(1, Integer, packer: :to_s)
      expect { other.dump(2**64) }.to raise_error(RangeError, /unsigned long long/)
    end

    it "survives dup, freeze and pool" do
      [factory.dup, factory.pool, factory.freeze].each do |maker|
        expect(maker.load(maker.dump(2**64))).to eq(2**64)
      end
    end
  end

  describe "a Symbol type" do
    it "packs Symbols, also as keys and inside of arrays" do
      factory.register_type(0, Symbol)
      expect(factory.dump([:a, { b: 1 }])).to be_bytes("92 d4 00 61 81 d4 00 62 01")
    end

    it "is used by write_symbol" do
      factory.register_type(0, Symbol)
      expect(factory.packer.write_symbol(:a).to_s).to be_bytes("d4 00 61")
    end

    [{ packer: nil }, {}, nil, { unpacker: :from_msgpack_ext }].each do |options|
      it "packs Symbols as strings when registered with #{options.inspect}" do
        factory.register_type(0, Symbol, options)
        expect(factory.dump(:a)).to be_bytes("a1 61")
      end
    end

    it "reads Symbols without a call of its unpacker if asked for" do
      factory.register_type(5, Symbol, packer: :to_s, unpacker: ->(_) { raise "called" }, optimized_symbols_parsing: true)
      expect(factory.load(hex("93 d4 05 61 c7 00 05 c7 02 05 c3 a9"))).to eq([:a, :"", :é])
    end

    it "reads Symbols in UTF-8, however their bytes come" do
      factory.register_type(0, Symbol, optimized_symbols_parsing: true, packer: :to_s, unpacker: :from_msgpack_ext)
      unpacker = factory.unpacker
      symbols = []
      hex("c7 02 00 c3 a9").each_char { |byte| unpacker.feed_each(byte) { |symbol| symbols << symbol } }
      expect(symbols).to eq([:é])
      expect(symbols[0].encoding).to eq(Encoding::UTF_8)
    end

    it "refuses broken UTF-8 when it reads Symbols without a call" do
      factory.register_type(0, Symbol, optimized_symbols_parsing: true, packer: :to_s, unpacker: :from_msgpack_ext)
      expect { factory.load(hex("d4 00 ff")) }.to raise_error(EncodingError)
    end

    it "reads only its own id without a call" do
      factory.register_type(5, Symbol, packer: :to_s, optimized_symbols_parsing: true, unpacker: :from_msgpack_ext)
      expect { factory.load(hex("d4 00 61")) }.to raise_error(MessagePack::UnknownExtTypeError)
    end

    it "ignores the option for other classes" do
      factory.register_type(5, wrap, packer: :value, unpacker: ->(data) { [data] }, optimized_symbols_parsing: true)
      expect(factory.load(hex("d4 05 61"))).to eq(["a"])
    end

    it "keeps the option in copies and pools" do
      factory.register_type(0, Symbol, packer: :to_s, unpacker: ->(_) { raise "called" }, optimized_symbols_parsing: true)
      [factory.dup, factory.pool, factory.freeze].each { |maker| expect(maker.load(hex("d4 00 61"))).to eq(:a) }
    end
  end

  describe "#registered_types" do
    before do
      factory.register_type(2, wrap, packer: :value)
      factory.register_type(1, wrap_child, unpacker: :new)
    end

    it "lists all types by id" do
      expect(factory.registered_types.map { |entry| entry.values_at(:type, :class) }).to eq([[1, wrap_child], [2, wrap]])
    end

    it "has the keys in order" do
      expect(factory.registered_types.map(&:keys)).to all(eq(%i[type class packer unpacker]))
    end

    it "shows callables as procs" do
      expect(factory.registered_types).to match([hash_including(packer: nil, unpacker: Proc), hash_including(packer: Proc, unpacker: nil)])
    end

    it "shows lambdas for method names" do
      factory.register_type(3, wrap)
      entry = factory.registered_types.last
      expect([entry[:packer], entry[:unpacker]].map { |callable| [callable.lambda?, callable.arity] }).to eq([[true, -2], [true, 1]])
    end

    it "shows procs that do the work" do
      factory.register_type(3, wrap, packer: Samples::Caller.new("c"), unpacker: wrap.method(:new))
      entry = factory.registered_types.last
      expect([entry[:packer].call(wrap.new), entry[:unpacker].call("x")]).to eq(["c", wrap.new("x")])
    end

    it "lists the types with a packer" do
      expect(factory.registered_types(:packer)).to match([{ type: 2, class: wrap, packer: Proc }])
    end

    it "lists the types with an unpacker" do
      expect(factory.registered_types(:unpacker)).to match([{ type: 1, class: wrap_child, unpacker: Proc }])
    end

    it "refuses other selectors" do
      expect { factory.registered_types(:x) }.to raise_error(ArgumentError, "invalid selector x")
    end

    it "pairs packer and unpacker of an id by class" do
      factory.register_type(3, wrap, packer: :value, unpacker: :new)
      factory.register_type(3, Samples::Tagged, packer: constant(""), unpacker: constant(nil))
      types = factory.registered_types.select { |entry| entry[:type] == 3 }
      expect(types).to match([{ type: 3, class: wrap, packer: Proc, unpacker: nil },
                              { type: 3, class: Samples::Tagged, packer: Proc, unpacker: Proc }])
    end

    it "lists an unpacker whose class packs by another id" do
      other = described_class.new
      other.register_type(1, wrap)
      other.register_type(2, wrap)
      expect(other.registered_types).to match([{ type: 1, class: wrap, packer: nil, unpacker: Proc },
                                               { type: 2, class: wrap, packer: Proc, unpacker: Proc }])
    end

    it "returns copies" do
      factory.registered_types.each { |entry| entry[:type] = 100 }.clear
      expect(factory.registered_types.map { |entry| entry[:type] }).to eq([1, 2])
    end
  end

  describe "#type_registered?" do
    before { factory.register_type(1, wrap, packer: :value) }

    it "finds an id" do
      expect(factory.type_registered?(1)).to be(true)
    end

    it "does not find another id" do
      expect(factory.type_registered?(2)).to be(false)
    end

    it "finds a class" do
      expect(factory.type_registered?(wrap)).to be(true)
    end

    it "finds a class by its ancestor" do
      expect(factory.type_registered?(wrap_child)).to be(true)
    end

    it "does not find the ancestor of a class" do
      expect(factory.type_registered?(Object)).to be(false)
    end

    it "finds modules" do
      factory.register_type(2, Samples::Tag, packer: :to_msgpack_ext)
      expect([Samples::Tag, Samples::Tagged, Comparable].map { |type| factory.type_registered?(type) }).to eq([true, true, false])
    end

    it "takes a selector" do
      expect(%i[both packer unpacker].map { |selector| factory.type_registered?(1, selector) }).to eq([true, true, false])
    end

    it "counts entries without any callable" do
      factory.register_type(2, Samples::Tagged, {})
      expect(factory.type_registered?(Samples::Tagged)).to be(true)
    end

    it "refuses anything else" do
      expect { factory.type_registered?(:a) }.to raise_error(ArgumentError, "class or type id")
    end

    it "refuses other selectors" do
      expect { factory.type_registered?(1, :x) }.to raise_error(ArgumentError, "invalid selector x")
    end
  end

  describe "#packer" do
    it "takes an io" do
      io = StringIO.new(String.new)
      factory.packer(io).write(1).flush
      expect(io.string).to be_bytes("01")
    end

    it "takes options" do
      expect(factory.packer(compatibility_mode: true).compatibility_mode?).to be(true)
    end

    it "takes an io and options" do
      expect(factory.packer(nil, { compatibility_mode: true }).compatibility_mode?).to be(true)
    end

    it "gives a Packer, whatever the factory is" do
      expect(Class.new(described_class).new.packer.class).to eq(MessagePack::Packer)
    end

    it "gives a packer with the types of that moment" do
      before = factory.packer
      factory.register_type(1, wrap)
      expect { before.write(wrap.new) }.to raise_error(NoMethodError)
      expect(factory.packer.write(wrap.new).to_s).to be_bytes("d4 01 77")
    end

    it "gives a packer that takes types of its own" do
      packer = factory.packer
      packer.register_type(1, wrap, :value)
      expect(packer.write(wrap.new).to_s).to be_bytes("d4 01 77")
      expect([factory.registered_types, factory.packer.registered_types]).to eq([[], []])
    end

    it "gives a packer that takes types of its own also from a frozen factory" do
      factory.register_type(1, wrap)
      packer = factory.freeze.packer
      packer.register_type(5, Samples::Tag, :to_msgpack_ext)
      expect(packer.write(Samples::Tagged.new).to_s).to be_bytes("c7 03 05 74 61 67")
      expect(factory.registered_types.size).to eq(1)
    end

    it "gives a packer that looks anew after it took a type" do
      factory.register_type(1, wrap)
      packer = factory.packer
      packer.write(wrap_child.new)
      packer.register_type(2, wrap_child, :value)
      packer.reset
      expect(packer.write(wrap_child.new).to_s).to be_bytes("d4 02 77")
    end
  end

  describe "#unpacker" do
    it "takes an io and options" do
      unpacker = factory.unpacker(StringIO.new(hex("81 a1 61 01")), symbolize_keys: true)
      expect(unpacker.read).to eq({ a: 1 })
    end

    it "takes options" do
      expect(factory.unpacker(freeze: true).freeze?).to be(true)
    end

    it "takes nil" do
      expect(factory.unpacker(nil).feed(hex("01")).read).to eq(1)
    end

    it "gives an Unpacker, whatever the factory is" do
      expect(Class.new(described_class).new.unpacker.class).to eq(MessagePack::Unpacker)
    end

    it "gives an unpacker with the types of that moment" do
      before = factory.unpacker
      factory.register_type(1, wrap)
      expect { before.feed(hex("d4 01 78")).read }.to raise_error(MessagePack::UnknownExtTypeError)
      expect(factory.unpacker.feed(hex("d4 01 78")).read).to eq(wrap.new("x"))
    end

    it "gives an unpacker that takes types of its own also from a frozen factory" do
      factory.register_type(1, wrap)
      unpacker = factory.freeze.unpacker
      unpacker.register_type(5) { |data| data * 2 }
      expect(unpacker.feed(hex("d4 05 61")).read).to eq("aa")
      expect(factory.registered_types.size).to eq(1)
    end
  end

  %i[load unpack].each do |name|
    describe "##{name}" do
      it "reads a String" do
        expect(factory.public_send(name, hex("91 01"))).to eq([1])
      end

      it "reads an io" do
        expect(factory.public_send(name, StringIO.new(hex("91 01")))).to eq([1])
      end

      it "takes options" do
        expect(factory.public_send(name, hex("81 a1 61 01"), symbolize_keys: true)).to eq({ a: 1 })
      end

      it "knows the types" do
        factory.register_type(1, wrap)
        expect(factory.public_send(name, hex("91 d4 01 78"))).to eq([wrap.new("x")])
      end

      it "refuses more than one object" do
        expect { factory.public_send(name, hex("01 02")) }
          .to raise_error(MessagePack::MalformedFormatError, "1 extra bytes after the deserialized object")
      end

      it "refuses less than one object" do
        expect { factory.public_send(name, hex("92 01")) }.to raise_error(EOFError, "end of buffer reached")
      end

      it "goes through #unpacker" do
        klass = Class.new(described_class) { def unpacker(*) = super.tap { |unpacker| unpacker.register_type(1) { |data| data * 2 } } }
        expect(klass.new.public_send(name, hex("d4 01 61"))).to eq("aa")
        expect(klass.new.public_send(name, StringIO.new(hex("d4 01 61")))).to eq("aa")
        expect(klass.new.public_send(name, StringIO.new(hex("81 a1 61 d4 01 61")), symbolize_keys: true)).to eq({ a: "aa" })
      end

      it "has the parameters of the C gem" do
        expect(factory.method(name).parameters).to eq([%i[req src], %i[opt param]])
      end
    end
  end

  %i[dump pack].each do |name|
    describe "##{name}" do
      it "returns a binary String" do
        expect(factory.public_send(name, [1])).to be_bytes("91 01")
      end

      it "writes to an io and returns nil" do
        io = StringIO.new(String.new)
        expect(factory.public_send(name, [1], io)).to be_nil
        expect(io.string).to be_bytes("91 01")
      end

      it "takes options" do
        expect(factory.public_send(name, "a".b, compatibility_mode: true)).to be_bytes("a1 61")
      end

      it "knows the types" do
        factory.register_type(1, wrap)
        expect(factory.public_send(name, [wrap.new("x")])).to be_bytes("91 d4 01 78")
      end

      it "raises NoMethodError with the object for what no type catches" do
        object = Object.new
        expect { factory.public_send(name, [object]) }
          .to raise_error(NoMethodError) { |error| expect([error.name, error.receiver]).to match([:to_msgpack, equal(object)]) }
      end

      it "takes an io and options, and no more" do
        expect { factory.public_send(name, 1, StringIO.new, {}, 2) }.to raise_error(ArgumentError, "wrong number of arguments (given 4, expected 1..3)")
      end

      it "goes through #packer" do
        klass = Class.new(described_class) { def packer(*) = super.write(9) }
        expect(klass.new.public_send(name, 1)).to be_bytes("09 01")
      end

      it "has the parameters of the C gem" do
        expect(factory.method(name).parameters).to eq([%i[req v], %i[rest rest]])
      end
    end
  end

  describe "#freeze" do
    it "returns the factory" do
      expect(factory.freeze).to equal(factory)
    end

    it "freezes" do
      expect(factory.freeze.frozen?).to be(true)
    end

    it "leaves the factory usable" do
      factory.register_type(1, wrap)
      factory.freeze
      expect(factory.load(factory.dump([wrap.new("x")]))).to eq([wrap.new("x")])
    end
  end

  describe "#dup" do
    it "has the same types" do
      factory.register_type(1, wrap)
      expect(factory.dup.load(hex("d4 01 78"))).to eq(wrap.new("x"))
    end

    it "is independent" do
      copy = factory.dup
      copy.register_type(1, wrap)
      factory.register_type(2, Samples::Tagged, {})
      expect([factory, copy].map { |each| each.registered_types.map { |entry| entry[:type] } }).to eq([[2], [1]])
    end

    it "is not frozen" do
      expect(factory.freeze.dup.frozen?).to be(false)
    end

    it "is of the same class, without a call of initialize" do
      klass = Class.new(described_class) do
        def initialize(_name)
          super()
          @name = _name
        end
      end
      copy = klass.new("x").dup
      expect([copy.class, copy.instance_variables]).to eq([klass, []])
    end
  end

  describe "#clone" do
    it "has the same types" do
      factory.register_type(1, wrap)
      expect(factory.clone.load(hex("d4 01 78"))).to eq(wrap.new("x"))
    end

    it "is frozen if the original is" do
      expect([factory.clone.frozen?, factory.freeze.clone.frozen?]).to eq([false, true])
    end

    it "obeys freeze:" do
      expect([factory.clone(freeze: true), factory.freeze.clone(freeze: false)].map(&:frozen?)).to eq([true, false])
    end

    it "refuses another value for freeze:" do
      expect { factory.clone(freeze: 1) }.to raise_error(ArgumentError, "unexpected value for freeze: Integer")
    end

    it "is independent" do
      factory.clone.register_type(1, wrap)
      expect(factory.registered_types).to eq([])
    end
  end

  it "can not be marshalled" do
    expect { Marshal.dump(factory) }.to raise_error(TypeError)
  end

  it "shows no content by inspect" do
    factory.register_type(1, wrap)
    expect(factory.inspect).to match(/\A#<MessagePack::Factory:0x\h+>\z/)
  end

  it "can be subclassed" do
    bus = Class.new(described_class) do
      def initialize
        super
        register_type(1, Samples::Wrap)
      end
    end
    expect(bus.new.dump(wrap.new)).to be_bytes("d4 01 77")
  end
end
