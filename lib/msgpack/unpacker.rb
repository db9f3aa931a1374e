# frozen_string_literal: true

require "msgpack/registration"

module MessagePack
  # Reads MessagePack from bytes that come in pieces, or from an IO.
  #
  # No call loses data because it ends too early. Whatever was read of an object is kept, at every
  # depth, and the next call goes on where the data ended, with the same options: after EOFError
  # {#feed} more and call again, or {#reset} to give the object up.
  #
  # After another error the next call begins behind what was wrong: behind the byte, the ext value
  # or the pair. Containers around it are given up.
  #
  # An unpacker belongs to one Ractor and to one thread at a time. It has neither `dup` nor `clone`.
  #
  # @example
  #   unpacker = MessagePack::Unpacker.new(symbolize_keys: true)
  #   unpacker.feed("\x81\xA1a")
  #   unpacker.each { |object| p object }         # nothing yet
  #   unpacker.feed_each("\x01") { |object| p object } # prints {:a=>1}
  class Unpacker
    # @!method initialize(io = nil, options = nil)
    #   @overload initialize(options = nil)
    #   @overload initialize(io, options = nil)
    #   @param io [#readpartial, #read, nil] is asked for more when the bytes that were fed are used
    #     up. Which of the two methods is called is settled here
    #   @param options [Hash, nil] unknown keys are ignored
    #   @option options [Boolean] :symbolize_keys (false) keys of maps that are strings become Symbols
    #   @option options [Boolean] :freeze (false) results and all in them are frozen; equal Strings
    #     are one object
    #   @option options [Boolean] :allow_unknown_ext (false) an ext value of a type that is not
    #     registered becomes an {ExtensionValue}, instead of {UnknownExtTypeError}
    #   @option options [Boolean] :key_cache (false) accepted; keys are always remembered, which
    #     nothing but speed shows
    #   @option options [Integer] :io_buffer_size (32768) bytes asked of the IO. At least 1024
    #   @option options [Integer] :read_reference_threshold (256) bytes, at least 256
    #   @option options [Integer] :write_reference_threshold (524288) bytes, at least 256
    #   @option options [Integer] :max_depth (128) levels of arrays, maps and recursive ext types
    #     that are not empty; 128 at most
    #   @option options [Integer] :max_string_bytes bytes of a str, unlimited by default as are all below
    #   @option options [Integer] :max_bin_bytes bytes of a bin
    #   @option options [Integer] :max_ext_bytes bytes of the payload of an ext value
    #   @option options [Integer] :max_array_length elements of an array
    #   @option options [Integer] :max_map_length pairs of a map
    #   @option options [Integer] :max_total_objects values in one object, itself, keys and values
    #     of maps and what is announced included
    #   @raise [ArgumentError] if the options are no Hash, a limit is negative, or `max_depth` above 128
    #   @raise [::TypeError] if a size is no number or a limit no Integer

    # @!method feed(data)
    #   Adds bytes behind those that are there. Later changes of the String don't matter.
    #   @param data [String, #to_str]
    #   @return [self]
    #   @raise [::TypeError] for what is no String

    # @!method feed_reference(data)
    #   As {#feed}.
    #   @param data [String, #to_str]
    #   @return [self]

    # @!method read()
    #   Reads an object, or finishes one that is half-read.
    #   @return [Object]
    #   @raise [EOFError] if the data ends before the object does; nothing is lost
    #   @raise [MalformedFormatError] at the byte `c1`, which begins nothing
    #   @raise [UnknownExtTypeError] for an ext type that is not registered
    #   @raise [StackError] for more than 128 levels
    #   @raise [LimitError] for more than an option allows, at the header and before anything is made
    #   @raise [UnpackError] inside a plain ext callable of this unpacker

    # @!method unpack()
    #   As {#read}.
    #   @return [Object]

    # @!method skip()
    #   Passes over an object by its lengths: makes no objects, calls nothing, knows no unknown types.
    #   @return [nil]
    #   @raise as {#read}, but for ext types

    # @!method skip_nil()
    #   Passes over a nil, if that comes next.
    #   @return [Boolean] whether it did
    #   @raise [EOFError] if there is no byte

    # @!method read_array_header()
    #   Reads the header of an array; its elements are up to the caller.
    #   @return [Integer] elements, 0..2**32-1
    #   @raise [UnexpectedTypeError] if something else comes next, or an object is half-read;
    #     nothing is consumed
    #   @raise [EOFError] if the header is not all there; nothing is consumed

    # @!method read_map_header()
    #   Reads the header of a map; its keys and values are up to the caller.
    #   @return [Integer] pairs, 0..2**32-1
    #   @raise as {#read_array_header}

    # @!method full_unpack()
    #   Reads the only object.
    #   @return [Object]
    #   @raise as {#read}
    #   @raise [MalformedFormatError] if there are more bytes, which stay readable

    # @!method each()
    #   Reads objects until the data ends. Half an object at the end is kept for the next call.
    #   The block may feed, read, reset and leave.
    #   @yieldparam object [Object]
    #   @return [nil, Enumerator] an Enumerator without a block
    #   @raise as {#read}, but for EOFError of the data or the IO, which ends the loop

    # @!method feed_each(data)
    #   {#feed}, then {#each}.
    #   @param data [String, #to_str]
    #   @yieldparam object [Object]
    #   @return [nil, Enumerator] an Enumerator without a block, which feeds when it is iterated

    # @!method reset()
    #   Drops the bytes and what is half-read. IO, options and ext types stay.
    #   @return [nil]

    # @!method buffer()
    #   @return [Buffer] a view of the bytes that are not read yet: what is taken there is not parsed

    # @!method symbolize_keys?()
    #   @return [Boolean] the option of that name

    # @!method freeze?()
    #   @return [Boolean] the option of that name

    # @!method allow_unknown_ext?()
    #   @return [Boolean] the option of that name

    # @!method register_type(type, klass = nil, method_name = nil, &block)
    #   Registers an ext type on this unpacker alone, not on the factory that made it. To
    #   register a recursive type use {Factory#register_type}.
    #
    #   @overload register_type(type, klass, method_name)
    #     @param type [Integer] id of the type, -128..127
    #     @param klass [Object] usually a class
    #     @param method_name [Symbol, String] the method of `klass` that makes the object from
    #       the payload; this form wins over a block
    #   @overload register_type(type, klass = nil, &block)
    #     @yieldparam payload [String] binary, unfrozen, of this call alone
    #     @yieldreturn [Object] what takes the place of the ext value
    #   @return [nil]
    #   @raise [FrozenError] if the unpacker is frozen
    #   @raise [RangeError] if the id is out of range
    #   @raise [ArgumentError] if there is neither a block nor a class and a method name
    #   @raise [NameError] if `klass` has no such method
    #   @example
    #     unpacker.register_type(1) { |payload| Point.new(*payload.unpack("l>2")) }
    #     unpacker.register_type(2, Money, :from_msgpack_ext)

    # @!method registered_types()
    #   @return [Array<Hash{Symbol => Object}>] a copy of what is registered, the factory's
    #     types included: `{ type: Integer, class: Object or nil, unpacker: Proc or nil }`,
    #     sorted by type

    # @!method type_registered?(klass_or_type)
    #   @param klass_or_type [Module, Integer]
    #   @return [Boolean] whether that id or exactly that class is registered
    #   @raise [ArgumentError] if the argument is neither a Module nor an Integer
  end
end
