# frozen_string_literal: true

require_relative "dice"

# Random Ruby values, as Ruby source that the helpers of spec/fuzz/prelude.rb understand.
class Literals
  ENCODINGS = %w[
    UTF-8 UTF-8 UTF-8 UTF-8 BINARY BINARY US-ASCII ISO-8859-1 ISO-8859-15 Windows-1252 Windows-31J Shift_JIS EUC-JP
    ISO-2022-JP UTF-16LE UTF-16BE UTF-32LE UTF-32BE UTF-7 UTF-16 Emacs-Mule GB18030 Big5 CESU-8 UTF8-MAC KOI8-R IBM437
  ].freeze
  # Lengths on both sides of what each head can hold.
  LENGTHS = [0, 1, 2, 15, 16, 17, 31, 32, 33, 255, 256, 257, 511, 512, 1023, 1024, 1025, 4095, 4096, 4097].freeze
  LONG = [65_535, 65_536, 65_537, 524_287, 524_288, 524_289, 600_000].freeze
  TEXTS = ["", "a", "abc", "é", "あ", "😀", "naïve café", "日本語", "Ελλάδα", "x\u0000y", "\u{10ffff}"].freeze
  SYMBOLS = %w[:a :name :é :あ :"" :"with\ space" :[]= :CONST :"\u{1f600}" st("e9","ISO-8859-1").to_sym st("ff80","BINARY").to_sym st("82a0","Shift_JIS").to_sym].freeze
  INTEGERS = [0, 1, 31, 32, 33, 127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536].flat_map { |n| [n, -n, n + 1, -n - 1] }.uniq.freeze
  # What no packer knows, and what may be taken for something else.
  STRANGERS = [
    "Object.new", "(1..2)", "Rational(1, 3)", "Complex(1, 2)", "Time.at(5, 7, :nsec)", "/re/", "Kernel", "Bare.new", "$stdout.class",
    "BasicObject", "proc {}", "Thread.current.class", "Set.new([1])", "Pair.new(1, 2)", "Point.new(1, 2)", "Base.new(1)", "Derived.new(2)",
    "Tagged.new(3)", "MessagePack::ExtensionValue.new(5, 'abc')", "MessagePack::ExtensionValue.new(200, 'abc')",
    "MessagePack::ExtensionValue.new(5, 7)", "MessagePack::Timestamp.new(1, 2)", "StringLike.new('str')"
  ].freeze
  # Objects that pack themselves, each in a way of its own.
  SELVES = %w[value twice nothing buffer raise header private nested to_s reset].freeze

  # @param selves [Array<String>] of SELVES
  def initialize(dice, strangers: 12, long: 400, selves: SELVES)
    @dice = dice
    @strangers = strangers
    @long = long
    @selves = selves
  end

  def object(depth = 3)
    kinds = { integer: 8, float: 3, string: 7, symbol: 3, simple: 3, special: 1 }
    kinds.update(array: 4, hash: 5) if depth > 0
    kind = @dice.weigh(kinds)
    %i[array hash special].include?(kind) ? __send__(kind, depth) : __send__(kind)
  end

  def simple
    @dice.pick(%w[nil true false])
  end

  def integer
    case @dice.below(10)
    when 0..3 then @dice.pick(INTEGERS).to_s
    when 4..6 then boundary.to_s
    when 7 then @dice.between(-40, 130).to_s
    when 8 then (@dice.below(1 << 64) - (1 << 63)).to_s
    else @dice.once_in(3) ? oversized : @dice.below(1 << @dice.between(1, 64)).to_s
    end
  end

  # Beyond what the format's integers hold.
  def oversized
    n = (1 << @dice.between(64, 200)) + @dice.below(5) - 2
    (@dice.once_in(2) ? n : -n).to_s
  end

  def float
    case @dice.below(6)
    when 0 then @dice.pick(%w[0.0 -0.0 1.0 1.5 0.1 -1e300 1e-320 Float::NAN Float::INFINITY -Float::INFINITY Float::MAX Float::MIN Float::EPSILON])
    when 1 then "bits(\"#{@dice.bytes(8).unpack1("H*")}\")"
    else (@dice.below(2_000_000) / 1000.0 - 1000).to_s
    end
  end

  def string
    text = plain_string
    case @dice.below(24)
    when 0 then "Text.new(#{text})"
    when 1 then "own(#{text})"
    when 2, 3 then "#{text}.freeze"
    else text
    end
  end

  def symbol
    @dice.pick(SYMBOLS)
  end

  def array(depth)
    return "Array.new(#{@dice.pick([65_535, 65_536])}) { |i| i & 255 }" if @dice.once_in(@long)

    count = length
    text = count > 40 ? "Array.new(#{count}) { |i| #{@dice.pick(["i", "i * 9", "i.to_s", "nil", "i.odd? ? i : 'x'", "i / 2.0"])} }" : "[#{list(count, depth)}]"
    case @dice.below(20)
    when 0 then "List.new(#{text})"
    when 1 then "own(#{text})"
    when 2 then "#{text}.freeze"
    else text
    end
  end

  def hash(depth)
    return "Array.new(#{@dice.pick([65_535, 65_536])}) { |i| [i, nil] }.to_h" if @dice.once_in(@long * 2)

    count = length
    text = count > 40 ? "Array.new(#{count}) { |i| [#{@dice.pick(["i", "i.to_s", "i.to_s.to_sym"])}, i] }.to_h" : pairs(count) { [key(depth), object(depth - 1)] }
    case @dice.below(24)
    when 0 then "Table.new.update(#{text})"
    when 1 then "own(#{text})"
    when 2 then "#{text}.compare_by_identity"
    when 3 then "Hash.new { |h, k| h[k] = 1 }.update(#{text})"
    when 4 then "#{text}.freeze"
    else text
    end
  end

  # What is no core object.
  def special(depth = 0)
    return object(0) unless @dice.once_in(@strangers) || @dice.once_in(3)
    return @dice.pick(STRANGERS) if @dice.once_in(2) || @selves.empty?

    "Selfish.new(:#{@dice.pick(@selves)}, #{object([depth - 1, 0].max)})"
  end

  # Text in an encoding, not always valid there.
  def plain_string
    encoding = @dice.pick(ENCODINGS)
    bytes = body(encoding)
    times = @dice.once_in(@long) ? @dice.pick(LONG) : 1
    times = @dice.pick(LENGTHS) if times == 1 && @dice.once_in(12)
    bytes = "a".b if times > 1
    return %(st("#{bytes.unpack1("H*")}", "#{encoding}"#{", #{times}" if times > 1})) if encoding != "UTF-8" || times > 1 || @dice.once_in(3)

    text = bytes.dup.force_encoding("UTF-8")
    text.valid_encoding? ? text.dump : %(st("#{bytes.unpack1("H*")}", "UTF-8"))
  end

  # No literal: Ruby 3.1 crashes on some that have a key twice.
  def pairs(count)
    "[#{Array.new(count) { "[#{yield.join(", ")}]" }.join(", ")}].to_h"
  end

  private

  def boundary
    n = (1 << @dice.between(0, 64)) + @dice.below(3) - 1
    @dice.once_in(2) ? n : -n
  end

  def key(depth)
    case @dice.below(10)
    when 0..4 then string
    when 5, 6 then symbol
    when 7 then integer
    else object([depth - 1, 1].min)
    end
  end

  def list(count, depth)
    Array.new(count) { object(count > 8 ? 0 : depth - 1) }.join(", ")
  end

  def length
    @dice.once_in(15) ? @dice.pick([14, 15, 16, 17, 50, 255, 256, 300]) : @dice.below(5)
  end

  def body(encoding)
    text = @dice.pick(TEXTS)
    case @dice.below(8)
    when 0 then @dice.bytes(@dice.below(6))
    when 1, 2 then "plain ascii".b
    else
      begin
        text.encode(encoding).b
      rescue EncodingError
        text.b
      end
    end
  end
end
