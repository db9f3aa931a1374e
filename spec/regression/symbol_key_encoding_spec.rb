# frozen_string_literal: true

# msgpack-ruby 246 and i18n 606: symbolize_keys made broken Symbols of keys that are not ASCII.
RSpec.describe "symbolize_keys: true" do
  it "makes UTF-8 Symbols" do
    key = MessagePack.unpack(hex("81 a2 c3 a9 01"), symbolize_keys: true).keys[0]
    expect(key).to equal(:é)
    expect(key.encoding).to eq(Encoding::UTF_8)
  end

  it "makes the Symbols that literals are" do
    expect(MessagePack.unpack(hex("82 a1 61 01 c4 01 62 02"), symbolize_keys: true)).to eq({ a: 1, b: 2 })
  end
end
