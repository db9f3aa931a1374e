# frozen_string_literal: true

# msgpack-ruby 378: the cache for keys is bounded; more keys than it holds have to come out right as well.
RSpec.describe "key_cache: true" do
  it "takes any number of keys" do
    map = (1..20_000).to_h { |number| ["key #{number}", number] }
    unpacker = MessagePack::Unpacker.new(key_cache: true)
    data = MessagePack.pack(map)
    expect(Array.new(2) { unpacker.feed(data).read }).to eq([map, map])
  end

  it "tells keys that begin alike, end alike, or differ in length alone" do
    keys = (0..70).flat_map { |length| ["a" * length, "#{'a' * length}b", "b#{'a' * length}"] }.uniq
    map = keys.each_with_index.to_h
    expect(MessagePack.unpack(MessagePack.pack([map, map]), key_cache: true)).to eq([map, map])
  end
end
