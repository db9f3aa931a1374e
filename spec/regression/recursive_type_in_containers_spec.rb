# frozen_string_literal: true

# msgpack-ruby 273, 276 and 283: a recursive type inside of an array gave a wrong value, or "extra bytes".
RSpec.describe "a recursive type inside of containers" do
  it "leaves its neighbours alone" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap, recursive: true, packer: ->(wrap, packer) { packer.write(wrap.value) },
                                            unpacker: ->(unpacker) { Samples::Wrap.new(unpacker.read) })
    value = [0, Samples::Wrap.new([1, Samples::Wrap.new({ "k" => Samples::Wrap.new(nil) })]), 2, { 3 => Samples::Wrap.new("x"), 4 => 5 }, Samples::Wrap.new([]), 6]
    expect(factory.load(factory.dump(value))).to eq(value)
  end
end
