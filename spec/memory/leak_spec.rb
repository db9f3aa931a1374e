# frozen_string_literal: true

require "set"
require "stringio"
require_relative "growth"

# Whatever a call ends with, nothing stays behind. 10,000 rounds make a leak of 100 bytes visible.
RSpec.describe "memory after many calls", :slow do
  # The block has to raise this, or nothing is measured.
  def failing(error)
    yield
    raise "nothing raised"
  rescue error
    nil
  end

  def self.holds(what, rounds: 10_000, &code)
    it(what) { expect { instance_exec(&code) }.to hold_its_memory(rounds: rounds) }
  end

  let(:document) { { "name" => "x" * 40, "list" => [1, 2.5, nil, true, -300, "é"], "deep" => { "a" => [[[]]] } } }
  let(:packed) { MessagePack.pack(document) }
  let(:many) { Array.new(1500) { |i| "text #{i}" } }
  let(:packed_many) { MessagePack.pack(many) }
  let(:long) { "x".b * 600_000 }

  let(:factory) do
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(1, Samples::Wrap, packer: ->(_) { raise "no" }, unpacker: ->(_) { raise "no" })
      factory.register_type(2, Samples::Tagged, packer: ->(_) { throw :out }, unpacker: ->(_) { throw :out })
      factory.register_type(3, Range, recursive: true, packer: ->(_, packer) { packer.write("x" * 3000) && raise("no") },
                                      unpacker: ->(unpacker) { unpacker.read && raise("no") })
      factory.register_type(4, Set, recursive: true, packer: ->(set, packer) { packer.write(set.to_a) }, unpacker: ->(unpacker) { unpacker.read.to_set })
      factory.register_type(5, Integer, oversized_integer_extension: true, packer: ->(i) { i.to_s }, unpacker: ->(data) { data.to_i })
    end
  end

  describe "that succeed" do
    holds("is that of MessagePack.pack") { MessagePack.pack(document) }
    holds("is that of MessagePack.unpack") { MessagePack.unpack(packed) }
    holds("is that of frozen results") { MessagePack.unpack(packed, freeze: true) }
    holds("is that of symbolized keys") { MessagePack.unpack(packed, symbolize_keys: true) }
    holds("is that of more values than have room on the stack", rounds: 300) { MessagePack.unpack(packed_many) }
    holds("is that of long strings", rounds: 300) { MessagePack.unpack(MessagePack.pack([long, long])) }
    holds("is that of new packers") { MessagePack::Packer.new.write(document).to_s }
    holds("is that of new unpackers") { MessagePack::Unpacker.new.feed(packed).read }
    holds("is that of unpackers fed byte by byte", rounds: 2000) do
      unpacker = MessagePack::Unpacker.new
      packed.each_char { |byte| unpacker.feed_each(byte) { |object| object } }
    end
    holds("is that of buffers and views") do
      buffer = MessagePack::Buffer.new
      buffer << "abc" << packed
      buffer.read(3)
      MessagePack::Packer.new.buffer << buffer
      buffer.write_to(StringIO.new)
    end
    holds("is that of referenced strings", rounds: 300) { MessagePack::Packer.new.write(long).write(long).to_s }
    holds("is that of factories") do
      copy = factory.dup
      copy.register_type(9, Symbol)
      copy.load(copy.dump([:a, Set.new([1]), 2**70]))
    end
    holds("is that of pools", rounds: 5000) do
      pool = MessagePack::Factory.new.pool(2)
      pool.load(pool.dump(document))
      pool.packer { |packer| packer.write(document) }
    end
    holds("is that of reads from an io", rounds: 5000) { MessagePack::Unpacker.new(StringIO.new(packed)).read }
    holds("is that of writes to an io", rounds: 5000) { MessagePack.pack(document, StringIO.new) }
    holds("is that of enumerators", rounds: 5000) { MessagePack::Unpacker.new.feed("\x01\x02").each.next }
    holds("is that of skipped objects") { MessagePack::Unpacker.new.feed(packed).skip }
  end

  describe "that are left half done" do
    holds("is that of half-read objects") { failing(EOFError) { MessagePack::Unpacker.new.feed(packed[0..-3]).read } }
    holds("is that of half-read objects of many values", rounds: 300) { failing(EOFError) { MessagePack::Unpacker.new.feed(packed_many[0..-3]).read } }
    holds("is that of half-read objects that are reset") do
      unpacker = MessagePack::Unpacker.new.feed(packed[0..-3])
      failing(EOFError) { unpacker.read }
      unpacker.reset
    end
    holds("is that of half-skipped objects") { failing(EOFError) { MessagePack::Unpacker.new.feed("\x92\x01\xdc\xff\xff").skip } }
    holds("is that of half-read objects that are skipped") do
      unpacker = MessagePack::Unpacker.new.feed(packed[0..-3])
      failing(EOFError) { unpacker.read }
      failing(EOFError) { unpacker.skip }
    end
    holds("is that of a paused proc", rounds: 2000) do
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1) { Fiber.yield }
      Fiber.new { unpacker.feed("\x92\x01\xd4\x01\x00").read }.resume
    end
    holds("is that of a broken-off each") { MessagePack::Unpacker.new.feed("\x01\x02\x03").each { break } }
    holds("is that of a killed thread", rounds: 1000) do
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1) { Thread.current.kill }
      Thread.new { unpacker.feed("\x92\x01\xd4\x01\x00").read }.join
    end
  end

  describe "that raise" do
    holds("is that of the end of the data") { failing(EOFError) { MessagePack.unpack(packed[0..-2]) } }
    holds("is that of an invalid byte") { failing(MessagePack::MalformedFormatError) { MessagePack.unpack("\x93\x01\xa1a\xc1".b) } }
    holds("is that of extra bytes") { failing(MessagePack::MalformedFormatError) { MessagePack.unpack("#{packed}\x01") } }
    holds("is that of too deep data") { failing(MessagePack::StackError) { MessagePack.unpack("\x91".b * 200) } }
    holds("is that of an unknown ext type") { failing(MessagePack::UnknownExtTypeError) { MessagePack.unpack("\x92\xa3abc\xd4\x09\x00".b) } }
    holds("is that of a key that is no Symbol") { failing(EncodingError) { MessagePack.unpack("\x82\xa1a\x01\xa1\xff\x02".b, symbolize_keys: true) } }
    holds("is that of a wrong header") { failing(MessagePack::UnexpectedTypeError) { MessagePack::Unpacker.new.feed("\x01").read_array_header } }
    holds("is that of an unpacker proc") { failing(RuntimeError) { factory.load("\x92\xa3abc\xd4\x01\x00".b) } }
    holds("is that of an unpacker proc that throws") { catch(:out) { factory.unpacker.feed("\x92\xa3abc\xd4\x02\x00".b).read } }
    holds("is that of a recursive unpacker proc") { failing(RuntimeError) { factory.load("\x92\xa3abc\xd6\x03\x93\x01\x02\x03".b) } }
    holds("is that of a recursive proc with bytes left") { failing(MessagePack::MalformedFormatError) { factory.load("\xd5\x04\x90\x01".b) } }
    holds("is that of a recursive proc without enough bytes") { failing(MessagePack::MalformedFormatError) { factory.load("\xd4\x04\x92".b) } }
    holds("is that of a map key's hash") do
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1) { Object.new.tap { |key| def key.hash = raise("no") } }
      failing(RuntimeError) { unpacker.feed("\x82\xa1a\x01\xd4\x01\x00\x02".b).read }
    end
    holds("is that of a wrong argument of feed") { failing(TypeError) { MessagePack::Unpacker.new.feed(1) } }
    holds("is that of an io that raises", rounds: 5000) { failing(RuntimeError) { MessagePack::Unpacker.new(Object.new.tap { |io| def io.read(*) = raise("no") }).read } }
    holds("is that of an io that refuses", rounds: 5000) do
      io = Object.new.tap { |object| def object.write(*) = raise("no") }
      failing(RuntimeError) { MessagePack.pack(document, io) }
      failing(RuntimeError) { MessagePack::Packer.new(io).write(document).flush }
    end
    holds("is that of an object without to_msgpack") { failing(NoMethodError) { MessagePack.pack([document, Object.new]) } }
    holds("is that of a to_msgpack") { failing(RuntimeError) { MessagePack.pack([document, Object.new.tap { |o| def o.to_msgpack(packer) = packer.write("x" * 2000) && raise("no") }]) } }
    holds("is that of an Integer out of range") { failing(RangeError) { MessagePack.pack([document, 2**64]) } }
    holds("is that of a broken string") { failing(EncodingError) { MessagePack.pack([document, "\xff".dup.force_encoding("Shift_JIS")]) } }
    holds("is that of a packer proc") { failing(RuntimeError) { factory.dump([document, Samples::Wrap.new(1)]) } }
    holds("is that of a packer proc that throws") { catch(:out) { factory.packer.write([document, Samples::Tagged.new]) } }
    holds("is that of a recursive packer proc") { failing(RuntimeError) { factory.packer.write([document, 1..2]) } }
    holds("is that of one after more bytes than have room on the stack", rounds: 2000) { failing(NoMethodError) { MessagePack.pack([many, Object.new]) } }
    holds("is that of a Hash that changes") do
      hash = { 1 => Object.new.tap { |o| o.define_singleton_method(:to_msgpack) { |packer| hash.clear && packer.write_nil } }, 2 => 3 }
      failing(RuntimeError) { MessagePack.pack(hash) }
    end
    holds("is that of an endless packer", rounds: 20) do
      endless = Object.new.tap { |o| def o.to_msgpack(packer) = packer.write([self]) }
      failing(SystemStackError) { MessagePack.pack(endless) }
    end
    holds("is that of a Buffer's") { failing(EOFError) { MessagePack::Buffer.new.read_all(5) } }
    holds("is that of register_type") { failing(RangeError) { factory.register_type(300, Samples::Wrap, packer: :value) } }
  end
end
