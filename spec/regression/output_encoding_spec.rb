# frozen_string_literal: true

# rails 48197: a prefix in one encoding and packed data in another could not be compared. What is packed is binary.
RSpec.describe "packed data" do
  it "is binary, whatever was packed" do
    results = [nil, "é", "a", 1, { "é" => "é" }].flat_map { |object| [MessagePack.pack(object), object.to_msgpack, MessagePack::Packer.new.write(object).to_s] }
    expect(results.map(&:encoding).uniq).to eq([Encoding::BINARY])
  end

  it "is packed as bin inside of packed data" do
    expect(MessagePack.pack(MessagePack.pack("é"))).to be_bytes("c4 03 a2 c3 a9")
  end
end
