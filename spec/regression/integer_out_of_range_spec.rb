# frozen_string_literal: true

# msgpack-ruby 57, 243 and 244: what becomes of integers beyond 64 bits.
RSpec.describe "an integer beyond 64 bits" do
  it "is refused" do
    expect { MessagePack.pack(2**64) }.to raise_error(RangeError, /unsigned long long/)
    expect { MessagePack.pack(-(2**63) - 1) }.to raise_error(RangeError, /long long/)
  end

  { 2**64 - 1 => "cf ff ff ff ff ff ff ff ff", -(2**63) => "d3 80 00 00 00 00 00 00 00" }.each do |number, bytes|
    it "is not #{number}" do
      expect(MessagePack.pack(number)).to be_bytes(bytes)
      expect(MessagePack.unpack(hex(bytes))).to eq(number)
    end
  end
end
