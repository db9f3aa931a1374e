# frozen_string_literal: true

require "msgpack/native"

module MessagePack
  # The timestamp ext type of the MessagePack specification: seconds since 1970-01-01 00:00:00
  # UTC and nanoseconds. The payload is the shortest of
  #
  # * 4 bytes: seconds as u32, no nanoseconds,
  # * 8 bytes: nanoseconds in the upper 30 bits, seconds in the lower 34,
  # * 12 bytes: nanoseconds as u32, seconds as i64.
  #
  # It is not registered by default; {MessagePack::Time} maps it to `::Time`.
  class Timestamp
    # The type id that the specification gives to timestamps.
    TYPE = -1
    # The last second of the 4-byte form, 2106-02-07 06:28:15 UTC.
    TIMESTAMP32_MAX_SEC = (1 << 32) - 1
    # The last second of the 8-byte form, 2514-05-30 01:53:03 UTC.
    TIMESTAMP64_MAX_SEC = (1 << 34) - 1

    NSEC30_MAX = (1 << 30) - 1
    NSEC32_MAX = (1 << 32) - 1
    SEC_MIN = -(1 << 63)
    SEC_MAX = (1 << 63) - 1
    private_constant :NSEC30_MAX, :NSEC32_MAX, :SEC_MIN, :SEC_MAX

    # @return [Integer] seconds since 1970
    attr_reader :sec
    # @return [Integer] nanoseconds
    attr_reader :nsec

    # @param sec [Integer] seconds since 1970; negative before
    # @param nsec [Integer] nanoseconds, counted forwards also before 1970
    def initialize(sec, nsec)
      @sec = sec
      @nsec = nsec
    end

    # @!method self.from_msgpack_ext(data)
    #   @param data [String] a payload of 4, 8 or 12 bytes
    #   @return [Timestamp]
    #   @raise [MalformedFormatError] if it has another size
    #   @example
    #     Timestamp.from_msgpack_ext("\x00\x00\x00\x01").sec  # => 1

    # @!method self.to_msgpack_ext(sec, nsec)
    #   @param sec [Integer] seconds since 1970, -2**63...2**63
    #   @param nsec [Integer] nanoseconds; up to 2**30-1, or 2**32-1 where the 12-byte form is taken
    #   @return [String] the payload, binary
    #   @raise [RangeError] if a number does not fit its field
    #   @example
    #     Timestamp.to_msgpack_ext(1, 0)  # => "\x00\x00\x00\x01"

    # What {to_msgpack_ext} does with numbers that don't fit and with what is no Integer.
    def self.other_payload(sec, nsec)
      if sec >= 0 && sec <= TIMESTAMP64_MAX_SEC
        return [sec].pack("L>") if nsec == 0 && sec <= TIMESTAMP32_MAX_SEC

        check_range("nsec", nsec, 0, NSEC30_MAX)
        [nsec << 34 | sec].pack("Q>")
      else
        check_range("sec", sec, SEC_MIN, SEC_MAX)
        check_range("nsec", nsec, 0, NSEC32_MAX)
        [nsec, sec].pack("L>q>")
      end
    end
    private_class_method :other_payload

    def self.check_range(name, value, min, max)
      raise RangeError, "#{name} #{value} is out of range" unless value >= min && value <= max
    end
    private_class_method :check_range

    # @return [String] the payload, binary
    # @raise [RangeError] if a number does not fit its field
    def to_msgpack_ext
      self.class.to_msgpack_ext(sec, nsec)
    end

    # @return [Boolean] whether the other one is of the same class and has the same numbers
    def ==(other)
      other.class == self.class && sec == other.sec && nsec == other.nsec
    end
  end

  # The callables that map `::Time` to the timestamp ext type. They are not registered by
  # default, and can be used in every Ractor.
  #
  # @example
  #   factory.register_type(-1, Time, packer: MessagePack::Time::Packer,
  #                                   unpacker: MessagePack::Time::Unpacker)
  module Time
    # Ruby 4.0 makes lambdas shareable in its own way. On the others `self` has to be
    # shareable, as this module is.
    shareable = ->(lambda) { Ractor.respond_to?(:shareable_lambda) ? Ractor.shareable_lambda(&lambda) : Ractor.make_shareable(lambda) }

    # Whether `Time.at` takes nanoseconds; always true.
    TIME_AT_3_AVAILABLE = true

    # @!method self.from_payload(payload)
    #   What {Unpacker} calls.
    #   @api private

    # `call(time) -> String`: the payload of a `::Time`, its zone left out.
    # Raises RangeError if the seconds do not fit 64 bits.
    Packer = shareable.call(->(time) { Timestamp.to_msgpack_ext(time.tv_sec, time.tv_nsec) })

    # `call(payload) -> Time`: a `::Time` in the local zone, exact to the nanosecond.
    # Raises {MalformedFormatError} if the payload has not 4, 8 or 12 bytes.
    Unpacker = shareable.call(->(payload) { Time.from_payload(payload) })
  end
end
