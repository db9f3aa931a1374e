# frozen_string_literal: true

require "stringio"
require_relative "generated"

RSpec.describe "unpacking of any bytes", :generated do
  def some_options(dice)
    dice.pick([{}, { symbolize_keys: true }, { freeze: true }, { allow_unknown_ext: true }, { symbolize_keys: true, freeze: true, allow_unknown_ext: true, key_cache: true }])
  end

  def unpacker(*arguments, **options) = MessagePack::Unpacker.new(*arguments, options)

  # Bytes with some objects in them, not all of them whole.
  def some_bytes(dice) = Array.new(dice.between(1, 3)) { Wire.new(dice).any }.join

  # One object, whole and right.
  def whole(dice, ids: [], options: {})
    loop do
      bytes = Wire.new(dice, ids: ids).object
      MessagePack.unpack(bytes, allow_unknown_ext: true, **options)
      return bytes
    rescue MessagePack::UnpackError, EncodingError
      next
    end
  end

  describe "Unpacker#feed_each" do
    it "yields the same objects and errors however the bytes are cut" do
      each_dice(300) do |dice|
        options = some_options(dice)
        bytes = some_bytes(dice)
        expected = pictures(unpacker(**options).feed(bytes))
        cut = unpacker(**options)
        seen = dice.split(bytes, 8).flat_map { |piece| pictures(cut.feed(piece)).tap { |list| break list if list.any?(/Error/) } }
        expect(seen.first(expected.size).map { |text| text.delete("=") }).to eq(expected.first(seen.size).map { |text| text.delete("=") })
      end
    end

    it "yields the same objects byte by byte" do
      each_dice(100) do |dice|
        bytes = Array.new(3) { whole(dice, ids: [5]) }.join
        slow = unpacker(allow_unknown_ext: true)
        seen = bytes.each_char.flat_map { |byte| pictures(slow.feed(byte)) }
        expect(seen).to eq(pictures(unpacker(allow_unknown_ext: true).feed(bytes)))
      end
    end
  end

  describe "Unpacker#read" do
    it "goes on after EOFError at any byte" do
      each_dice(150) do |dice|
        options = some_options(dice).merge(allow_unknown_ext: true)
        bytes = whole(dice, ids: [5], options: options)
        cut = dice.below(bytes.bytesize)
        half = unpacker(**options).feed(bytes.byteslice(0, cut))
        expect { half.read }.to raise_error(EOFError)
        expect(picture { half.feed(bytes.byteslice(cut..)).read }.delete("=")).to eq(picture { MessagePack.unpack(bytes, options) }.delete("="))
      end
    end

    it "reads the same from an io, whatever it gives at once" do
      each_dice(200) do |dice|
        bytes = Array.new(2) { whole(dice, ids: [5]) }
        pieces = dice.split(bytes.join, 6)
        io = Object.new
        io.define_singleton_method(:readpartial) do |n, out = nil|
          piece = pieces.shift or raise EOFError
          pieces.unshift(piece.byteslice(n..)) if piece.bytesize > n
          out ? out.replace(piece.byteslice(0, n)) : piece.byteslice(0, n)
        end
        reader = unpacker(io, allow_unknown_ext: true)
        expect(Array.new(2) { picture { reader.read } }).to eq(bytes.map { |object| picture { MessagePack.unpack(object, allow_unknown_ext: true) } })
      end
    end

    it "gives elements one by one where a header was read by hand" do
      each_dice(150) do |dice|
        elements = Array.new(dice.below(20)) { whole(dice) }
        reader = unpacker.feed(MessagePack::Packer.new.write_array_header(elements.size).to_s + elements.join)
        seen = Array.new(reader.read_array_header) { picture { reader.read } }
        expect(seen).to eq(elements.map { |element| picture { MessagePack.unpack(element) } })
      end
    end
  end

  describe "Unpacker#skip" do
    it "leaves what read leaves" do
      each_dice(300) do |dice|
        bytes = some_bytes(dice)
        readers = Array.new(2) { unpacker(allow_unknown_ext: true).feed(bytes) }
        outcomes = readers.zip(%i[read skip]).map do |reader, call|
          reader.public_send(call)
          reader.buffer.to_s
        rescue EOFError, MessagePack::UnpackError => e
          [e.class, e.message, (reader.buffer.to_s unless e.is_a?(EOFError))]
        end
        expect(outcomes.last).to eq(outcomes.first)
      end
    end

    it "skips the same however the bytes are cut" do
      each_dice(150) do |dice|
        bytes = whole(dice, ids: [5])
        cut = unpacker
        pieces = dice.split(bytes, 6)
        pieces[0..-2].each { |piece| expect { cut.feed(piece).skip }.to raise_error(EOFError) }
        expect([cut.feed(pieces.last).skip, cut.feed("\x07").read]).to eq([nil, 7])
      end
    end

    it "finishes what read began" do
      each_dice(150) do |dice|
        bytes = whole(dice)
        cut = dice.below(bytes.bytesize)
        half = unpacker.feed(bytes.byteslice(0, cut))
        expect { half.read }.to raise_error(EOFError)
        half.feed("#{bytes.byteslice(cut..)}\x07".b).skip
        expect(half.read).to eq(7)
      end
    end
  end

  describe ".unpack" do
    it "gives what packs to bytes that give the same again" do
      each_dice(300) do |dice|
        object = MessagePack.unpack(whole(dice, ids: [5, -7]), allow_unknown_ext: true)
        bytes = MessagePack.pack(object)
        again = MessagePack.unpack(bytes, allow_unknown_ext: true)
        expect([Picture.of(again), MessagePack.pack(again)]).to eq([Picture.of(object), bytes])
      end
    end

    it "gives the same with key_cache" do
      each_dice(300) do |dice|
        bytes = Wire.new(dice).any
        options = some_options(dice)
        expect(picture { MessagePack.unpack(bytes, options.merge(key_cache: true)) }).to eq(picture { MessagePack.unpack(bytes, options.merge(key_cache: false)) })
      end
    end

    it "freezes everything with freeze, and changes nothing else" do
      each_dice(300) do |dice|
        bytes = whole(dice)
        frozen = MessagePack.unpack(bytes, freeze: true)
        plain = Picture.of(MessagePack.unpack(bytes))
        expect([all_frozen?(frozen), Picture.of(frozen).delete("!=")]).to eq([true, plain.delete("!=")])
      end
    end

    it "raises nothing but what is documented" do
      each_dice(600) do |dice|
        MessagePack.unpack(Wire.new(dice).mutate(Wire.new(dice).any), some_options(dice))
      rescue MessagePack::UnpackError, EOFError, EncodingError => e
        expect(e.message).to match(/\A(end of buffer reached|invalid byte|\d+ extra bytes after the deserialized object|stack level too deep|unexpected extension type|invalid symbol in encoding)/)
      else
        expect(true).to be(true)
      end
    end

    it "never changes the bytes" do
      each_dice(100) do |dice|
        bytes = Wire.new(dice).any
        before = bytes.dup.freeze
        picture { MessagePack.unpack(bytes, some_options(dice)) }
        expect(bytes).to eq(before)
      end
    end
  end

  def all_frozen?(object)
    object.frozen? && (!object.is_a?(Enumerable) || object.to_a.flatten(1).all? { |element| all_frozen?(element) })
  end
end
