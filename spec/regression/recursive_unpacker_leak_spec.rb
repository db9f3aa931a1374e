# frozen_string_literal: true

require_relative "../memory/growth"

# msgpack-ruby 371: each exception out of a recursive unpacker left 4 KiB behind.
RSpec.describe "an exception in a recursive unpacker", :slow do
  it "leaves nothing behind" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap, recursive: true, packer: :value, unpacker: ->(unpacker) { unpacker.read && raise("no") })

    expect { factory.load("\x92\xd4\x01\x05\x07") rescue nil }.to hold_its_memory
  end
end
