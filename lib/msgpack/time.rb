# frozen_string_literal: true

require "msgpack/timestamp"

module MessagePack
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
