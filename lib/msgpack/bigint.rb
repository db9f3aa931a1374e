# frozen_string_literal: true

require "msgpack/native"

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

    # @!method self.to_msgpack_ext(bigint)
    #   @param bigint [Integer]
    #   @return [String] binary
    #   @raise [NoMethodError] for what is no Integer
    #   @example
    #     MessagePack::Bigint.to_msgpack_ext(-1)  # => "\x01\x00\x00\x00\x01"
    define_method(:to_msgpack_ext, MessagePack.instance_method(:bigint_to_payload))

    # @!method self.from_msgpack_ext(data)
    #   @param data [String] words that are not complete are ignored
    #   @return [Integer]
    #   @raise [NoMethodError] for what is no String
    #   @example
    #     MessagePack::Bigint.from_msgpack_ext("\x00\x00\x00\x00\x01")  # => 1
    define_method(:from_msgpack_ext, MessagePack.instance_method(:bigint_from_payload))

    module_function :to_msgpack_ext, :from_msgpack_ext
  end
end
