# frozen_string_literal: true

require "msgpack/registration"

module MessagePack
  # Writes MessagePack piece by piece, into memory or to an IO.
  #
  # Bytes stay in the packer until {#flush}, {#full_pack} or {#reset}; a packer with an IO may send
  # what is complete before. After an exception the packer keeps what was written, half an object
  # included: call {#reset} before the next one.
  #
  # A packer belongs to one Ractor and to one thread at a time. It has neither `dup` nor `clone`.
  #
  # @example
  #   packer = MessagePack::Packer.new
  #   packer.write_array_header(2).write(1).write("a")
  #   packer.to_s  # => "\x92\x01\xA1a"
  class Packer
    # @!method initialize(io = nil, options = nil)
    #   @overload initialize(options = nil)
    #   @overload initialize(io, options = nil)
    #   @param io [#write, #<<, nil] gets the bytes, as binary Strings. Which of the two methods is
    #     called is settled here
    #   @param options [Hash, nil] unknown keys are ignored
    #   @option options [Boolean] :compatibility_mode (false) the format before 2013: every String
    #     goes out as raw bytes, there is no bin and no str with a size of 8 bits
    #   @option options [Integer] :write_reference_threshold (524288) bytes; longer Strings may be
    #     kept by reference until they are written. At least 256
    #   @option options [Integer] :read_reference_threshold (256) bytes, for the packer's buffer
    #   @option options [Integer] :io_buffer_size (32768) bytes, for the packer's buffer. At least 1024
    #   @raise [::TypeError] if the options are no Hash, or a size no number
    #   @raise [ArgumentError] for more than two arguments

    # @!method write(object)
    #   Writes any object. nil, true, false, Integer, Float, String, Symbol, Array and Hash have a
    #   format of their own; an ext type takes instances of its class; all others are asked for
    #   `to_msgpack(packer)`.
    #   @param object [Object]
    #   @return [self]
    #   @raise [NoMethodError] for an object without format, ext type and `to_msgpack`
    #   @raise [RangeError] for an Integer outside -2**63..2**64-1 without a type for it
    #   @raise [ArgumentError] for 2**32 bytes or elements and more
    #   @raise [EncodingError] for a String that can't be converted to UTF-8
    #   @raise [RuntimeError] if a Hash changes meanwhile
    #   @raise [SystemStackError] for data that contains itself

    # @!method pack(object)
    #   As {#write}.
    #   @param object [Object]
    #   @return [self]

    # @!method write_nil()
    #   Writes the byte `c0`.
    #   @return [self]

    # @!method write_true()
    #   Writes the byte `c3`.
    #   @return [self]

    # @!method write_false()
    #   Writes the byte `c2`.
    #   @return [self]

    # @!method write_int(integer)
    #   Writes the shortest form of an Integer: 1, 2, 3, 5 or 9 bytes.
    #   @param integer [Integer]
    #   @return [self]
    #   @raise [::TypeError] for what is no Integer
    #   @raise [RangeError] outside -2**63..2**64-1, without a type for it

    # @!method write_float(number)
    #   Writes a float of 64 bits, 9 bytes.
    #   @param number [Float, Numeric, #to_f] no String
    #   @return [self]
    #   @raise [::TypeError] for what is no number

    # @!method write_float32(number)
    #   Writes the nearest float of 32 bits, 5 bytes.
    #   @param number [Numeric]
    #   @return [self]
    #   @raise [ArgumentError] for what is no Numeric

    # @!method write_string(string)
    #   Writes a String as {#write} does, without asking for ext types of its class: bin if its
    #   encoding is binary, else str, in UTF-8.
    #   @param string [String]
    #   @return [self]
    #   @raise [::TypeError] for what is no String

    # @!method write_symbol(symbol)
    #   Writes a Symbol: its ext type if there is one, else its name as a String.
    #   @param symbol [Symbol]
    #   @return [self]
    #   @raise [::TypeError] for what is no Symbol

    # @!method write_bin(string)
    #   Writes a String as bin, whatever its encoding, which is converted to binary.
    #   @param string [String]
    #   @return [self]
    #   @raise [::TypeError] for what is no String
    #   @raise [EncodingError] for text that is not ASCII

    # @!method write_bin_header(bytes)
    #   Writes the header of a bin, 2, 3 or 5 bytes; its bytes are up to the caller.
    #   @param bytes [Integer] 0..2**32-1
    #   @return [self]
    #   @raise [RangeError] for another number
    #   @example
    #     packer.write_bin_header(3).buffer << "abc"

    # @!method write_array(array)
    #   Writes an Array, without asking for ext types of its class.
    #   @param array [Array]
    #   @return [self]
    #   @raise [::TypeError] for what is no Array

    # @!method write_hash(hash)
    #   Writes a Hash as a map, without asking for ext types of its class.
    #   @param hash [Hash]
    #   @return [self]
    #   @raise [::TypeError] for what is no Hash

    # @!method write_array_header(elements)
    #   Writes the header of an array, 1, 3 or 5 bytes; its elements are up to the caller.
    #   @param elements [Integer] 0..2**32-1
    #   @return [self]
    #   @raise [RangeError] for another number

    # @!method write_map_header(pairs)
    #   Writes the header of a map, 1, 3 or 5 bytes; its keys and values are up to the caller.
    #   @param pairs [Integer] 0..2**32-1
    #   @return [self]
    #   @raise [RangeError] for another number
    #   @example
    #     packer.write_map_header(1).write("key").write("value")

    # @!method write_ext(type, payload)
    #   Writes an ext value.
    #   @param type [Integer] -128..127
    #   @param payload [String] its bytes count, whatever the encoding
    #   @return [self]
    #   @raise [RangeError] if the type is out of range
    #   @raise [::TypeError] for a payload that is no String
    #   @example
    #     packer.write_ext(5, "\x01\x02")

    # @!method write_extension(value)
    #   Writes an ext value.
    #   @param value [ExtensionValue, Struct] its first member is the type, the second the payload
    #   @return [self]
    #   @raise [::TypeError] for what is no Struct
    #   @raise [RangeError] if the type is no Integer of -128..127

    # @!method flush()
    #   Sends all bytes to the IO; without one it does nothing.
    #   @return [self]

    # @!method full_pack()
    #   Gives the bytes away, or to the IO, and is empty then.
    #   @return [String, nil] binary; nil with an IO

    # @!method to_s()
    #   @return [String] binary, a copy of the bytes that are not sent yet

    # @!method to_str()
    #   @return [String] as {#to_s}

    # @!method to_a()
    #   @return [Array<String>] pieces that make {#to_s}; where it is cut means nothing

    # @!method size()
    #   @return [Integer] bytes that are not sent yet

    # @!method empty?()
    #   @return [Boolean] whether no bytes are left to send

    # @!method reset()
    #   Drops the bytes. IO, options and ext types stay.
    #   @return [nil]

    # @!method clear()
    #   As {#reset}.
    #   @return [nil]

    # @!method write_to(io)
    #   Sends all bytes to another IO.
    #   @param io [#write]
    #   @return [Integer] bytes sent

    # @!method buffer()
    #   @return [Buffer] a view of the packer's own bytes: what is written there goes out as it is

    # @!method compatibility_mode?()
    #   @return [Boolean] the option of that name

    # @!method register_type_internal(type, klass, callable)
    #   What {#register_type} calls.
    #   @api private

    # @!method register_type(type, klass, method_name = nil, &block)
    #   Registers an ext type on this packer alone, not on the factory that made it. To
    #   register a recursive type use {Factory#register_type}.
    #
    #   @overload register_type(type, klass, method_name)
    #     @param type [Integer] id of the type, -128..127
    #     @param klass [Module] the type takes its instances and those of its descendants
    #     @param method_name [Symbol, #to_proc] the method of the object, or a callable with
    #       the object as its one argument, that returns the payload as a String
    #   @overload register_type(type, klass, &block)
    #     @yieldparam object [Object] the object to pack
    #     @yieldreturn [String] the payload; its bytes count, whatever the encoding
    #   @return [nil]
    #   @raise [FrozenError] if the packer is frozen
    #   @raise [RangeError] if the id is out of range
    #   @raise [ArgumentError] if `klass` is not a Module
    #   @raise [NoMethodError] if there is neither a block nor a callable
    #   @example
    #     packer.register_type(1, Point) { |point| [point.x, point.y].pack("l>2") }
    #     packer.register_type(2, Money, :to_msgpack_ext)

    # @!method registered_types()
    #   @return [Array<Hash{Symbol => Object}>] a copy of what is registered, the factory's
    #     types included: `{ type: Integer, class: Module, packer: Proc or nil }`, sorted by type

    # @!method type_registered?(klass_or_type)
    #   @param klass_or_type [Module, Integer]
    #   @return [Boolean] whether that id is registered, or that class or one of its ancestors
    #   @raise [ArgumentError] if the argument is neither a Module nor an Integer
  end
end
