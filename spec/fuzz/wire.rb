# frozen_string_literal: true

require_relative "dice"

# Random bytes that are mostly MessagePack: every head in every width, the shortest or not, and then
# bytes that are cut, changed or mixed up.
#
# It shares no code with the gem.
class Wire
  # Lengths on both sides of what each head can hold.
  LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 255, 256, 257, 300, 1023, 1024, 1025, 4096].freeze
  SCALARS = %w[
    00 01 7f e0 ff c0 c2 c3 cc00 cc7f cc80 ccff cd0000 cd00ff cd0100 cdffff ce00000000 ce0000ffff ce00010000 ceffffffff
    cf0000000000000000 cf00000000ffffffff cf3fffffffffffffff cf4000000000000000 cf7fffffffffffffff cf8000000000000000
    cfffffffffffffffff d0ff d080 d07f d1ffff d18000 d17fff d2ffffffff d280000000 d27fffffff d3ffffffffffffffff
    d38000000000000000 d3bfffffffffffffff d3c000000000000000 d37fffffffffffffff ca00000000 ca3dcccccd ca7f800000 ca7fc00000
    ca00000001 cb0000000000000000 cb8000000000000000 cb3ff0000000000000 cb7ff0000000000000 cb7ff8000000000000
    cbfff8000000000001 cb0000000000000001 cb3fb999999999999a cb7fefffffffffffff
  ].map { |hex| [hex].pack("H*") }.freeze
  WORDS = ["", "a", "id", "name", "été", "あい", "key with spaces", "\xff", "a\xe3\x81", "0123456789abcdef", "x" * 17, "nil", "😀"].map(&:b).freeze

  # @param ids [Array<Integer>] ids of ext types
  # @param recursive [Hash{Integer => Integer}] ids whose payload is so many objects
  # @param exts [Integer] how many of twenty objects or so are of ext types
  def initialize(dice, ids: [1, 2, 3, -1, 77], recursive: {}, exts: 2)
    @dice = dice
    @ids = ids
    @exts = exts
    @recursive = recursive
  end

  # One object.
  def object(depth = 3)
    kinds = { scalar: 8, fixint: 6, str: 6, bin: 2, ext: @ids.empty? ? 0 : @exts }
    kinds.update(array: 3, map: 4) if depth > 0
    __send__(@dice.weigh(kinds), depth)
  end

  # A few objects, one behind the other.
  def objects(depth = 3)
    Array.new(@dice.weigh(1 => 8, 2 => 3, 3 => 2, 5 => 1)) { object(depth) }.join
  end

  # Many levels, about as many as may be open at once.
  def deep
    levels = @dice.between(120, 135)
    heads = Array.new(levels) { @dice.weigh("91" => 4, "8101" => 3, "81" => 1, "dc0001" => 1, "9201" => 1) }
    [heads.join].pack("H*") + object(1) * @dice.between(1, 3)
  end

  # A head that claims more than there is.
  def claim
    head = @dice.pick(%w[db c6 c9 dd df]) + @dice.pick(%w[ffffffff 80000000 80000001 7fffffff 00100000 00010000])
    [head].pack("H*") + @dice.bytes(@dice.below(12))
  end

  # Bytes that are no longer what they were.
  def mutate(bytes)
    bytes = bytes.b
    @dice.between(1, 3).times do
      at = @dice.below(bytes.bytesize + 1)
      case @dice.below(7)
      when 0 then bytes = bytes.byteslice(0, at)
      when 1 then bytes.setbyte(at, @dice.below(256)) if at < bytes.bytesize
      when 2 then bytes.setbyte(at, bytes.getbyte(at) ^ (1 << @dice.below(8))) if at < bytes.bytesize
      when 3 then bytes.insert(at, @dice.bytes(@dice.between(1, 4)))
      when 4 then bytes.slice!(at, @dice.between(1, 4))
      when 5 then bytes.insert(at, @dice.pick(["\xc1", "\xc7\x00\x01", "\xd4\x01\x02", "\xdc\xff", "\x81", "\xc0"]).b)
      when 6 then bytes << (bytes.byteslice(at, 20) || "")
      end
    end
    bytes
  end

  # Anything at all.
  def any
    case @dice.below(40)
    when 0 then deep
    when 1, 2 then claim
    when 3, 4 then @dice.bytes(@dice.below(20))
    when 5..14 then mutate(objects)
    else objects
    end
  end

  private

  def scalar(_depth)
    @dice.pick(SCALARS)
  end

  def fixint(_depth)
    [@dice.below(256)].pack("C").then { |byte| byte.getbyte(0).between?(0x80, 0xdf) ? "\x07".b : byte }
  end

  def str(_depth)
    body = text
    head("d9dadb", body.bytesize, short: 0xa0, short_max: 31) + body
  end

  def bin(_depth)
    body = body(30)
    head("c4c5c6", body.bytesize) + body
  end

  def ext(depth)
    id = @dice.pick(@ids)
    count = @recursive[id]
    payload = count && !@dice.once_in(12) ? Array.new(count) { depth > 0 ? object(depth - 1) : fixint(0) }.join : body(12)
    fixed = { 1 => "d4", 2 => "d5", 4 => "d6", 8 => "d7", 16 => "d8" }[payload.bytesize]
    head = fixed && !@dice.once_in(5) ? [fixed].pack("H*") : head("c7c8c9", payload.bytesize)
    head + [id].pack("c") + payload
  end

  def array(depth)
    count = length(4)
    head(":dcdd", count, short: 0x90, short_max: 15) + Array.new(count) { element(count, depth) }.join
  end

  def map(depth)
    count = length(4)
    head(":dedf", count, short: 0x80, short_max: 15) + Array.new(count) { |i| key(i, depth) + element(count, depth) }.join
  end

  def element(count, depth)
    count > 8 ? __send__(@dice.weigh(fixint: 8, scalar: 2, str: 1), 0) : object(depth - 1)
  end

  def key(i, depth)
    case @dice.below(20)
    when 0..9 then str(0)
    when 10..13 then [0xa0 + 4].pack("C") + format("k%03d", i).b
    when 14, 15 then fixint(0)
    when 16 then bin(0)
    when 17 then scalar(0)
    else object(depth - 1)
    end
  end

  def text
    case @dice.below(12)
    when 0..7 then @dice.pick(WORDS)
    when 8 then body(40)
    when 9 then @dice.pick(WORDS) * @dice.between(1, 20)
    else "s".b * @dice.pick(LENGTHS)
    end
  end

  def body(small)
    @dice.once_in(15) ? "b".b * @dice.pick(LENGTHS) : @dice.bytes(@dice.below(small))
  end

  def length(small)
    @dice.once_in(25) ? @dice.pick(LENGTHS.first(17)) : @dice.below(small)
  end

  # The head for a length: in one byte if it may be, else of one of the widths that hold it; ":" stands
  # for a width that the format has not.
  def head(widths, n, short: nil, short_max: -1)
    return [short + n].pack("C") if short && n <= short_max && !@dice.once_in(6)

    first = widths.start_with?(":") ? [] : [[widths[0, 2], "C", 0xff]]
    rest = widths.delete_prefix(":")
    rest = rest[2..] unless first.empty?
    choices = first + [[rest[0, 2], "n", 0xffff], [rest[2, 2], "N", 0xffffffff]]
    fitting = choices.select { |_, _, max| n <= max }
    byte, format, = @dice.once_in(4) ? @dice.pick(fitting) : fitting.first
    [byte].pack("H*") + [n].pack(format)
  end
end
