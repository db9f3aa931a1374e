# frozen_string_literal: true

# msgpack-ruby 371: each exception out of a recursive unpacker left 4 KiB behind.
RSpec.describe "an exception in a recursive unpacker", :slow do
  it "leaves nothing behind" do
    skip "needs /proc" unless File.exist?("/proc/self/statm")

    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap, recursive: true, packer: :value, unpacker: ->(unpacker) { unpacker.read && raise("no") })
    grown = Child.run(120) do
      rounds = lambda do |count|
        count.times { factory.load("\x92\xd4\x01\x05\x07") rescue nil }
        GC.start
        File.read("/proc/self/statm").split[1].to_i * 4096
      end
      before = rounds.call(10_000)
      rounds.call(20_000) - before
    end
    # It was 80 MB.
    expect(grown).to be < 30_000_000
  end
end
