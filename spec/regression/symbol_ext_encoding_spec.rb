# frozen_string_literal: true

# msgpack-ruby 248 and 211, bootsnap 398: Symbols lost their encoding on the way through an ext type.
RSpec.describe "a Symbol type" do
  [{}, { optimized_symbols_parsing: true }].each do |options|
    it "keeps UTF-8 Symbols with #{options}" do
      factory = MessagePack::Factory.new
      factory.register_type(0, Symbol, { packer: :to_msgpack_ext, unpacker: :from_msgpack_ext }.merge(options))
      expect(factory.load(factory.dump([:é, :a, :"日本"]))).to eq([:é, :a, :"日本"])
    end
  end

  it "keeps binary Symbols" do
    factory = MessagePack::Factory.new
    factory.register_type(0, Symbol)
    expect(factory.load(factory.dump("\xff".b.to_sym))).to equal("\xff".b.to_sym)
  end
end
