# frozen_string_literal: true

# msgpack-ruby 164: MessagePack.unpack(io) raised unless options were given.
RSpec.describe "MessagePack.unpack" do
  { "an io" => [], "an io and nil" => [nil], "an io and options" => [{ symbolize_keys: false }] }.each do |name, rest|
    it "takes #{name}" do
      expect(MessagePack.unpack(StringIO.new(hex("81 a1 61 01")), *rest)).to eq({ "a" => 1 })
    end
  end

  it "takes an io and keywords" do
    expect(MessagePack.unpack(StringIO.new(hex("81 a1 61 01")), symbolize_keys: true)).to eq({ a: 1 })
  end
end
