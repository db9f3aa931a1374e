# frozen_string_literal: true

require "msgpack/native"
require "msgpack/functions"
require "msgpack/packer"

module MessagePack
  # Gives a class `to_msgpack`. The class has a private `to_msgpack_with_packer(packer)` that
  # writes the object and returns the packer.
  module CoreExt
    # Packs this object, with the types registered on {DefaultFactory} unless a packer is given.
    #
    # @overload to_msgpack(options = nil)
    #   @param options [Hash] as {MessagePack.pack}
    #   @return [String] binary
    # @overload to_msgpack(packer)
    #   @param packer [Packer]
    #   @return [Packer] the packer given
    # @overload to_msgpack(io)
    #   @param io [#write, #<<]
    #   @return [nil]
    # @example
    #   [1, "a"].to_msgpack  # => "\x92\x01\xA1a"
    def to_msgpack(packer_or_io = nil)
      if Packer === packer_or_io
        to_msgpack_with_packer(packer_or_io)
      elsif packer_or_io
        MessagePack.pack(self, packer_or_io)
      else
        MessagePack.pack(self)
      end
    end
  end

  # An ext value with an id that no type is registered for; unpackers make it with
  # `allow_unknown_ext: true`. A Struct of `type` (Integer, -128..127) and `payload` (String).
  class ExtensionValue
    include CoreExt

    private

    def to_msgpack_with_packer(packer)
      packer.write_extension(self)
      packer
    end
  end
end
