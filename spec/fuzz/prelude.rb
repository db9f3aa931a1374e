# frozen_string_literal: true

# What generated programs are written with. It is loaded after msgpack, whichever that is.

require "set"
require "stringio"

# Strings that `String` and `Encoding` alone would make long-winded.
module Helpers
  # Bytes from hex digits.
  def h(hex)
    [hex].pack("H*")
  end

  # A String of these bytes in an encoding.
  def st(hex, encoding, times = 1)
    ([hex].pack("H*") * times).force_encoding(encoding)
  end

  # A Float of these bits.
  def bits(hex)
    [hex].pack("H*").unpack1("G")
  end

  # The object with a singleton class.
  def own(object)
    object.define_singleton_method(:own?) { true }
    object
  end

  def log(*entry)
    (@log ||= []) << entry
  end

  # Everything that can still be read, up to the first error.
  def drain(unpacker, limit = 12)
    seen = []
    limit.times { seen << unpacker.read }
    seen
  rescue StandardError => e
    seen << e.class << e.message.b
  end

  # What `each` yields, up to the first error.
  def each(unpacker, call = :each, *arguments)
    seen = []
    result = unpacker.__send__(call, *arguments) { |*object| seen << object }
    seen << [:returned, result]
  rescue StandardError => e
    seen << e.class << e.message.b
  end
end

class Object
  # The same for all objects.
  def own_text = "own text"
end

class Text < String; end
class List < Array; end
class Table < Hash; end
class Bare < BasicObject; end
Pair = Struct.new(:x, :y)

module Tag; end

class Point
  attr_reader :x, :y

  def initialize(x, y)
    @x = x
    @y = y
  end

  def to_msgpack_ext = [x, y].pack("l>l>")
  def self.from_msgpack_ext(data) = new(*data.unpack("l>l>"))

  def write_to(packer)
    packer.write(x)
    packer.write(y)
  end

  def self.read_from(unpacker) = new(unpacker.read, unpacker.read)
end

class Base
  attr_reader :value

  def initialize(value)
    @value = value
  end

  def self.load(data) = new(data)
  def dump = value.to_s
end

class Derived < Base; end

class Tagged < Base
  include Tag
end

class StringLike
  def initialize(string)
    @string = string
  end

  def to_str = @string
  def to_int = @string.size
end

class Caller
  def initialize(&block)
    @block = block
  end

  def call(*arguments) = @block.call(*arguments)
end

# Packs itself, each kind in a way of its own.
class Selfish
  def initialize(kind, value)
    @kind = kind
    @value = value
  end

  def to_msgpack(packer)
    case @kind
    when :value then packer.write(@value)
    when :twice then packer.write(@value).write(@value)
    when :nothing then nil
    when :buffer then packer.buffer << "\xc0".b
    when :raise then packer.write(@value) && raise(ArgumentError, "no")
    when :header then packer.write_array_header(1).write(@value)
    when :private then hidden(packer)
    when :nested then @value.to_msgpack(packer)
    when :to_s then packer.write(packer.to_s.bytesize)
    when :reset then packer.reset
    end
  end

  private

  def hidden(packer) = packer.write([@value])
end

# An io to read from: chunks that come one a call.
class Chunks
  def initialize(*chunks, ending: :eof)
    @chunks = chunks
    @ending = ending
  end

  # Not `<<`: with that the C gem would write what it is fed to the io.
  def add(chunk)
    @chunks << chunk
    self
  end

  # Bytes that nobody has read.
  def left = @chunks.sum(&:bytesize)

  def readpartial(n, out = nil)
    return finish(out) if @chunks.empty?

    chunk = @chunks.shift
    @chunks.unshift(chunk.byteslice(n..)) if chunk.bytesize > n
    chunk = chunk.byteslice(0, n)
    out ? out.replace(chunk) : chunk
  end

  def finish(out)
    case @ending
    when :eof then raise EOFError, "dry"
    when :nil then nil
    when :empty then out ? out.clear : +""
    when :error then raise IOError, "broken"
    end
  end
end

# The same, with `read` alone.
class Reads < Chunks
  undef_method :readpartial

  def read(n, out = nil)
    return finish(out) if @chunks.empty?

    chunk = @chunks.shift
    @chunks.unshift(chunk.byteslice(n..)) if chunk.bytesize > n
    chunk = chunk.byteslice(0, n)
    out ? out.replace(chunk) : chunk
  end
end

# An io to write to.
class Sink
  attr_reader :bytes

  def initialize(fail_at: nil)
    @bytes = "".b
    @calls = 0
    @fail_at = fail_at
  end

  def write(string)
    @calls += 1
    raise IOError, "full" if @calls == @fail_at

    @bytes << string
    string.bytesize
  end

  def close = :closed
end

# An io to write to with `<<` alone.
class Shovel
  attr_reader :bytes

  def initialize
    @bytes = "".b
  end

  def <<(string)
    @bytes << string
    self
  end
end
