# frozen_string_literal: true

# The format once more, as the specification tells it, for core objects: slow, short, and with no code in common
# with the gem.
module Naive
  module_function

  def pack(object)
    case object
    when nil then "\xc0".b
    when true then "\xc3".b
    when false then "\xc2".b
    when Integer then integer(object)
    when Float then "\xcb".b + [object].pack("G")
    when Symbol then pack(object.name)
    when String then object.encoding == Encoding::BINARY ? bin(object) : str(object.b)
    when Array then head(object.size, 0x90, 15, 0xdc) + object.map { |element| pack(element) }.join
    when Hash then head(object.size, 0x80, 15, 0xde) + object.flat_map { |pair| pair.map { |element| pack(element) } }.join
    else raise ArgumentError, object.class.name
    end
  end

  def integer(n)
    case n
    when -32..127 then [n].pack("c")
    when 128..0xff then [0xcc, n].pack("CC")
    when 0x100..0xffff then [0xcd, n].pack("Cn")
    when 0x1_0000..0xffff_ffff then [0xce, n].pack("CN")
    when 0x1_0000_0000..0xffff_ffff_ffff_ffff then [0xcf, n].pack("CQ>")
    when -0x80..-33 then [0xd0, n].pack("Cc")
    when -0x8000..-0x81 then [0xd1, n].pack("Cs>")
    when -0x8000_0000..-0x8001 then [0xd2, n].pack("Cl>")
    else [0xd3, n].pack("Cq>")
    end
  end

  def str(bytes)
    n = bytes.bytesize
    (n.between?(32, 255) ? [0xd9, n].pack("CC") : head(n, 0xa0, 31, 0xda)) + bytes
  end

  def bin(bytes)
    n = bytes.bytesize
    (n < 256 ? [0xc4, n].pack("CC") : head(n, 0, -1, 0xc5)) + bytes
  end

  # In the first byte up to `most`, else in two or four bytes behind `wide` or the byte after it.
  def head(n, short, most, wide)
    return [short + n].pack("C") if n <= most

    n < 65_536 ? [wide, n].pack("Cn") : [wide + 1, n].pack("CN")
  end
end
