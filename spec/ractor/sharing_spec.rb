# frozen_string_literal: true

# Factories and pools that several Ractors use at once.
RSpec.describe "sharing between Ractors" do
  def named_factory
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(1, Samples::Wrap)
      factory.register_type(0, Symbol)
    end
  end

  def unshareable_factory
    own = +"own"
    MessagePack::Factory.new.tap { |factory| factory.register_type(1, Samples::Wrap, packer: ->(wrap) { own && wrap.value }) }
  end

  describe "a Factory" do
    it "is not shareable unless it is frozen" do
      expect(Ractor.shareable?(named_factory)).to be(false)
    end

    it "is shareable once it is frozen, if its callables are names" do
      expect(Ractor.shareable?(named_factory.freeze)).to be(true)
    end

    it "is shareable once it is frozen, if its callables are shareable" do
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, packer: Ractors::PACK, unpacker: Ractors::UNPACK)
      expect(Ractor.shareable?(factory.freeze)).to be(true)
    end

    it "is frozen by make_shareable, and the same object" do
      factory = named_factory
      expect(Ractor.make_shareable(factory)).to equal(factory)
      expect([factory.frozen?, Ractor.shareable?(factory)]).to eq([true, true])
    end

    it "has its lambdas made shareable by make_shareable" do
      packed = Child.run do
        factory = MessagePack::Factory.new
        factory.register_type(1, Samples::Wrap, packer: Ractors::NOT_YET_SHAREABLE)
        Ractor.make_shareable(factory)
        [Ractor.shareable?(factory), Ractors.run(factory) { |shared| shared.dump(Samples::Wrap.new("x")) }]
      end
      expect(packed).to eq([true, hex("c7 03 01 28 78 29")])
    end

    it "with a proc that can not be shared is refused by make_shareable" do
      expect { Ractor.make_shareable(unshareable_factory) }
        .to raise_error { |error| expect([Ractor::IsolationError, Ractor::Error]).to include(error.class) }
    end

    it "works on in its own Ractor after make_shareable refused" do
      factory = unshareable_factory
      Ractors.error { Ractor.make_shareable(factory) }
      expect(factory.dump(Samples::Wrap.new("x"))).to be_bytes("d4 01 78")
    end

    it "with a proc that can not be shared is not shareable when it is frozen" do
      expect(Ractor.shareable?(unshareable_factory.freeze)).to be(false)
    end

    it "makes packers and unpackers in each Ractor" do
      results = Child.run do
        factory = Ractor.make_shareable(named_factory)
        Ractors.run_many(3, factory) do |number, shared|
          [shared.packer.write(Samples::Wrap.new(number.to_s)).to_s, shared.unpacker.feed("\xd4\x01x").read, shared.load(shared.dump([:s] * 3))]
        end << factory.dump(Samples::Wrap.new("m"))
      end
      expect(results).to eq(Array.new(3) { |number| [hex("d4 01 3#{number}"), Samples::Wrap.new("x"), [:s] * 3] } << hex("d4 01 6d"))
    end

    it "runs recursive callables in each Ractor" do
      results = Child.run do
        factory = MessagePack::Factory.new
        factory.register_type(2, Samples::Wrap, packer: Ractors::PACK_INTO, unpacker: Ractors::UNPACK_FROM, recursive: true)
        Ractors.run_many(3, Ractor.make_shareable(factory)) { |number, shared| shared.load(shared.dump(Samples::Wrap.new([number, Samples::Wrap.new(nil)]))) }
      end
      expect(results).to eq(Array.new(3) { |number| Samples::Wrap.new([number, Samples::Wrap.new(nil)]) })
    end

    it "makes packers and unpackers that take types of their own" do
      results = Child.run do
        Ractors.run_many(2, Ractor.make_shareable(named_factory)) do |_number, shared|
          packer = shared.packer
          packer.register_type(5, Samples::Tag, :to_msgpack_ext)
          unpacker = shared.unpacker
          unpacker.register_type(5) { |data| data * 2 }
          [packer.write(Samples::Tagged.new).to_s, unpacker.feed("\xd4\x05a").read, shared.registered_types.size]
        end
      end
      expect(results).to eq([[hex("c7 03 05 74 61 67"), "aa", 2]] * 2)
    end

    it "can be duplicated in another Ractor" do
      result = Child.run do
        Ractors.run(Ractor.make_shareable(named_factory)) do |shared|
          copy = shared.dup
          copy.register_type(5, Samples::Tag, packer: :to_msgpack_ext)
          [copy.frozen?, copy.registered_types.size, shared.registered_types.size]
        end
      end
      expect(result).to eq([false, 3, 2])
    end

    it "that is not frozen is copied whole, or refused" do
      packed = Child.run do
        Ractors.run(named_factory) { |copy| copy.dump(Samples::Wrap.new("x")) }
      rescue Ractor::Error, TypeError
        :refused
      end
      expect([hex("d4 01 78"), :refused]).to include(packed)
    end
  end

  describe "a Pool" do
    it "is shareable after make_shareable" do
      pool = named_factory.pool(2, freeze: true)
      expect([Ractor.shareable?(pool), Ractor.shareable?(Ractor.make_shareable(pool))]).to eq([false, true])
    end

    it "is shareable after make_shareable also if it was in use before" do
      pool = named_factory.pool(2)
      pool.packer { |packer| packer.write(1) }
      pool.unpacker { |unpacker| unpacker.feed("\x01") }
      expect(Ractor.shareable?(Ractor.make_shareable(pool))).to be(true)
    end

    it "keeps its options" do
      result = Child.run do
        pool = Ractor.make_shareable(named_factory.pool(2, symbolize_keys: true, compatibility_mode: true))
        Ractors.run(pool) { |shared| [shared.load("\x81\xa1a\x01"), shared.dump("a".b), shared.packer(&:compatibility_mode?), shared.unpacker(&:symbolize_keys?)] }
      end
      expect(result).to eq([{ a: 1 }, hex("a1 61"), true, true])
    end

    it "with a proc that can not be shared is refused by make_shareable" do
      expect { Ractor.make_shareable(unshareable_factory.pool) }
        .to raise_error { |error| expect([Ractor::IsolationError, Ractor::Error]).to include(error.class) }
    end

    it "works in several Ractors at once, and in the main one" do
      results = Child.run(120) do
        pool = Ractor.make_shareable(named_factory.pool(2))
        ractors = Array.new(3) do |number|
          Ractors.start(number, pool) do |own, shared|
            value = { "n" => own, "l" => ["x" * 300] * 3, "w" => Samples::Wrap.new(own.to_s) }
            (1..200).count { shared.load(shared.dump(value)) != value || shared.packer { |packer| packer.write(own).full_pack } != MessagePack.pack(own) }
          end
        end
        wrong = (1..200).count { pool.load(pool.dump([:m])) != [:m] }
        ractors.map { |ractor| Ractors.value(ractor) } << wrong
      end
      expect(results).to eq([0] * 4)
    end

    it "keeps idle members in each Ractor" do
      results = Child.run do
        pool = Ractor.make_shareable(named_factory.pool(2))
        main = pool.packer(&:object_id)
        ids = Ractors.run_many(2, pool) { |_number, shared| [shared.packer(&:object_id), shared.packer(&:object_id)] }
        [ids.map { |first, second| first == second }, [*ids.map(&:first), main].uniq.size, pool.packer(&:object_id) == main]
      end
      expect(results).to eq([[true, true], 3, true])
    end

    it "gives another member to a nested block, there too" do
      nested = Child.run do
        Ractors.run(Ractor.make_shareable(named_factory.pool(1))) { |shared| shared.packer { |outer| shared.packer { |inner| outer.equal?(inner) } } }
      end
      expect(nested).to be(false)
    end

    it "resets what comes back, there too" do
      texts = Child.run do
        Ractors.run(Ractor.make_shareable(named_factory.pool(1))) do |shared|
          Ractors.error { shared.packer { |packer| packer.write(1) && raise("no") } }
          shared.packer(&:to_s)
        end
      end
      expect(texts).to eq("")
    end

    # In a new process: in a forked one Ruby 3.3 hangs every other time.
    it "serves the threads of each Ractor" do
      skip "threads of Ractors can hang Ruby 3.3 and 3.4, whatever they do" if RUBY_VERSION.match?(/\A3\.[34]\./)

      output = Child.ruby(<<~'RUBY', "-W0", "-r", File.join(__dir__, "../support/ractors"))
        require "msgpack"
        pool = Ractor.make_shareable(MessagePack::Factory.new.pool(2))
        p(Ractors.run_many(2, pool) do |number, shared|
          Array.new(3) { |thread| Thread.new { (1..50).map { shared.load(shared.dump([number, thread])) }.uniq } }.map(&:value)
        end)
      RUBY
      expect(output).to eq("#{Array.new(2) { |number| Array.new(3) { |thread| [[number, thread]] } }}\n")
    end

    it "can be made shareable while a member is out" do
      result = Child.run do
        pool = named_factory.pool(1)
        inside = pool.packer { |packer| Ractor.make_shareable(pool) && packer.write(1).full_pack }
        [inside, Ractors.run(pool) { |shared| shared.packer { |packer| packer.write(2).full_pack } }, pool.dump(3)]
      end
      expect(result).to eq([hex("01"), hex("02"), hex("03")])
    end

    it "of many can be used by one Ractor" do
      results = Child.run do
        pools = Ractor.make_shareable(Array.new(40) { named_factory.pool(1) })
        Ractors.run(pools) { |shared| (shared + shared).map { |pool| pool.packer { |packer| packer.write(Samples::Wrap.new("x")).full_pack } }.uniq }
      end
      expect(results).to eq([hex("d4 01 78")])
    end
  end

  describe "values" do
    it "are shareable when they are frozen" do
      values = [MessagePack::ExtensionValue.new(1, "a".freeze), MessagePack::Timestamp.new(1, 2)]
      expect(values.map { |value| Ractor.shareable?(value.freeze) }).to eq([true, true])
    end

    it "unpacked with freeze: true are shareable" do
      expect(Ractor.shareable?(MessagePack.unpack(hex("92 81 a1 61 a1 62 c4 01 ff"), freeze: true))).to be(true)
    end
  end
end
