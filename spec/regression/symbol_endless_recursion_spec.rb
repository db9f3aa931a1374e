# frozen_string_literal: true

# msgpack-ruby 332: a Symbol type with a nil packer called itself until the stack ended.
RSpec.describe "a Symbol type without packer" do
  it "packs Symbols as strings" do
    factory = MessagePack::Factory.new
    factory.register_type(0, Symbol, packer: nil)
    expect(Child.run { factory.dump([:a, { b: :c }]) }).to be_bytes("92 a1 61 81 a1 62 a1 63")
  end
end
