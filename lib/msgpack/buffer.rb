# frozen_string_literal: true

require "msgpack/native"

module MessagePack
  # Bytes that are written at one end and read at the other: those of a packer or unpacker, or its
  # own. It may have an IO, to which {#flush} sends and from which reading refills.
  #
  # Long Strings are kept by reference and copied when the sender changes them, so nobody notices.
  # Bytes of one buffer never show up in another.
  #
  # A buffer belongs to one Ractor and to one thread at a time. It has neither `dup` nor `clone`.
  #
  # @example
  #   buffer = MessagePack::Buffer.new
  #   buffer << "abc" << "def"
  #   buffer.read(4)  # => "abcd"
  #   buffer.size     # => 2
  class Buffer
    # @!method initialize(io = nil, options = nil)
    #   @param io [#readpartial, #read, #write, #<<, nil]
    #   @param options [Hash]
    #   @option options [Integer] :io_buffer_size (32768) bytes asked of the IO. At least 1024
    #   @option options [Integer] :read_reference_threshold (256) bytes, at least 256
    #   @option options [Integer] :write_reference_threshold (524288) bytes; longer Strings are kept
    #     by reference. At least 256
    #   @raise [ArgumentError] if the options are no Hash, or for more than two arguments

    # @!method <<(data)
    #   Adds bytes.
    #   @param data [String, #to_str] the encoding does not matter
    #   @return [self]
    #   @raise [::TypeError] for what is no String

    # @!method write(data)
    #   Adds bytes.
    #   @param data [String, #to_str] the encoding does not matter
    #   @return [Integer] bytes added
    #   @raise [::TypeError] for what is no String

    # @!method read(bytes = nil, out = nil)
    #   Takes up to so many bytes away; without a number all, with an IO up to its end.
    #   @param bytes [Integer, nil]
    #   @param out [String, nil] gets the bytes in place of what it holds, and is returned
    #   @return [String, nil] binary; nil if a number was given and nothing is there
    #   @raise [ArgumentError] for a negative number
    #   @raise [::TypeError] for what is no number or no String

    # @!method read_all(bytes = nil, out = nil)
    #   Takes exactly so many bytes away; without a number as {#read}.
    #   @param bytes [Integer, nil]
    #   @param out [String, nil] gets the bytes in place of what it holds, and is returned
    #   @return [String] binary
    #   @raise [EOFError] if fewer are there; nothing is taken
    #   @raise [ArgumentError] for a negative number
    #   @raise [::TypeError] for what is no number or no String

    # @!method skip(bytes)
    #   Drops up to so many bytes.
    #   @param bytes [Integer]
    #   @return [Integer] bytes dropped
    #   @raise [ArgumentError] for a negative number
    #   @raise [::TypeError] for what is no number

    # @!method skip_all(bytes)
    #   Drops exactly so many bytes.
    #   @param bytes [Integer]
    #   @return [self]
    #   @raise [EOFError] if fewer are there; nothing is dropped
    #   @raise [ArgumentError] for a negative number
    #   @raise [::TypeError] for what is no number

    # @!method size()
    #   @return [Integer] bytes buffered; the IO is not asked

    # @!method empty?()
    #   @return [Boolean] whether nothing is buffered

    # @!method clear()
    #   Drops all bytes.
    #   @return [nil]

    # @!method to_s()
    #   @return [String] binary, a copy of all bytes

    # @!method to_str()
    #   @return [String] as {#to_s}

    # @!method to_a()
    #   @return [Array<String>] pieces that make {#to_s}; where it is cut means nothing

    # @!method io()
    #   @return [Object, nil] the IO

    # @!method flush()
    #   Sends all bytes to the IO; without one it does nothing.
    #   @return [self]

    # @!method close()
    #   Closes the IO, without {#flush}.
    #   @return [Object, nil] what its `close` returned; nil without an IO

    # @!method write_to(io)
    #   Sends all bytes to another IO. If that fails, what was not sent stays.
    #   @param io [#write]
    #   @return [Integer] bytes sent
  end
end
