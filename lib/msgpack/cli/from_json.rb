# frozen_string_literal: true

require "json"
require "msgpack/cli/json_stream"
require "msgpack/cli/marks"

module MessagePack
  module CLI
    # JSON to MessagePack. One value is in memory at a time.
    class FromJSON
      # Levels of JSON; a mark takes up to three of them.
      MAX_NESTING = 400

      def options(parser)
        parser.separator("")
        parser.separator("Values need nothing between them. Maps with one key that begins with $ are read")
        parser.separator("as `msgpack json --help` tells.")
      end

      def reports_at_end? = false

      # Output is MessagePack and nothing else.
      def heading(_input) = nil

      def run(input)
        $stdout.binmode
        packer = Packer.new
        JSONStream.new(input).each do |text, offset|
          packer.write(value(text, offset))
          $stdout.write(packer.full_pack)
        rescue RangeError => error
          raise BadInput, "byte #{offset}: a number does not fit: #{error.message}"
        rescue Marks::Broken => error
          raise BadInput, "byte #{offset}: #{error.message}, in the value that begins there"
        end
      end

      private

      def value(text, offset)
        raise BadInput, "byte #{offset}: this value is not UTF-8" unless text.valid_encoding?

        Marks.unmark(JSON.parse(text, max_nesting: MAX_NESTING, allow_duplicate_key: true))
      rescue JSON::NestingError
        raise BadInput, "byte #{offset}: more than #{MAX_NESTING} levels in the value that begins there"
      rescue JSON::ParserError => error
        raise BadInput, "byte #{offset}: no JSON in the value that begins there: #{error.message.lines.first.to_s.strip.sub(/\A\d+: /, "")[0, 120]}"
      end
    end
  end
end
