# frozen_string_literal: true

require "objspace"

# msgpack-python 129 and 283, fluentd 111 and 1882: an unpacker that lives long kept the memory of what it had read.
RSpec.describe "an unpacker that lives long" do
  it "gives back what was read" do
    unpacker = MessagePack::Unpacker.new
    data = MessagePack.pack("x" * 1_000_000)
    20.times { unpacker.feed_each(data) {} }
    expect(ObjectSpace.memsize_of(unpacker)).to be < 200_000
  end

  it "gives back what was read although an object stays half read" do
    unpacker = MessagePack::Unpacker.new
    20.times do
      unpacker.feed(MessagePack.pack("x" * 1_000_000) + hex("92 01"))
      unpacker.each {}
      unpacker.feed_each(hex("02")) {}
    end
    expect(ObjectSpace.memsize_of(unpacker)).to be < 200_000
  end

  it "gives back what came through an io" do
    io = StringIO.new(MessagePack.pack("x" * 1_000_000) * 5)
    unpacker = MessagePack::Unpacker.new(io)
    unpacker.each {}
    expect(ObjectSpace.memsize_of(unpacker)).to be < 200_000
  end
end
