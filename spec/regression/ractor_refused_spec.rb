# frozen_string_literal: true

# msgpack-ruby 390: each of these calls raised in a Ractor other than the main one.
RSpec.describe "a Ractor other than the main one" do
  {
    "pack" => -> { MessagePack.pack([1]) }, "unpack" => -> { MessagePack.unpack("\x91\x01") }, "to_msgpack" => -> { [1].to_msgpack },
    "Packer.new" => -> { MessagePack::Packer.new.write([1]).to_s }, "Unpacker.new" => -> { MessagePack::Unpacker.new.feed("\x91\x01").read },
    "Factory.new" => -> { MessagePack::Factory.new.dump([1]) }, "DefaultFactory" => -> { MessagePack::DefaultFactory.dump([1]) },
    "a pool" => -> { MessagePack::Factory.new.pool.load("\x91\x01") }
  }.each do |name, call|
    it "can use #{name}" do
      expect(Child.run { Ractors.run(&call) }).to eq(call.call)
    end
  end
end
