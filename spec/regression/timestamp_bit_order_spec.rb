# frozen_string_literal: true

# msgpack-ruby 172: the upper two bits of 34-bit seconds stood in the wrong place, which shows after 2106-02-07.
RSpec.describe "a timestamp of 8 bytes" do
  { 2**32 => "00 00 00 01 00 00 00 00", 2**33 => "00 00 00 02 00 00 00 00", 2**32 + 5 => "00 00 00 01 00 00 00 05", 2**34 - 1 => "00 00 00 03 ff ff ff ff" }
    .each do |sec, bytes|
      it "holds #{sec} seconds" do
        expect(MessagePack::Timestamp.to_msgpack_ext(sec, 0)).to be_bytes(bytes)
        expect(MessagePack::Timestamp.from_msgpack_ext(hex(bytes)).sec).to eq(sec)
      end
    end
end
