# frozen_string_literal: true

# What a Ractor made goes with it.
RSpec.describe "memory of Ractors", :slow do
  # Kilobytes that a process grows by when as many Ractors again run the code. In a new process with one arena, as malloc's
  # habit of keeping memory for each thread hides everything else.
  def growth(code)
    skip "needs /proc" unless File.exist?("/proc/self/statm")

    script = <<~RUBY
      require "msgpack"
      resident = lambda do
        300.times { Ractors.run { #{code}; nil } }
        GC.start
        File.read("/proc/self/statm").split[1].to_i * 4
      end
      before = resident.call
      puts(resident.call - before)
    RUBY
    Integer(Child.ruby(script, "-W0", "-r", File.join(__dir__, "../support/ractors"), seconds: 300, environment: { "MALLOC_ARENA_MAX" => "1" }))
  end

  # 300 Ractors hold 60 MB at least if nothing is freed.
  limit = 15_000

  it "is given back when they end" do
    grown = growth(<<~'RUBY')
      packer = MessagePack::Packer.new
      packer.write("x" * 200_000).write({ "a" => [1] * 1000 })
      MessagePack.unpack(MessagePack.pack((1..500).to_h { |number| ["key#{number}", number] }), key_cache: true)
      MessagePack::Unpacker.new.feed(packer.to_s).read
    RUBY
    expect(grown).to be < limit
  end

  it "is given back when they end with objects half packed and half read" do
    grown = growth(<<~'RUBY')
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, packer: ->(_, packer) { packer.write("x" * 200_000) && raise("no") }, recursive: true)
      Ractors.error { factory.packer.write([Samples::Wrap.new]) }
      unpacker = MessagePack::Unpacker.new.feed("\x92\xdb\x00\x03\x00\x00".b + "x" * 190_000)
      Ractors.error { unpacker.read }
    RUBY
    expect(grown).to be < limit
  end

  it "is given back with the idle members of a shared pool" do
    grown = growth(<<~'RUBY')
      pool = Ractor.make_shareable(MessagePack::Factory.new.pool(4))
      pool.packer { |first| pool.packer { |second| [first, second].each { |packer| packer.write("x" * 100_000) } } }
    RUBY
    expect(grown).to be < limit
  end
end
