# frozen_string_literal: true

require "msgpack/bigint"

# The one thing that all Ractors see and the main one may change.
RSpec.describe "MessagePack::DefaultFactory in a Ractor" do
  let(:not_packed) { [Ractor::IsolationError, "ext type 5 (Samples::Wrap) cannot be packed in this Ractor: its packer is not shareable"] }
  let(:not_unpacked) { [Ractor::IsolationError, "ext type 5 (Samples::Wrap) cannot be unpacked in this Ractor: its unpacker is not shareable"] }

  # Registers a type on DefaultFactory in the main Ractor of a child process, then runs the block in another one.
  def off_main(*type, **options, &block)
    Child.run do
      MessagePack::DefaultFactory.register_type(*type, **options) unless type.empty?
      Ractors.run(&block)
    end
  end

  # Callables that no other Ractor may call: each holds an unfrozen String.
  def unshareable
    own = +"own"
    { packer: ->(wrap) { own && wrap.value }, unpacker: ->(data) { own && data } }
  end

  it "is a factory that is not frozen" do
    expect(off_main { [MessagePack::DefaultFactory.class, MessagePack::DefaultFactory.frozen?, Ractor.shareable?(MessagePack::DefaultFactory)] })
      .to eq([MessagePack::Factory, false, true])
  end

  it "packs and unpacks" do
    packed, object = off_main { [MessagePack::DefaultFactory.dump([1]), MessagePack::DefaultFactory.load("\x91\x01")] }
    expect(packed).to be_bytes("91 01")
    expect(object).to eq([1])
  end

  it "makes packers, unpackers, pools and copies" do
    result = off_main do
      factory = MessagePack::DefaultFactory
      [factory.packer.write(1).to_s, factory.unpacker.feed("\x01").read, factory.pool(2).load("\x01"), factory.dup.load("\x01")]
    end
    expect(result).to eq([hex("01"), 1, 1, 1])
  end

  describe "with a type of the main Ractor" do
    it "knows a type by the names of its methods" do
      packed, object = off_main(1, Samples::Wrap) { [MessagePack.pack(Samples::Wrap.new("x")), MessagePack.unpack("\xd4\x01x")] }
      expect(packed).to be_bytes("d4 01 78")
      expect(object).to eq(Samples::Wrap.new("x"))
    end

    it "knows it in to_msgpack, packers, unpackers, pools and copies" do
      result = off_main(1, Samples::Wrap) do
        factory = MessagePack::DefaultFactory
        [[Samples::Wrap.new("x")].to_msgpack, factory.packer.write([Samples::Wrap.new("x")]).to_s, factory.pool.dump([Samples::Wrap.new("x")]),
         factory.dup.dump([Samples::Wrap.new("x")]), MessagePack::Packer.new.write([factory.unpacker.feed("\xd4\x01x").read.value]).to_s]
      end
      expect(result).to eq([hex("91 d4 01 78")] * 4 + [hex("91 c4 01 78")])
    end

    it "lists it" do
      types, registered = off_main(1, Samples::Wrap) do
        factory = MessagePack::DefaultFactory
        [factory.registered_types.map { |entry| entry.transform_values { |value| value.is_a?(Proc) ? value.lambda? : value } }, factory.type_registered?(Samples::WrapChild)]
      end
      expect(types).to eq([{ type: 1, class: Samples::Wrap, packer: true, unpacker: true }])
      expect(registered).to be(true)
    end

    it "knows shareable lambdas" do
      result = off_main(1, Samples::Wrap, packer: Ractors::PACK, unpacker: Ractors::UNPACK) do
        [MessagePack.pack(Samples::Wrap.new("x")), MessagePack.unpack("\xc7\x03\x01<y>")]
      end
      expect(result).to eq([hex("c7 03 01 3c 78 3e"), Samples::Wrap.new("y")])
    end

    it "knows recursive types" do
      result = off_main(1, Samples::Wrap, packer: Ractors::PACK_INTO, unpacker: Ractors::UNPACK_FROM, recursive: true) do
        MessagePack.unpack(MessagePack.pack(Samples::Wrap.new([1, Samples::Wrap.new(nil)])))
      end
      expect(result).to eq(Samples::Wrap.new([1, Samples::Wrap.new(nil)]))
    end

    it "knows Methods of modules" do
      bigint = MessagePack::Bigint
      result = off_main(2, Integer, packer: bigint.method(:to_msgpack_ext), unpacker: bigint.method(:from_msgpack_ext), oversized_integer_extension: true) do
        MessagePack.unpack(MessagePack.pack([2**64, -(2**70)]))
      end
      expect(result).to eq([2**64, -(2**70)])
    end

    it "knows Methods of classes" do
      result = off_main(1, Samples::Wrap, packer: :value, unpacker: Samples::Wrap.method(:new)) { MessagePack.unpack("\xd4\x01x") }
      expect(result).to eq(Samples::Wrap.new("x"))
    end

    it "sees what is registered while the Ractor runs" do
      before, after = Child.run do
        ractor = Ractors.start do
          Ractor.main.send(Ractors.error { MessagePack.pack(Samples::Wrap.new("x")) }[0])
          Ractor.receive
          MessagePack.pack(Samples::Wrap.new("x"))
        end
        before = Ractor.receive
        MessagePack::DefaultFactory.register_type(1, Samples::Wrap)
        ractor.send(:go)
        [before, Ractors.value(ractor)]
      end
      expect(before).to eq(NoMethodError)
      expect(after).to be_bytes("d4 01 78")
    end

    it "sees each registration whole or not at all", :slow do
      wrong = Child.run(120) do
        ractors = Array.new(2) do
          Ractors.start do
            results = Hash.new(0)
            until MessagePack::DefaultFactory.type_registered?(127)
              result = begin
                MessagePack.pack(Samples::Wrap.new("x"))
              rescue NoMethodError
                :unknown
              end
              results[result] += 1
            end
            results.keys - [:unknown, "\xd4\x01x".b]
          end
        end
        (2..127).each do |type|
          MessagePack::DefaultFactory.register_type(1, Samples::Wrap)
          MessagePack::DefaultFactory.register_type(type, Class.new, packer: :to_s)
          GC.start if (type % 16).zero?
        end
        ractors.map { |ractor| Ractors.value(ractor) }
      end
      expect(wrong).to eq([[], []])
    end
  end

  describe "with a type whose callables can not be shared" do
    it "refuses to pack, and names the type" do
      expect(off_main(5, Samples::Wrap, **unshareable) { Ractors.error { MessagePack.pack([Samples::Wrap.new]) } }).to eq(not_packed)
    end

    it "refuses to unpack, and names the type" do
      expect(off_main(5, Samples::Wrap, **unshareable) { Ractors.error { MessagePack.unpack("\x91\xd4\x05x") } }).to eq(not_unpacked)
    end

    it "refuses a callable object that is not shareable" do
      error = off_main(5, Samples::Wrap, packer: Samples::Caller.new(+"x")) { Ractors.error { MessagePack.pack(Samples::Wrap.new) } }
      expect(error).to eq(not_packed)
    end

    it "reads on behind the payload" do
      refused, following = off_main(5, Samples::Wrap, **unshareable) do
        unpacker = MessagePack::DefaultFactory.unpacker.feed("\x92\xd4\x05x\x07")
        [Ractors.error { unpacker.read }, unpacker.read]
      end
      expect(refused).to eq(not_unpacked)
      expect(following).to eq(7)
    end

    it "packs and unpacks everything else" do
      result = off_main(5, Samples::Wrap, **unshareable) { MessagePack.unpack(MessagePack.pack([1, "a", { "b" => nil }])) }
      expect(result).to eq([1, "a", { "b" => nil }])
    end

    it "uses the callable that can be shared" do
      result = off_main(5, Samples::Wrap, packer: :value, unpacker: unshareable[:unpacker]) do
        [MessagePack.pack(Samples::Wrap.new("x")), Ractors.error { MessagePack.unpack("\xd4\x05x") }]
      end
      expect(result).to eq([hex("d4 05 78"), not_unpacked])
    end

    { "a String subclass" => [Samples::SubString, Samples::SubString.new("s")], "an included module" => [Samples::Tag, Samples::Tagged.new], "Symbol" => [Symbol, :s] }
      .each do |name, (type, object)|
        it "falls back to nothing else for #{name}" do
          own = +"own"
          error = Child.run do
            MessagePack::DefaultFactory.register_type(5, type, packer: ->(_) { own })
            Ractors.run(object) { |copy| Ractors.error { MessagePack.pack([copy]) } }
          end
          expect(error).to eq([Ractor::IsolationError, "ext type 5 (#{type}) cannot be packed in this Ractor: its packer is not shareable"])
        end
      end

    it "does not fall back to the type of an ancestor" do
      own = +"own"
      error = Child.run do
        MessagePack::DefaultFactory.register_type(1, Samples::Wrap)
        MessagePack::DefaultFactory.register_type(5, Samples::WrapChild, packer: ->(_) { own })
        Ractors.run { Ractors.error { MessagePack.pack(Samples::WrapChild.new) } }
      end
      expect(error[1]).to eq("ext type 5 (Samples::WrapChild) cannot be packed in this Ractor: its packer is not shareable")
    end

    it "does not make an ExtensionValue of it" do
      error = off_main(5, Samples::Wrap, **unshareable) { Ractors.error { MessagePack.unpack("\xd4\x05x", allow_unknown_ext: true) } }
      expect(error).to eq(not_unpacked)
    end

    it "lists the type without its callables" do
      expect(off_main(5, Samples::Wrap, **unshareable) { MessagePack::DefaultFactory.registered_types })
        .to eq([{ type: 5, class: Samples::Wrap, packer: nil, unpacker: nil }])
    end

    it "refuses in copies, pools, packers and unpackers made there" do
      errors = off_main(5, Samples::Wrap, **unshareable) do
        factory = MessagePack::DefaultFactory
        [factory.dup, factory.pool].flat_map { |each| [Ractors.error { each.dump(Samples::Wrap.new) }, Ractors.error { each.load("\xd4\x05x") }] } <<
          Ractors.error { factory.packer.write(Samples::Wrap.new) } << Ractors.error { factory.unpacker.feed("\xd4\x05x").read }
      end
      expect(errors).to eq([not_packed, not_unpacked] * 3)
    end

    it "works on in the main Ractor, in which nobody froze or isolated the callable" do
      result = Child.run do
        own = +"own"
        callable = ->(wrap) { (own << "!") && wrap.value }
        MessagePack::DefaultFactory.register_type(5, Samples::Wrap, packer: callable, unpacker: ->(data) { own && data })
        Ractors.run { Ractors.error { MessagePack.pack(Samples::Wrap.new) } }
        [MessagePack.unpack(MessagePack.pack(Samples::Wrap.new("q"))), callable.frozen?, own]
      end
      expect(result).to eq(["q", false, "own!"])
    end
  end

  describe "#register_type" do
    let(:refusal) { [Ractor::IsolationError, "can not register ext types on MessagePack::DefaultFactory from a non-main Ractor"] }

    it "is refused, and registers nothing" do
      refused, registered = Child.run do
        [Ractors.run { Ractors.error { MessagePack::DefaultFactory.register_type(1, Samples::Wrap) } }, MessagePack::DefaultFactory.registered_types]
      end
      expect(refused).to eq(refusal)
      expect(registered).to eq([])
    end

    it "is refused before the callables are looked at" do
      refused = off_main do
        [Ractors.error { MessagePack::DefaultFactory.register_type(1, Class.new) },
         Ractors.error { MessagePack::DefaultFactory.register_type(1, Samples::Wrap, packer: 5) }]
      end
      expect(refused).to eq([refusal] * 2)
    end

    it "is possible on a copy" do
      expect(off_main { MessagePack::DefaultFactory.dup.tap { |copy| copy.register_type(1, Samples::Wrap) }.dump(Samples::Wrap.new("x")) }).to be_bytes("d4 01 78")
    end
  end

  describe "#freeze" do
    it "is refused, and freezes nothing" do
      refused, frozen = Child.run { [Ractors.run { Ractors.error { MessagePack::DefaultFactory.freeze } }, MessagePack::DefaultFactory.frozen?] }
      expect(refused).to eq([Ractor::IsolationError, "can not freeze MessagePack::DefaultFactory from a non-main Ractor"])
      expect(frozen).to be(false)
    end

    it "is allowed in the main Ractor, and binds all" do
      result = Child.run do
        MessagePack::DefaultFactory.register_type(1, Samples::Wrap)
        MessagePack::DefaultFactory.freeze
        Ractors.run { [MessagePack::DefaultFactory.frozen?, MessagePack.pack(Samples::Wrap.new("x")), Ractors.error { MessagePack::DefaultFactory.register_type(2, Samples::Tag) }] }
      end
      expect(result).to eq([true, hex("d4 01 78"), [FrozenError, "can't modify frozen MessagePack::Factory"]])
    end
  end
end
