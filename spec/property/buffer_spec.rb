# frozen_string_literal: true

require "stringio"
require_relative "generated"

# A Buffer is a queue of bytes, whatever it does to copy few of them. Here is one that is nothing else.
RSpec.describe MessagePack::Buffer, :generated do
  # Runs random calls on the buffer and on a String beside it, and compares after each.
  def compare(dice, buffer, model)
    dice.between(5, 25).times do
      n = dice.pick([0, 1, 2, 3, 10, 255, 256, 300, 2000, 5000])
      bytes = dice.bytes(1) * dice.pick([0, 1, 5, 255, 256, 257, 1023, 1024, 5000])
      given, expected = call(dice.below(9), buffer, model, n, bytes)
      expect(given).to eq(expected)
      expect([buffer.size, buffer.to_s, buffer.to_a.join, buffer.empty?]).to eq([model.bytesize, model, model, model.empty?])
    end
  end

  def call(which, buffer, model, n, bytes)
    case which
    when 0, 1, 2 then [buffer.write(bytes), model << bytes && bytes.bytesize]
    when 3, 4 then [buffer.read(n), n.positive? && model.empty? ? nil : model.slice!(0, n)]
    when 5 then [attempt { buffer.read_all(n) }, n > model.bytesize ? EOFError : model.slice!(0, n)]
    when 6 then [buffer.skip(n), model.slice!(0, n).bytesize]
    when 7 then [attempt { buffer.skip_all(n) && nil }, n > model.bytesize ? EOFError : model.slice!(0, n) && nil]
    when 8
      sink = StringIO.new("".b)
      return [buffer.size, model.bytesize] if n > 10

      [[buffer.write_to(sink), sink.string], [model.bytesize, model.slice!(0, model.bytesize)]]
    end
  end

  def attempt
    yield
  rescue EOFError => e
    e.class
  end

  it "is a queue of bytes" do
    each_dice(150) { |dice| compare(dice, MessagePack::Buffer.new, "".b) }
  end

  it "is a queue of bytes with low reference thresholds" do
    each_dice(150) { |dice| compare(dice, MessagePack::Buffer.new(read_reference_threshold: 256, write_reference_threshold: 256), "".b) }
  end

  it "is a queue of bytes as the view of a packer" do
    each_dice(80) { |dice| compare(dice, MessagePack::Packer.new(write_reference_threshold: 256).buffer, "".b) }
  end

  it "is a queue of bytes as the view of an unpacker" do
    each_dice(80) { |dice| compare(dice, MessagePack::Unpacker.new.buffer, "".b) }
  end

  it "never shows bytes of another one" do
    each_dice(60) do |dice|
      pairs = Array.new(4) { |i| [MessagePack::Buffer.new(write_reference_threshold: 256), (65 + i).chr] }
      60.times do
        buffer, letter = dice.pick(pairs)
        case dice.below(4)
        when 0 then buffer << letter * dice.pick([1, 300, 5000])
        when 1 then expect(buffer.read(dice.pick([1, 300, 5000])).to_s.delete(letter)).to eq("")
        when 2 then buffer.clear
        when 3 then expect(buffer.to_s.delete(letter)).to eq("")
        end
      end
    end
  end
end
