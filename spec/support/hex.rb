# frozen_string_literal: true

# Bytes as the format's tables write them: `hex("92 01 02")`.
module Hex
  # "92 01 02" -> "\x92\x01\x02", binary and unfrozen. Blanks are free.
  def hex(text)
    digits = text.delete(" ")
    raise ArgumentError, "not pairs of hex digits: #{text}" unless digits.match?(/\A(?:\h\h)*\z/)

    [digits].pack("H*")
  end
  module_function :hex

  # "\x92\x01\x02" -> "92 01 02"
  def self.dump(bytes)
    bytes.unpack1("H*").scan(/../).join(" ")
  end
end

RSpec.configure { |config| config.include(Hex) }

# expect(MessagePack.pack([1, 2])).to be_bytes("92 01 02")
#
# Compares bytes, and shows them in hex when they differ. The string has to be binary, as everything
# that the gem packs is.
RSpec::Matchers.define :be_bytes do |expected|
  match { |actual| actual.is_a?(String) && actual.encoding == Encoding::BINARY && actual == Hex.hex(expected) }

  failure_message do |actual|
    next "expected the bytes #{expected}, got #{actual.inspect}" unless actual.is_a?(String)

    "expected the bytes #{Hex.dump(Hex.hex(expected))} (#{Encoding::BINARY})\n" \
      "              got #{Hex.dump(actual)} (#{actual.encoding})"
  end
end
