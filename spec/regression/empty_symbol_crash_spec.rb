# frozen_string_literal: true

# msgpack-ruby 291: the empty Symbol ended the process with optimized_symbols_parsing.
RSpec.describe "the empty Symbol" do
  [{}, { optimized_symbols_parsing: true }].each do |options|
    it "goes through an ext type with #{options}" do
      factory = MessagePack::Factory.new
      factory.register_type(0, Symbol, { packer: :to_msgpack_ext, unpacker: :from_msgpack_ext }.merge(options))
      expect(factory.dump(:"")).to be_bytes("c7 00 00")
      expect(Child.run { factory.load(hex("92 c7 00 00 05")) }).to eq([:"", 5])
    end
  end
end
