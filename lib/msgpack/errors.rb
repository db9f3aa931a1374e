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
    # @return [Integer, nil] the byte that the error is about, counted from 0: of the String, or of all
    #   that the unpacker was ever fed
    attr_reader :offset
  end
end
