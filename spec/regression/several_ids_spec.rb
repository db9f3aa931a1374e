# frozen_string_literal: true

# msgpack-ruby 310: a class whose format changes has several ids, of which the last one packs and all are read.
RSpec.describe "a class with several ids" do
  it "packs by the last one and reads all" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap, packer: ->(_) { "old" }, unpacker: ->(data) { [:old, data] })
    factory.register_type(2, Samples::Wrap, packer: ->(_) { "n" }, unpacker: ->(data) { [:new, data] })
    expect(factory.dump(Samples::Wrap.new)).to be_bytes("d4 02 6e")
    expect(factory.load(hex("92 d4 01 61 d4 02 62"))).to eq([[:old, "a"], [:new, "b"]])
  end
end
