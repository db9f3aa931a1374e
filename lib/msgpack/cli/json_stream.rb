# frozen_string_literal: true

require "strscan"

module MessagePack
  module CLI
    # Cuts a stream of JSON values, with or without white space between them, into the text of each. It looks at
    # brackets and quotes only; what stands between them is for the parser to judge.
    class JSONStream
      # @param io [#readpartial]
      def initialize(io)
        @io = io
        @scanner = StringScanner.new("".b)
        @before = 0
      end

      # @yieldparam text [String] of one value, UTF-8
      # @yieldparam offset [Integer] its first byte
      # @raise [BadInput] if the data ends inside a value, or a bracket closes nothing
      def each
        loop do
          skip_blank
          break if @scanner.eos?

          offset = self.offset
          yield value(offset), offset
        end
      end

      private

      def offset
        @before + @scanner.pos
      end

      def skip_blank
        skip_mark if offset.zero? && fill
        nil while @scanner.skip(/\s+/) || (@scanner.eos? && fill)
      end

      # The byte order mark, which some programs put at the beginning.
      def skip_mark
        @scanner.skip(/\xEF\xBB\xBF/n)
      end

      def value(offset)
        text = "".b
        depth = 0
        loop do
          depth += part(text, depth)
          return text.force_encoding(Encoding::UTF_8) if depth <= 0 && value_done?(text)
          next unless @scanner.eos? && !fill
          return text.force_encoding(Encoding::UTF_8) if depth.zero?

          raise BadInput, "byte #{self.offset}: the data ends here, inside the value that begins at byte #{offset}"
        end
      end

      # Takes a string, a bracket or what is between; gives the change of depth.
      def part(text, depth)
        if (found = @scanner.scan(/"/))
          text << found
          string(text)
          0
        elsif (found = @scanner.scan(/[\[{]/))
          text << found
          1
        elsif (found = @scanner.scan(/[\]}]/))
          raise BadInput, "byte #{offset - 1}: #{found} closes nothing" if depth.zero?

          text << found
          -1
        else
          text << (@scanner.scan(depth.zero? ? /[^\s"\[\]{}]+/ : /[^"\[\]{}]+/) || "")
          0
        end
      end

      def string(text)
        first = offset - 1
        loop do
          text << (@scanner.scan(/(?>[^"\\]+|\\.)+/mn) || "")
          return text << @scanner.getch if @scanner.check(/"/)
          next if fill

          raise BadInput, "byte #{offset + @scanner.rest_size}: the data ends here, inside the string that begins at byte #{first}"
        end
      end

      # At the top a value ends with its bracket or quote, a number or word where something else begins.
      def value_done?(text)
        return true if text.end_with?("]", "}", "\"")

        !@scanner.eos? && !text.empty? && @scanner.check(/[\s"\[\]{}]/)
      end

      # Gets more behind what is left. False at the end.
      def fill
        rest = @scanner.rest
        @before += @scanner.pos
        @scanner.string = "".b
        @scanner.string = rest << @io.readpartial(65_536)
        true
      rescue EOFError
        @scanner.string = rest
        false
      end
    end
  end
end
