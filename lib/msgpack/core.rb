# frozen_string_literal: true

# Everything but the `to_msgpack` methods of the core classes, which msgpack/core_ext adds.
#
# Classes and methods that are native are there once msgpack/native is loaded. The files with their documentation,
# msgpack/packer for example, have nothing else in them and don't take part: Ruby would read them line by line.
require "msgpack/version"
require "msgpack/native"
require "msgpack/registration"
require "msgpack/factory"
require "msgpack/timestamp"

module MessagePack
  # @!parse
  #   # The factory behind the module functions and `to_msgpack`: what is registered on it holds for all of them.
  #   # Every Ractor uses it, the main one registers.
  #   DefaultFactory = Factory.new

  module_function

  # Packs an object with the types registered on {DefaultFactory}.
  #
  # @overload pack(object, options = {})
  #   @param object [Object]
  #   @option options [Boolean] :compatibility_mode (false) the format before 2013: no bin, no str8
  #   @return [String] binary
  # @overload pack(object, io, options = {})
  #   @param io [#write, #<<] gets the bytes
  #   @return [nil]
  # @raise [NoMethodError] for an object that has no format, no ext type and no `to_msgpack`
  # @raise [RangeError] for an Integer outside -2**63..2**64-1
  # @example
  #   MessagePack.pack([1, "a"])  # => "\x92\x01\xA1a"
  def pack(object, io = nil, options = nil)
    dump_native(object, io, options)
  end

  # As {pack}.
  def dump(object, io = nil, options = nil)
    dump_native(object, io, options)
  end

  # Unpacks the one object that a String or an IO holds, with the types registered on {DefaultFactory}.
  #
  # @param src [String, #read, #readpartial]
  # @param param [Hash, nil] the options of {Unpacker}; another object, with a String as source, is an IO behind the String
  # @return [Object]
  # @raise [EOFError] if the data ends before the object does
  # @raise [MalformedFormatError] for what is no MessagePack, or bytes behind the object
  # @raise [UnknownExtTypeError] for an ext type that is not registered
  # @raise [StackError] for more than 128 nested containers
  # @example
  #   MessagePack.unpack("\x81\xA1a\x01", symbolize_keys: true)  # => { a: 1 }
  def unpack(src, param = nil)
    load_native(src, param)
  end

  # As {unpack}.
  def load(src, param = nil)
    load_native(src, param)
  end

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
