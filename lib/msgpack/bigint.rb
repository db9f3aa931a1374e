# frozen_string_literal: true

module MessagePack
  # The callables of an ext type for Integers beyond 64 bits. The payload is one byte, 0 or 1
  # for negative numbers, then the absolute value in words of 32 bits: each big-endian, the
  # least significant word first. Not loaded by `require "msgpack"`.
  #
  # @example
  #   require "msgpack/bigint"
  #   factory.register_type(2, Integer, oversized_integer_extension: true,
  #                         packer: MessagePack::Bigint.method(:to_msgpack_ext),
  #                         unpacker: MessagePack::Bigint.method(:from_msgpack_ext))
  module Bigint
    # Bits of a word.
    CHUNK_BITLENGTH = 32
    # The payload in the notation of `Array#pack`.
    FORMAT = "CL>*"

    module_function

    # @param bigint [Integer]
    # @return [String] binary
    # @example
    #   MessagePack::Bigint.to_msgpack_ext(-1)  # => "\x01\x00\x00\x00\x01"
    def to_msgpack_ext(bigint)
      # By way of hexadecimal digits the time is linear in the number's size, where shifting
      # word by word is quadratic.
      digits = bigint.zero? ? "" : bigint.abs.to_s(16)
      digits = digits.rjust((digits.size + 7) / 8 * 8, "0")
      [bigint.negative? ? 1 : 0, *[digits].pack("H*").unpack("L>*").reverse].pack(FORMAT)
    end

    # @param data [String] words that are not complete are ignored
    # @return [Integer]
    # @example
    #   MessagePack::Bigint.from_msgpack_ext("\x00\x00\x00\x00\x01")  # => 1
    def from_msgpack_ext(data)
      sign, *words = data.unpack(FORMAT)
      absolute = words.reverse.pack("L>*").unpack1("H*").to_i(16)
      sign == 0 ? absolute : -absolute
    end
  end
end
