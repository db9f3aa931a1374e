# frozen_string_literal: true

# What a Ractor made goes with it.
RSpec.describe "memory of Ractors", :slow do
  # Kilobytes that the process grows by in 600 rounds, once the allocator has settled.
  def growth(&round)
    skip "needs /proc" unless File.exist?("/proc/self/statm")

    Child.run(300) do
      resident = lambda do |rounds|
        rounds.times { Ractors.run(&round) }
        GC.start
        File.read("/proc/self/statm").split[1].to_i * 4
      end
      before = resident.call(600)
      resident.call(600) - before
    end
  end

  # What 600 Ractors hold if nothing is freed is twice this at least.
  limit = 40_000

  it "is given back when they end" do
    grown = growth do
      packer = MessagePack::Packer.new
      packer.write("x" * 200_000).write({ "a" => [1] * 1000 })
      MessagePack.unpack(MessagePack.pack((1..500).to_h { |number| ["key#{number}", number] }), key_cache: true)
      unpacker = MessagePack::Unpacker.new.feed(packer.to_s)
      unpacker.read
      nil
    end
    expect(grown).to be < limit
  end

  it "is given back when they end with objects half packed and half read" do
    grown = growth do
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, packer: ->(_, packer) { packer.write("x" * 200_000) && raise("no") }, recursive: true)
      Ractors.error { factory.packer.write([Samples::Wrap.new]) }
      unpacker = MessagePack::Unpacker.new.feed("\x92\xdb\x00\x03\x00\x00".b + "x" * 190_000)
      Ractors.error { unpacker.read }
      nil
    end
    expect(grown).to be < limit
  end

  it "is given back with the idle members of a shared pool" do
    grown = growth do
      pool = Ractor.make_shareable(MessagePack::Factory.new.pool(4))
      pool.packer { |first| pool.packer { |second| [first, second].each { |packer| packer.write("x" * 100_000) } } }
      nil
    end
    expect(grown).to be < limit
  end
end
