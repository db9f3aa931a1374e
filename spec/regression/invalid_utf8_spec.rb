# frozen_string_literal: true

# dd-trace-php 2698, dd-trace-rb 316: strings that say UTF-8 and are not pass as they are, both ways.
RSpec.describe "a String that is not valid UTF-8" do
  it "is packed as it is" do
    expect(MessagePack.pack("a\xffb")).to be_bytes("a3 61 ff 62")
  end

  it "is unpacked as it is" do
    string = MessagePack.unpack(hex("a3 61 ff 62"))
    expect([string.encoding, string.valid_encoding?, string.b]).to eq([Encoding::UTF_8, false, hex("61 ff 62")])
  end
end
