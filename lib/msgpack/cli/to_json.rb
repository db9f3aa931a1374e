# frozen_string_literal: true

require "json"
require "msgpack/cli/marks"

module MessagePack
  module CLI
    # MessagePack to JSON. One object is in memory at a time, and of an array at the top one element.
    class ToJSON
      MARKS = <<~TEXT
        What JSON has no form for becomes a map with one key; from-json understands it:
            {"$bin": base64}           bin that is not UTF-8 (all bin with --exact)
            {"$str": base64}           str that is not UTF-8
            {"$ext": [type, base64]}   ext value
            {"$timestamp": ISO 8601}   timestamp (ext type -1)
            {"$float": "NaN"}          NaN, Infinity, -Infinity
            {"$map": [[key, value]]}   map with keys that are no text
      TEXT

      def initialize
        @pretty = @exact = false
      end

      def options(parser)
        parser.on("-p", "--pretty", "indent, one value a line") { @pretty = true }
        parser.on("-e", "--exact", "tell bin from str, so that from-json gives the same types") { @exact = true }
        parser.separator("")
        parser.separator(MARKS)
      end

      def reports_at_end? = false

      # Output is JSON and nothing else.
      def heading(_input) = nil

      def run(input)
        unpacker = Unpacker.new(input, allow_unknown_ext: true)
        loop do
          first = position(input, unpacker)
          break if at_end?(input, unpacker)

          convert(unpacker, first, input)
        end
      end

      private

      # The byte that is read next.
      def position(input, unpacker)
        input.bytes - unpacker.buffer.size
      end

      def at_end?(input, unpacker)
        return false unless unpacker.buffer.empty?

        unpacker.feed(input.readpartial(32_768))
        false
      rescue EOFError
        true
      end

      def convert(unpacker, first, input)
        size = array_size(unpacker)
        size ? array(unpacker, size) : puts(generate(unpacker.read))
      rescue EOFError
        raise BadInput, "byte #{input.bytes}: the data ends here, inside the object that begins at byte #{first}"
      rescue UnpackError => error
        raise BadInput, "byte #{error.offset}: #{error.message}, in the object that begins at byte #{first}"
      end

      # The unpacker itself tells whether an array comes next, and keeps what is none.
      def array_size(unpacker)
        unpacker.read_array_header
      rescue UnexpectedTypeError
        nil
      end

      def array(unpacker, size)
        return puts("[]") if size.zero?

        print(@pretty ? "[\n" : "[")
        size.times do |i|
          text = generate(unpacker.read)
          text = text.gsub(/^/, "  ") if @pretty
          print((",#{"\n" if @pretty}" unless i.zero?), text)
        end
        puts(@pretty ? "\n]" : "]")
      rescue UnpackError, EOFError, BadInput
        puts # what was printed of the array stands in a line of its own
        raise
      end

      def generate(value)
        value = Marks.mark(value, @exact)
        @pretty ? JSON.pretty_generate(value, max_nesting: 0) : JSON.generate(value, max_nesting: 0)
      end
    end
  end
end
