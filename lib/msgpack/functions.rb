# frozen_string_literal: true

require "msgpack/native"

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
end
