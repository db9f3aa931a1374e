# frozen_string_literal: true

require "msgpack/cli/walker"
require "msgpack/cli/timestamps"

module MessagePack
  module CLI
    # Every byte in hex, and beside it the value it belongs to.
    class Inspect
      # Bytes of a line of hex, and characters of text that are shown.
      WIDTH = 8
      TEXT = 60
      # Levels that are shown by indenting, two columns each. Deeper ones are numbered: lines as long as the depth would make
      # the output of a small, deep input endless.
      LEVELS = 40
      COLORS = { nil: :magenta, bool: :magenta, int: :cyan, float: :cyan, str: :green, bin: :yellow, ext: :yellow,
                 array: :blue, map: :blue }.freeze

      def initialize
        @full = false
      end

      def options(parser)
        parser.separator("")
        parser.separator("Columns: offset of the first byte (decimal), bytes, value. An ellipsis stands for bytes left out.")
        parser.on("-f", "--full", "all bytes of long strings") { @full = true }
      end

      def reports_at_end? = false

      def heading(input)
        puts Terminal.paint("== #{input.name}", :bold)
      end

      def run(input)
        walker = Walker.new(input, keep: @full ? Float::INFINITY : 4 * TEXT)
        object = nil
        walker.each do |token|
          if token.role == :top
            close(object, token.offset)
            object = [walker.objects + 1, token.offset, 0, 0]
          end
          object[2] += 1
          object[3] = [object[3], token.level + (token.children ? 1 : 0)].max
          show(token)
        end
        close(object, walker.offset)
      rescue BadInput => error
        point_at(walker, error)
        raise
      end

      private

      def close(object, offset)
        return unless object

        number, first, values, levels = object
        puts Terminal.paint("-- object #{number}: bytes #{first}...#{offset}, #{count(values, "value")}, #{count(levels, "level")}", :dim)
      end

      def show(token)
        bytes = token.body ? token.head + token.body : token.head
        shown = @full ? bytes.bytesize : WIDTH
        cut = bytes.bytesize > shown || (token.size && token.head.bytesize + token.size > bytes.bytesize)
        shown -= 1 if cut && shown == WIDTH
        lines = hex_lines(bytes.byteslice(0, shown), cut)
        line(token.offset, lines.shift, "#{indent(token.level)}#{describe(token)}")
        lines.each_with_index { |hex, i| line(token.offset + (WIDTH * (i + 1)), hex, "") }
      end

      def hex_lines(bytes, cut)
        lines = bytes.unpack1("H*").scan(/../).each_slice(WIDTH).map { |pairs| pairs.join(" ") }
        lines.last << " …" if cut
        lines
      end

      def line(offset, hex, text)
        puts "#{Terminal.paint(offset.to_s.rjust(8), :dim)}  #{hex.ljust(3 * WIDTH)} #{text}".rstrip
      end

      def indent(level)
        level > LEVELS ? "#{"  " * LEVELS}(level #{level}) " : "  " * level
      end

      def describe(token)
        type = token.format.type
        text = +""
        text << "[#{token.index}] " if token.role == :element
        text << "key " if token.role == :key
        text << "=> " if token.role == :value
        text << Terminal.paint("#{type} ", COLORS.fetch(type)) unless %i[nil bool].include?(type)
        text << detail(token)
        name = token.format.name
        text << " " << Terminal.paint("(#{name})", :dim) unless %w[nil true false].include?(name)
        text
      end

      def detail(token)
        case token.format.type
        when :array then "of #{count(token.children, "element")}"
        when :map then "of #{count(token.children, "pair")}"
        when :str then "#{text(token)}, #{count(token.size, "byte")}"
        when :bin then count(token.size, "byte")
        when :ext then "type #{token.ext_type}#{timestamp(token)}, #{count(token.size, "byte")}"
        else token.value.inspect
        end
      end

      def text(token)
        whole = token.body.dup.force_encoding(Encoding::UTF_8)
        valid = whole.valid_encoding? || token.body.bytesize < token.size
        shown = whole.scrub[0, TEXT]
        "#{shown.inspect}#{"…" if shown.size < whole.size || token.body.bytesize < token.size}#{" not UTF-8" unless valid}"
      end

      def timestamp(token)
        time = token.ext_type == Timestamp::TYPE && token.size == token.body.bytesize && Timestamps.text(token.body)
        time ? " timestamp #{time}" : ""
      end

      def point_at(walker, error)
        offset = error.message[/\Abyte (\d+)/, 1] or return
        hex = error.message.include?("c1 begins") ? "c1" : "--"
        first, bytes = walker.unfinished if hex == "--"
        hex_lines(bytes, false).each_with_index { |pairs, i| line(first + (WIDTH * i), pairs, "") } if bytes
        puts "#{offset.rjust(8)}  #{Terminal.paint(hex, :red).ljust(hex.size + (3 * WIDTH) - 2)} " \
             "#{indent(walker.level)}#{Terminal.paint("^ broken here", :red)}"
      end

      def count(number, noun)
        "#{number} #{noun}#{"s" unless number == 1}"
      end
    end
  end
end
