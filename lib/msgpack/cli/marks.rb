# frozen_string_literal: true

require "msgpack/cli/timestamps"

module MessagePack
  module CLI
    # How JSON writes what it has no form for: a map with one key that begins with a dollar sign.
    #
    #   {"$bin": "/w=="}              bin, as base64
    #   {"$str": "/w=="}              str that is not UTF-8, as base64
    #   {"$ext": [5, "AQI="]}         ext value: type, payload as base64
    #   {"$timestamp": "2024-…Z"}     ext value of type -1, as ISO 8601
    #   {"$float": "NaN"}             NaN, Infinity, -Infinity
    #   {"$map": [[1, "a"], …]}       map with keys that are no text, or that looks like a mark
    #
    # Recursion is as deep as the unpacker or the JSON parser let it be.
    module Marks
      NAMES = %w[$bin $str $ext $timestamp $float $map].freeze
      FLOATS = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.freeze

      # What a mark holds is not what its name promises.
      class Broken < StandardError
      end

      module_function

      # @param value [Object] as the unpacker gave it
      # @param exact [Boolean] marks all bin, not only what is no UTF-8
      # @return [Object] what the JSON generator takes
      def mark(value, exact)
        case value
        when String then string(value, exact)
        when Array then value.map { |element| mark(element, exact) }
        when Hash then map(value, exact)
        when Float then value.finite? ? value : { "$float" => value.to_s }
        when ExtensionValue then ext(value)
        else value
        end
      end

      # @param value [Object] as the JSON parser gave it
      # @return [Object] what the packer takes
      # @raise [Broken]
      def unmark(value)
        case value
        when Array then value.map { |element| unmark(element) }
        when Hash
          name, content = value.first
          NAMES.include?(name) && value.size == 1 ? unmark_one(name, content) : value.transform_values { |v| unmark(v) }
        else value
        end
      end

      def string(value, exact)
        return value if value.encoding == Encoding::UTF_8 && value.valid_encoding?

        text = value.encoding == Encoding::UTF_8 ? value : value.dup.force_encoding(Encoding::UTF_8)
        binary = !text.equal?(value)
        return text if text.valid_encoding? && !(binary && exact)

        { (binary ? "$bin" : "$str") => base64(value) }
      end

      def map(value, exact)
        marked = {}
        value.each do |key, v|
          text = key.is_a?(String) && string(key, exact)
          return pairs(value, exact) unless text.is_a?(String)

          marked[text] = mark(v, exact)
        end
        marked.size == 1 && NAMES.include?(marked.first[0]) || marked.size < value.size ? pairs(value, exact) : marked
      end

      def pairs(value, exact)
        { "$map" => value.map { |pair| pair.map { |v| mark(v, exact) } } }
      end

      def ext(value)
        time = value.type == Timestamp::TYPE && Timestamps.text(value.payload)
        time ? { "$timestamp" => time } : { "$ext" => [value.type, base64(value.payload)] }
      end

      def unmark_one(name, content)
        case name
        when "$bin" then bytes(name, content)
        when "$str" then bytes(name, content).force_encoding(Encoding::UTF_8)
        when "$ext" then unmark_ext(content)
        when "$timestamp" then timestamp(content)
        when "$float" then FLOATS[content] || broken(name, "one of #{FLOATS.keys.join(", ")}", content)
        when "$map" then unmark_map(content)
        end
      end

      def unmark_ext(content)
        type, payload = content
        unless content.is_a?(Array) && content.size == 2 && type.is_a?(Integer) && type.between?(-128, 127)
          broken("$ext", "[type from -128 to 127, base64]", content)
        end
        ExtensionValue.new(type, bytes("$ext", payload))
      end

      def timestamp(content)
        Timestamps.parse(content)
      rescue ArgumentError, ::TypeError, NoMethodError, RangeError
        broken("$timestamp", "an ISO 8601 time", content)
      end

      def unmark_map(content)
        unless content.is_a?(Array) && content.all? { |pair| pair.is_a?(Array) && pair.size == 2 }
          broken("$map", "an array of pairs", content)
        end
        content.to_h { |pair| pair.map { |v| unmark(v) } }
      end

      def bytes(name, content)
        raise ArgumentError unless content.is_a?(String)

        content.unpack1("m0")
      rescue ArgumentError
        broken(name, "base64", content)
      end

      def base64(bytes)
        [bytes].pack("m0")
      end

      def broken(name, expected, content)
        raise Broken, "#{name} wants #{expected}, not #{content.inspect[0, 40]}"
      end
    end
  end
end
