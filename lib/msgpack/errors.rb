# frozen_string_literal: true

require "msgpack/native"

module MessagePack
  # What is wrong with data, or with the way it is read. Its subclasses say what:
  #
  # * {MalformedFormatError}: no MessagePack, or bytes behind the object
  # * {StackError}: more than 128 levels of nesting
  # * {UnexpectedTypeError}: no array or map where its header was asked for
  # * {UnknownExtTypeError}: an ext type that is not registered
  # * {LimitError}: more than a `max_…` option allows
  #
  # Data that ends too early is EOFError.
  class UnpackError
    # @!method offset()
    #   @return [Integer, nil] the byte that the error is about, counted from 0: of the String, or of all
    #     that the unpacker was ever fed
  end

  # No MessagePack, or bytes behind the one object.
  class MalformedFormatError < UnpackError
  end

  # More than 128 levels of arrays, maps and recursive ext types.
  class StackError < UnpackError
  end

  # No array or map where {Unpacker#read_array_header} or {Unpacker#read_map_header} wants one.
  class UnexpectedTypeError < UnpackError
  end

  # An ext type that is not registered, without `allow_unknown_ext`.
  class UnknownExtTypeError < UnpackError
  end

  # More than one of the options `max_depth`, `max_string_bytes`, `max_bin_bytes`, `max_ext_bytes`,
  # `max_array_length`, `max_map_length` and `max_total_objects` allows. The message names the option, what
  # was found, the limit and the byte.
  class LimitError < UnpackError
  end

  # Only there to rescue {UnexpectedTypeError} by.
  module TypeError
  end

  # Kept for its name, which the C gem has; there are no instances.
  class HeldBuffer < BasicObject
  end
end
