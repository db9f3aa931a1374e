# frozen_string_literal: true

# msgpack-ruby 281: an application kept 1834 equal empty strings, as the empty one missed the path that shares them.
RSpec.describe "empty strings with freeze: true" do
  it "are one String" do
    first, second = MessagePack.unpack(hex("92 a0 a0"), freeze: true)
    expect(first).to equal(second)
    expect(first.encoding).to eq(Encoding::UTF_8)
  end

  it "are one String when they are binary" do
    first, second = MessagePack.unpack(hex("92 c4 00 c4 00"), freeze: true)
    expect(first).to equal(second)
    expect(first.encoding).to eq(Encoding::BINARY)
  end
end
