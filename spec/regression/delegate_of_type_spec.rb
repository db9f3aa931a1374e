# frozen_string_literal: true

require "delegate"

# rails 57566: a delegate of a Time is no Time. Nothing is guessed: NoMethodError, with the object, as long as what
# it stands for has no to_msgpack.
RSpec.describe "a delegate of a registered class" do
  it "is not caught by the type" do
    factory = MessagePack::Factory.new
    factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
    delegate = SimpleDelegator.new(Time.at(0))
    expect { factory.dump([delegate]) }.to raise_error(NoMethodError, /to_msgpack/) { |error| expect(error.name).to eq(:to_msgpack) }
  end

  it "packs as what it stands for where that has to_msgpack" do
    expect(MessagePack.pack([SimpleDelegator.new([1])])).to be_bytes("91 91 01")
  end
end
