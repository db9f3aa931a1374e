# frozen_string_literal: true

require "json"
require "msgpack/cli/walker"

module MessagePack
  module CLI
    # Counts, in memory that does not grow with the input: keys are told apart up to {MAX_KEYS}.
    class Stat
      MAX_KEYS = 100_000
      BAR = 30
      TYPES = %i[nil bool int float str bin ext array map].freeze

      def initialize
        @top = 10
        @json = false
      end

      def options(parser)
        parser.on("-n", "--top N", Integer, "show N keys (10)") { |n| @top = n.negative? ? raise(Usage, "--top: #{n} is negative") : n }
        parser.on("-j", "--json", "the numbers as JSON, one line a file") { @json = true }
      end

      def reports_at_end? = true

      def heading(input)
        puts Terminal.paint("== #{input.name}", :bold) unless @json
      end

      # Prints what was counted before the broken byte as well.
      def run(input)
        reset
        walker = Walker.new(input)
        begin
          walker.each { |token| add(token) }
        ensure
          Terminal.clear_progress
          @json ? puts(JSON.generate(to_h(walker, input))) : report(walker) if $!.nil? || $!.is_a?(BadInput)
        end
      end

      private

      def reset
        @counts = Hash.new(0)
        @bytes = Hash.new(0)
        @largest = Hash.new(0)
        @ext_types = Hash.new(0)
        @keys = Hash.new(0)
        @other_keys = @levels = 0
      end

      def add(token)
        type = token.format.type
        @counts[type] += 1
        @bytes[type] += token.head_size + (token.size || 0)
        length = token.size || token.children
        @largest[type] = length if length && length > @largest[type]
        @ext_types[token.ext_type] += 1 if type == :ext
        levels = token.level + (token.children ? 1 : 0)
        @levels = levels if levels > @levels
        add_key(token) if token.role == :key
      end

      def add_key(token)
        key =
          case token.format.type
          when :str, :bin then token.size > Walker::KEY ? nil : token.body.dup.force_encoding(Encoding::UTF_8).scrub
          when :int, :float, :nil, :bool then token.value.inspect
          end
        if key && (@keys.size < MAX_KEYS || @keys.key?(key))
          @keys[key] += 1
        else
          @other_keys += 1
        end
      end

      def report(walker)
        puts [count(walker.objects, "object"), count(@counts.values.sum, "value"), count(walker.offset, "byte"), count(@levels, "level")].join(", ")
        return if @counts.empty?

        puts
        types
        ext_types
        keys
      end

      def types
        most = @bytes.values.max
        whole = @bytes.values.sum
        puts Terminal.paint(format("%-6s %12s %14s %7s  %-#{BAR}s %s", "type", "values", "bytes", "", "", "largest"), :bold)
        TYPES.sort_by { |type| -@bytes[type] }.each do |type|
          next if @counts[type].zero?

          puts format("%-6s %12s %14s %5.1f %%  %s %s", type, number(@counts[type]), number(@bytes[type]), @bytes[type] * 100.0 / whole,
                      Terminal.paint(Terminal.bar(@bytes[type], most, BAR), :cyan), largest(type)).rstrip
        end
      end

      def largest(type)
        case type
        when :str, :bin, :ext then count(@largest[type], "byte")
        when :array then count(@largest[type], "element")
        when :map then count(@largest[type], "pair")
        end
      end

      def ext_types
        return if @ext_types.empty?

        puts "", Terminal.paint("ext types", :bold)
        @ext_types.sort.each { |type, count| puts format("%12s  %d%s", number(count), type, type == Timestamp::TYPE ? " (timestamp)" : "") }
      end

      def keys
        return if @keys.empty? || @top.zero?

        puts "", Terminal.paint("keys", :bold)
        most_frequent.each { |key, count| puts format("%12s  %s", number(count), key) }
        left = @keys.size - @top
        puts format("%12s  in %s other keys", number(@keys.values.sum + @other_keys - most_frequent.sum(&:last)), number(left)) if left.positive?
      end

      def most_frequent
        @keys.sort_by { |key, count| [-count, key] }.first(@top)
      end

      def to_h(walker, input)
        {
          file: input.name, objects: walker.objects, values: @counts.values.sum, bytes: walker.offset, levels: @levels,
          types: TYPES.reject { |type| @counts[type].zero? }.to_h { |type|
            row = { values: @counts[type], bytes: @bytes[type] }
            row[:largest] = @largest[type] if largest(type)
            [type, row]
          },
          ext_types: @ext_types.sort.to_h, keys: most_frequent.to_h
        }
      end

      def count(number, noun)
        "#{number(number)} #{noun}#{"s" unless number == 1}"
      end

      def number(number)
        number.to_s.gsub(/(\d)(?=(\d{3})+\z)/, "\\1 ")
      end
    end
  end
end
