# frozen_string_literal: true

# logstash-codec-fluent feeds the unpacker inside of the block of its own feed_each: the inner call takes what is left.
RSpec.describe "Unpacker#feed_each" do
  it "can be called in its own block" do
    unpacker = MessagePack::Unpacker.new
    seen = []
    unpacker.feed_each(hex("01 02")) do |outer|
      seen << [:outer, outer]
      unpacker.feed_each(hex("03")) { |inner| seen << [:inner, inner] }
    end
    expect(seen).to eq([[:outer, 1], [:inner, 2], [:inner, 3]])
  end
end
