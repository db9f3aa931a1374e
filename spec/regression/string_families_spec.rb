# frozen_string_literal: true

# msgpack-ruby 7, 40, 44, 45 and 62: everything came back as UTF-8, and other encodings went out as they were.
RSpec.describe "the encoding of a String" do
  it "makes binary ones bin" do
    expect(MessagePack.pack("\xff".b)).to be_bytes("c4 01 ff")
  end

  it "makes UTF-8 and ASCII ones str" do
    expect(MessagePack.pack(["é", "a".encode("US-ASCII")])).to be_bytes("92 a2 c3 a9 a1 61")
  end

  it "has others converted to UTF-8" do
    expect(MessagePack.pack(["é".encode("ISO-8859-1"), "あ".encode("Shift_JIS"), "a".encode("UTF-16LE")])).to be_bytes("93 a2 c3 a9 a3 e3 81 82 a1 61")
  end

  it "comes back as UTF-8 for str and binary for bin" do
    expect(MessagePack.unpack(hex("92 a1 61 c4 01 61")).map(&:encoding)).to eq([Encoding::UTF_8, Encoding::BINARY])
  end

  it "does not matter to old peers" do
    expect(MessagePack.pack("\xff".b, compatibility_mode: true)).to be_bytes("a1 ff")
  end
end
