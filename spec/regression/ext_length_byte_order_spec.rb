# frozen_string_literal: true

# msgpack-ruby 99 and 100: payloads of 256 bytes and more could not be read back, their length was in the wrong order.
RSpec.describe "an ext value" do
  { 255 => "c7 ff 01", 256 => "c8 01 00 01", 258 => "c8 01 02 01", 65_535 => "c8 ff ff 01", 65_536 => "c9 00 01 00 00 01", 66_051 => "c9 00 01 02 03 01" }
    .each do |size, head|
      it "of #{size} bytes has its length in network order" do
        value = MessagePack::ExtensionValue.new(1, "a" * size)
        packed = MessagePack.pack(value)
        expect(packed[0, packed.bytesize - size]).to be_bytes(head)
        expect(MessagePack.unpack(packed, allow_unknown_ext: true)).to eq(value)
      end
    end
end
