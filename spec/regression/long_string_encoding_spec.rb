# frozen_string_literal: true

# msgpack-ruby 200: strings over 255 bytes took another path, on which they lost their encoding.
RSpec.describe "the encoding of a str" do
  [1, 31, 32, 255, 256, 257, 4096, 65_535, 65_536, 600_000].each do |size|
    it "is UTF-8 at #{size} bytes, whole, in pieces and from an io" do
      data = MessagePack.pack("a" * size)
      pieces = []
      unpacker = MessagePack::Unpacker.new
      [data[0, data.bytesize / 2], data[(data.bytesize / 2)..]].each { |piece| unpacker.feed_each(piece) { |string| pieces << string } }
      strings = [MessagePack.unpack(data), MessagePack.unpack(StringIO.new(data)), *pieces]
      expect(strings.map { |string| [string.encoding, string.bytesize, string.valid_encoding?] }).to eq([[Encoding::UTF_8, size, true]] * 3)
    end
  end
end
