# frozen_string_literal: true

require "time"

module MessagePack
  module CLI
    # Timestamps of the format as ISO 8601 in UTC, and back.
    module Timestamps
      YEARS = (-62_167_219_200..253_402_300_799) # 0000-01-01 to 9999-12-31, what ISO 8601 writes with four digits

      module_function

      # @param payload [String]
      # @return [String, nil] `2024-02-29T12:00:00.5Z`; nil for what is no timestamp, or not of these years
      def text(payload)
        timestamp = Timestamp.from_msgpack_ext(payload)
        return if timestamp.nsec > 999_999_999 || !YEARS.cover?(timestamp.sec)

        time = ::Time.at(timestamp.sec, timestamp.nsec, :nsec).utc
        time.strftime(timestamp.nsec.zero? ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%dT%H:%M:%S.%NZ").sub(/0+Z\z/) { timestamp.nsec.zero? ? $& : "Z" }
      rescue MalformedFormatError
        nil
      end

      # @param text [String]
      # @return [ExtensionValue]
      # @raise [ArgumentError] if it is no time
      def parse(text)
        time = ::Time.iso8601(text)
        ExtensionValue.new(Timestamp::TYPE, Timestamp.to_msgpack_ext(time.to_i, time.nsec))
      end
    end
  end
end
