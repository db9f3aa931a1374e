# frozen_string_literal: true

# msgpack-ruby 345: an empty String ended the stream.
RSpec.describe "an empty feed" do
  it "is nothing" do
    unpacker = MessagePack::Unpacker.new
    objects = []
    ["", "\x92", "", "\x01", "", "", "\x02", ""].each { |data| unpacker.feed_each(data) { |object| objects << object } }
    expect(objects).to eq([[1, 2]])
  end
end
