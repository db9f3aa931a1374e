# frozen_string_literal: true

# msgpack-ruby 41 and 89: the enumerator that feed_each gives without a block was of no use.
RSpec.describe "Unpacker#feed_each without a block" do
  it "gives an enumerator of the objects" do
    expect(MessagePack::Unpacker.new.feed_each(hex("01 91 02 a1 61")).to_a).to eq([1, [2], "a"])
  end

  it "gives an enumerator that can be taken step by step" do
    enumerator = MessagePack::Unpacker.new.feed_each(hex("01 02"))
    expect([enumerator.next, enumerator.next]).to eq([1, 2])
    expect { enumerator.next }.to raise_error(StopIteration)
  end
end
