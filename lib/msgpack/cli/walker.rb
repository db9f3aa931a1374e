# frozen_string_literal: true

module MessagePack
  module CLI
    # Goes over MessagePack token by token without making the values, in constant memory, and knows of each byte what
    # it is. Where the data is broken it says which byte is wrong and why.
    class Walker
      # What a first byte announces. `width` is that of the number behind it: a length, or the value itself.
      Format = Struct.new(:name, :type, :width, :template, :fixed)

      # nil, bool, int, float: no body. str, bin, ext: `size` bytes of body. array, map: `children` values follow.
      #
      # `role` says what the value is to its container: :top, :element, :key or :value. `head` are the
      # `head_size` bytes before the body, `body` is how much of the body the walker was asked to keep; without that only
      # keys have some. One object is used for all tokens.
      Token = Struct.new(:offset, :format, :head_size, :head, :value, :size, :children, :ext_type, :body, :level, :role, :index)

      # A container whose children are being read. `key` is the last key of a map, if it is short.
      Frame = Struct.new(:offset, :map, :count, :done, :key)

      def self.formats
        table = Array.new(256)
        fill = lambda do |bytes, *values|
          [*bytes].each { |byte| table[byte] = Format.new(*values) }
        end
        (0x00..0x7f).each { |byte| fill.call(byte, "positive fixint", :int, 0, nil, byte) }
        (0x80..0x8f).each { |byte| fill.call(byte, "fixmap", :map, 0, nil, byte & 0x0f) }
        (0x90..0x9f).each { |byte| fill.call(byte, "fixarray", :array, 0, nil, byte & 0x0f) }
        (0xa0..0xbf).each { |byte| fill.call(byte, "fixstr", :str, 0, nil, byte & 0x1f) }
        fill.call(0xc0, "nil", :nil, 0, nil, nil)
        fill.call(0xc2, "false", :bool, 0, nil, false)
        fill.call(0xc3, "true", :bool, 0, nil, true)
        { 0xc4 => :bin, 0xc7 => :ext, 0xd9 => :str }.each do |first, type|
          [[1, "C"], [2, "S>"], [4, "L>"]].each_with_index do |(width, template), i|
            fill.call(first + i, "#{type} #{8 * width}", type, width, template, nil)
          end
        end
        fill.call(0xca, "float 32", :float, 4, "g", nil)
        fill.call(0xcb, "float 64", :float, 8, "G", nil)
        [[1, "C"], [2, "S>"], [4, "L>"], [8, "Q>"]].each_with_index do |(width, template), i|
          fill.call(0xcc + i, "uint #{8 * width}", :int, width, template, nil)
          fill.call(0xd0 + i, "int #{8 * width}", :int, width, template.downcase, nil)
        end
        5.times { |i| fill.call(0xd4 + i, "fixext #{1 << i}", :ext, 0, nil, 1 << i) }
        { 0xdc => :array, 0xde => :map }.each do |first, type|
          fill.call(first, "#{type} 16", type, 2, "S>", nil)
          fill.call(first + 1, "#{type} 32", type, 4, "L>", nil)
        end
        (0xe0..0xff).each { |byte| fill.call(byte, "negative fixint", :int, 0, nil, byte - 256) }
        table.freeze
      end
      private_class_method :formats

      FORMATS = formats

      # Bytes of a key that are kept for {#path}.
      KEY = 40

      # Steps of {#path} that are told at its beginning and at its end.
      STEPS = 10

      # @return [Integer] objects read in full
      attr_reader :objects
      # @return [Integer] the byte that is read next
      attr_reader :offset

      # @param io [#readpartial]
      # @param keep [Integer] bytes of each body to keep
      def initialize(io, keep: 0)
        @io = io
        @keep = keep
        @buffer = "".b
        @at = 0
        @offset = 0
        @objects = 0
        @frames = []
      end

      # @yieldparam token [Token]
      # @raise [BadInput]
      def each
        token = @token = Token.new
        while @at < @buffer.bytesize || @frames.any? || fill(1)
          read_head(token)
          read_body(token, token.size) if token.size
          yield token
          advance(token)
        end
      end

      # Where the current value is: `[3]["name"]`, or nothing outside of containers. Of a long way the middle is left out.
      def path
        return @frames.map { |frame| step(frame) }.join if @frames.size <= 2 * STEPS

        [@frames.first(STEPS), @frames.last(STEPS)].map { |frames| frames.map { |frame| step(frame) }.join }.join("…#{@frames.size - (2 * STEPS)} more…")
      end

      # @return [Integer] containers that are open
      def level
        @frames.size
      end

      # After {BadInput}: offset and bytes of the value that is not all there, if any of it is.
      #
      # @return [Array(Integer, String), nil]
      def unfinished
        bytes = "#{@token.head}#{@buffer.byteslice(@at, rest)}"
        [@token.offset, bytes] unless bytes.empty? || @token.offset > @offset
      end

      private

      def read_head(token)
        token.offset = @offset
        token.head = nil
        need(1) { "#{expected} is missing" } if @at == @buffer.bytesize
        format = FORMATS[@buffer.getbyte(@at)] or raise BadInput, "byte #{@offset}: c1 begins no value#{where}"
        token.format = format
        type = format.type
        width = format.width
        size = 1 + width
        size += 1 if type == :ext
        need(size) { "the #{format.name} that begins at byte #{@offset} is cut off in its head" } if @at + size > @buffer.bytesize
        number = width.zero? ? format.fixed : @buffer.byteslice(@at + 1, width).unpack1(format.template)
        token.ext_type = type == :ext ? @buffer.byteslice(@at + size - 1, 1).unpack1("c") : nil
        token.head_size = size
        token.head = @keep.zero? ? nil : @buffer.byteslice(@at, size)
        token.value = token.size = token.children = token.body = nil
        case type
        when :array, :map then token.children = number
        when :str, :bin, :ext then token.size = number
        else token.value = number
        end
        @at += size
        @offset += size
        place(token)
      end

      def place(token)
        frame = @frames.last
        token.level = @frames.size
        if !frame
          token.role = :top
          token.index = nil
        elsif frame.map
          token.role = frame.done.even? ? :key : :value
          token.index = frame.done / 2
        else
          token.role = :element
          token.index = frame.done
        end
      end

      def read_body(token, size)
        keep = token.role == :key && @keep < KEY ? KEY : @keep
        kept = size < keep ? size : keep
        cut_off(token, 0) if @at + kept > @buffer.bytesize && !fill(kept)
        token.body = @buffer.byteslice(@at, kept) unless keep.zero?
        have = kept
        consume(kept)
        while have < size
          cut_off(token, have) if rest.zero? && !fill(1)
          piece = [size - have, rest].min
          consume(piece)
          have += piece
        end
      end

      def cut_off(token, have)
        need(Float::INFINITY) do
          "the #{token.format.name} that begins at byte #{token.offset} announces #{token.size} byte#{"s" unless token.size == 1}, the data has #{have + rest}"
        end
      end

      def advance(token)
        if token.children
          children = token.format.type == :map ? token.children * 2 : token.children
          @frames << Frame.new(token.offset, token.format.type == :map, children, 0, nil)
        else
          remember_key(token) if token.role == :key
          finish_value
        end
        close_full
      end

      def close_full
        while (frame = @frames.last) && frame.done == frame.count
          @frames.pop
          finish_value
        end
      end

      def finish_value
        if (frame = @frames.last)
          frame.done += 1
        else
          @objects += 1
        end
      end

      def remember_key(token)
        @frames.last.key =
          case token.format.type
          when :str, :bin then token.size <= KEY ? token.body.dup.force_encoding(Encoding::UTF_8).scrub.inspect : nil
          when :ext then nil
          else token.value.inspect
          end
      end

      def step(frame)
        return "[#{frame.done}]" unless frame.map

        frame.done.even? ? "[key #{frame.done / 2}]" : "[#{frame.key || "value #{frame.done / 2}"}]"
      end

      def where
        @frames.empty? ? "" : ", at #{path} of the #{@frames.first.map ? "map" : "array"} that begins at byte #{@frames.first.offset}"
      end

      # What the innermost open container still waits for.
      def expected
        frame = @frames.last
        return "an element" unless frame.map

        frame.done.even? ? "a key" : "the value of a key"
      end

      def rest
        @buffer.bytesize - @at
      end

      # Makes sure that so many bytes are buffered; the block tells what lacks them.
      def need(size)
        fill(size) or raise BadInput, "byte #{@offset + rest}: the data ends here: #{yield}#{where}"
      end

      def fill(size)
        while rest < size
          piece = @io.readpartial(65_536)
          @buffer = rest.zero? ? piece : @buffer.byteslice(@at, rest) << piece
          @at = 0
        end
        true
      rescue EOFError
        false
      end

      def consume(size)
        @at += size
        @offset += size
      end
    end
  end
end
