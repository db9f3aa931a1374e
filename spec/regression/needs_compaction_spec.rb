# frozen_string_literal: true

# msgpack-ruby 355: the specs failed on a platform that can not move objects. Only what can be done is asked for.
RSpec.describe "garbage collection with compaction" do
  it "leaves half-read and half-packed data alone" do
    skip "this Ruby can not move objects" unless GC.respond_to?(:compact)

    unpacker = MessagePack::Unpacker.new
    unpacker.feed_each(hex("93 a3 61 62 63 81 a1 6b")) {}
    packer = MessagePack::Packer.new.write(["x" * 600_000])
    begin
      GC.compact
    rescue NotImplementedError => error
      skip error.message
    end
    expect(unpacker.feed(hex("01 c0")).read).to eq(["abc", { "k" => 1 }, nil])
    expect(MessagePack.unpack(packer.to_s)).to eq(["x" * 600_000])
  end
end
