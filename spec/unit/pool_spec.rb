# frozen_string_literal: true

RSpec.describe MessagePack::Factory::Pool do
  subject(:pool) { factory.pool(2) }

  let(:factory) { MessagePack::Factory.new.tap { |factory| factory.register_type(1, Samples::Wrap) } }
  let(:wrap) { Samples::Wrap }

  describe ".new" do
    it "takes a factory and a size" do
      expect(described_class.new(factory, 1).load(hex("d4 01 78"))).to eq(wrap.new("x"))
    end

    it "takes nil as options" do
      expect(described_class.new(factory, 1, nil).dump(1)).to be_bytes("01")
    end

    it "takes a Hash of options" do
      expect(described_class.new(factory, 1, { symbolize_keys: true }).load(hex("81 a1 61 01"))).to eq({ a: 1 })
    end

    it "leaves the options as they are" do
      options = { freeze: true }
      described_class.new(factory, 1, options)
      expect(options.frozen?).to be(false)
    end

    it "leaves an unfrozen factory unfrozen" do
      described_class.new(factory, 1)
      expect(factory.frozen?).to be(false)
    end
  end

  describe "Factory#pool" do
    it "makes a pool" do
      expect(factory.pool.class).to eq(described_class)
    end

    it "takes options as keywords only" do
      expect { factory.pool(1, { symbolize_keys: true }) }.to raise_error(ArgumentError)
    end

    it "gives the options to both sides" do
      pool = factory.pool(1, symbolize_keys: true, freeze: true, compatibility_mode: true)
      expect(pool.dump("a".b)).to be_bytes("a1 61")
      expect(pool.load(hex("81 a1 61 a1 62"))).to eq({ a: "b" }).and be_frozen
    end

    it "gives the options to the members" do
      pool = factory.pool(1, symbolize_keys: true, compatibility_mode: true)
      expect(pool.packer(&:compatibility_mode?)).to be(true)
      expect(pool.unpacker(&:symbolize_keys?)).to be(true)
    end

    it "ignores unknown options" do
      expect(factory.pool(1, colour: "red").dump(1)).to be_bytes("01")
    end

    it "does not see what an unfrozen factory registers later" do
      pool = factory.pool
      factory.register_type(2, Samples::Tag, packer: :to_msgpack_ext)
      expect { pool.dump(Samples::Tagged.new) }.to raise_error(NoMethodError)
    end

    it "works on a frozen factory" do
      expect(factory.freeze.pool.dump(wrap.new("x"))).to be_bytes("d4 01 78")
    end

    { 3 => 3, "5" => 5, 2.9 => 2 }.each do |size, kept|
      it "takes #{size.inspect} as size" do
        pool = factory.pool(size)
        members = in_use_at_once(pool, 7)
        expect(in_use_at_once(pool, 7).count { |member| members.include?(member) }).to eq(kept)
      end
    end

    it "refuses a text that is no number" do
      expect { factory.pool("many") }.to raise_error(ArgumentError, 'invalid value for Integer(): "many"')
    end

    it "refuses nil as size" do
      expect { factory.pool(nil) }.to raise_error(TypeError, "can't convert nil into Integer")
    end
  end

  # The ids of as many packers, all taken at the same time.
  def in_use_at_once(pool, count, ids = [])
    return ids if count.zero?

    pool.packer { |packer| in_use_at_once(pool, count - 1, ids << packer.object_id) }
  end

  describe "#dump" do
    it "returns a binary String" do
      expect(pool.dump({ "a" => [1] })).to be_bytes("81 a1 61 91 01")
    end

    it "knows the types" do
      expect(pool.dump([wrap.new("x")])).to be_bytes("91 d4 01 78")
    end

    it "takes one argument" do
      expect { pool.dump(1, 2) }.to raise_error(ArgumentError)
    end

    it "raises NoMethodError for what no type catches, and works on" do
      expect { pool.dump([1, Object.new]) }.to raise_error(NoMethodError, /to_msgpack/)
      expect(pool.dump(7)).to be_bytes("07")
    end

    it "can be used in a packer callable of the same pool" do
      pools = []
      factory.register_type(2, Samples::Tag, packer: ->(_) { pools[0].dump([1]) })
      pools << factory.pool
      expect(pools[0].dump([Samples::Tagged.new])).to be_bytes("91 d5 02 91 01")
    end

    it "goes through a #packer that a subclass of Factory has" do
      klass = Class.new(MessagePack::Factory) { def packer(*) = super.tap { |packer| packer.register_type(3, Samples::Tag, :to_msgpack_ext) } }
      expect(klass.new.pool.dump(Samples::Tagged.new)).to be_bytes("c7 03 03 74 61 67")
    end
  end

  describe "#load" do
    it "returns the object" do
      expect(pool.load(hex("91 01"))).to eq([1])
    end

    it "knows the types" do
      expect(pool.load(hex("91 d4 01 78"))).to eq([wrap.new("x")])
    end

    it "takes what stands for a String" do
      expect(pool.load(Samples::StringLike.new(hex("05")))).to eq(5)
    end

    { StringIO.new => "StringIO", nil => "nil", 5 => "Integer" }.each do |value, name|
      it "refuses #{name}" do
        expect { pool.load(value) }.to raise_error(TypeError, "no implicit conversion of #{name} into String")
      end
    end

    it "takes one argument" do
      expect { pool.load(hex("01"), {}) }.to raise_error(ArgumentError)
    end

    {
      "92 01" => [EOFError, "end of buffer reached"],
      "" => [EOFError, "end of buffer reached"],
      "01 02 03" => [MessagePack::MalformedFormatError, "2 extra bytes after the deserialized object"],
      "c1" => [MessagePack::MalformedFormatError, "invalid byte"],
      "d4 09 61" => [MessagePack::UnknownExtTypeError, "unexpected extension type"],
      "#{'91' * 129} 01" => [MessagePack::StackError, "stack level too deep"]
    }.each do |bytes, (error, message)|
      it "raises #{error} for #{bytes[0, 8]}, and works on" do
        expect { pool.load(hex(bytes)) }.to raise_error(error, message)
        expect(pool.load(hex("05"))).to eq(5)
      end
    end

    it "goes through an #unpacker that a subclass of Factory has" do
      klass = Class.new(MessagePack::Factory) { def unpacker(*) = super.tap { |unpacker| unpacker.register_type(3) { |data| data * 2 } } }
      expect(klass.new.pool.load(hex("d4 03 61"))).to eq("aa")
    end
  end

  describe "#packer" do
    it "gives a packer to the block, and returns what the block does" do
      expect(pool.packer { |packer| packer.write(1).write(2).full_pack }).to be_bytes("01 02")
    end

    it "gives a frozen packer" do
      expect(pool.packer(&:frozen?)).to be(true)
    end

    it "gives a packer that takes no types" do
      expect { pool.packer { |packer| packer.register_type(2, Samples::Tag, :to_msgpack_ext) } }
        .to raise_error(FrozenError, "can't modify frozen MessagePack::Packer")
    end

    it "gives the same one again, empty" do
      first = pool.packer { |packer| packer.write(1).object_id }
      expect(pool.packer { |packer| [packer.object_id, packer.to_s] }).to eq([first, ""])
    end

    it "gives another one to a nested block" do
      expect(pool.packer { |outer| pool.packer { |inner| inner.equal?(outer) } }).to be(false)
    end

    it "takes the packer back when the block raises" do
      first = nil
      expect { pool.packer { |packer| (first = packer.write(1).object_id) && raise("no") } }.to raise_error(RuntimeError, "no")
      expect(pool.packer { |packer| [packer.object_id, packer.to_s] }).to eq([first, ""])
    end

    it "takes the packer back when the block breaks" do
      first = pool.packer { |packer| break packer.write(1).object_id }
      expect(pool.packer { |packer| [packer.object_id, packer.to_s] }).to eq([first, ""])
    end

    it "needs a block" do
      expect { pool.packer }.to raise_error(LocalJumpError)
    end
  end

  describe "#unpacker" do
    it "gives an unpacker to the block, and returns what the block does" do
      expect(pool.unpacker { |unpacker| unpacker.feed(hex("01 02")) && [unpacker.read, unpacker.read] }).to eq([1, 2])
    end

    it "gives a frozen unpacker that takes no types" do
      expect { pool.unpacker { |unpacker| unpacker.register_type(1) {} } }
        .to raise_error(FrozenError, "can't modify frozen MessagePack::Unpacker")
    end

    it "gives the same one again, which forgot its data" do
      first = pool.unpacker { |unpacker| unpacker.feed(hex("92 01")).tap { |each| each.read rescue EOFError }.object_id }
      expect(pool.unpacker { |unpacker| [unpacker.object_id, unpacker.feed(hex("05")).read] }).to eq([first, 5])
    end

    it "gives another one to a nested block" do
      expect(pool.unpacker { |outer| pool.unpacker { |inner| inner.equal?(outer) } }).to be(false)
    end

    it "needs a block" do
      expect { pool.unpacker }.to raise_error(LocalJumpError)
    end
  end

  describe "the size" do
    it "is the number of members kept" do
      kept = in_use_at_once(pool, 5)
      expect(in_use_at_once(pool, 5).count { |member| kept.include?(member) }).to eq(2)
    end

    [0, -1].each do |size|
      it "may be #{size}, and nothing is kept" do
        pool = factory.pool(size)
        kept = in_use_at_once(pool, 3)
        expect(in_use_at_once(pool, 3) & kept).to eq([])
        expect(pool.load(pool.dump([1]))).to eq([1])
      end
    end
  end

  it "can be used by threads at once" do
    threads = Array.new(6) do |number|
      Thread.new do
        (1..200).count do |round|
          value = [number, "x" * round]
          packed = pool.packer { |packer| packer.write(number).write(round).tap { Thread.pass }.full_pack }
          pool.load(pool.dump(value)) == value && packed == MessagePack.pack(number) + MessagePack.pack(round)
        end
      end
    end
    expect(threads.map(&:value)).to eq([200] * 6)
  end

  it "can be used on both sides of a fork" do
    pool.packer { |packer| packer.write(1) }
    expect(Child.run { pool.load(pool.dump([wrap.new("x")])) }).to eq([wrap.new("x")])
    expect(pool.dump(2)).to be_bytes("02")
  end

  it "can be frozen" do
    pool.packer { |packer| packer.write(1) }
    pool.freeze
    expect(pool.packer { |packer| packer.write(2).full_pack }).to be_bytes("02")
  end
end

RSpec.describe MessagePack::Factory::Pool::MemberPool do
  subject(:members) { described_class.new(1, MessagePack::Factory.new.freeze, :packer, nil) }

  describe "#with" do
    it "lends a member and returns what the block does" do
      expect(members.with { |packer| packer.write(1).to_s }).to be_bytes("01")
    end

    it "reuses the member" do
      expect(members.with(&:object_id)).to eq(members.with(&:object_id))
    end

    it "needs a block" do
      expect { members.with }.to raise_error(LocalJumpError)
    end
  end

  describe "#freeze" do
    it "gives up the idle members, and keeps new ones" do
      first = members.with(&:object_id)
      members.freeze
      second = members.with(&:object_id)
      expect(second).not_to eq(first)
      expect(members.with(&:object_id)).to eq(second)
    end

    it "keeps no idle member alive once the pool is gone" do
      skip "Ruby #{RUBY_VERSION} has no map with weak keys: a Ractor keeps its newest pools" unless defined?(ObjectSpace::WeakKeyMap)

      gone = Class.new(MessagePack::Packer)
      200.times { pool_of(gone).with { |packer| packer.write(1) } }
      3.times { GC.start }
      expect(ObjectSpace.each_object(gone).count).to be < 20
    end

    it "keeps a bounded number of idle members alive once the pools are gone" do
      gone = Class.new(MessagePack::Packer)
      200.times { pool_of(gone).with { |packer| packer.write(1) } }
      3.times { GC.start }
      expect(ObjectSpace.each_object(gone).count).to be < 40
    end

    # A frozen pool of packers that can be told from others.
    def pool_of(klass)
      factory = Class.new(MessagePack::Factory) { define_method(:packer) { |*| klass.new } }
      described_class.new(1, factory.new, :packer, nil).freeze
    end
  end
end
