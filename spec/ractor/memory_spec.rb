# frozen_string_literal: true

# What a Ractor made goes with it.
RSpec.describe "memory of Ractors", :slow do
  # Kilobytes that the process holds.
  def self.resident
    File.read("/proc/self/statm").split[1].to_i * 4
  end

  def grown_by(rounds, &round)
    skip "needs /proc" unless File.exist?("/proc/self/statm")

    resident = self.class.method(:resident)
    Child.run(300) do
      rounds.times { Ractors.run(&round) }
      GC.start
      before = resident.call
      (rounds * 4).times { Ractors.run(&round) }
      GC.start
      resident.call - before
    end
  end

  it "is given back when they end" do
    grown = grown_by(25) do
      packer = MessagePack::Packer.new
      packer.write("x" * 200_000).write({ "a" => [1] * 1000 })
      MessagePack.unpack(MessagePack.pack((1..500).to_h { |number| ["key#{number}", number] }), key_cache: true)
      unpacker = MessagePack::Unpacker.new.feed(packer.to_s)
      unpacker.read
      nil
    end
    # 100 Ractors hold 20 MB in packers alone.
    expect(grown).to be < 15_000
  end

  it "is given back when they end with objects half packed and half read" do
    grown = grown_by(25) do
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, packer: ->(_, packer) { packer.write("x" * 200_000) && raise("no") }, recursive: true)
      Ractors.error { factory.packer.write([Samples::Wrap.new]) }
      unpacker = MessagePack::Unpacker.new.feed("\x92\xdb\x00\x03\x00\x00".b + "x" * 190_000)
      Ractors.error { unpacker.read }
      nil
    end
    expect(grown).to be < 15_000
  end

  it "is given back with the idle members of a shared pool" do
    grown = grown_by(25) do
      pool = Ractor.make_shareable(MessagePack::Factory.new.pool(4))
      pool.packer { |first| pool.packer { |second| [first, second].each { |packer| packer.write("x" * 100_000) } } }
      nil
    end
    expect(grown).to be < 15_000
  end
end
