# frozen_string_literal: true

require "objspace"

# A buffer's list of pieces was an Array that ObjectSpace gave to whoever asked; emptied, or with something else in it,
# it made the next read a `fatal`. Nothing inside may be found that can be changed.
RSpec.describe "what a buffer holds" do
  # The parts are built at run time, so that no literal of this file is among what is found.
  def short(number)
    ["inside", number, "short"].join("-")
  end

  def long(number)
    ["inside", number, "l" * 20_000].join("-")
  end

  # How many Arrays, and how many unfrozen Strings, hold a part, but for the list of parts and the parts themselves.
  def found(own)
    GC.start
    marked = ->(object) { String === object && object.encoding == Encoding::BINARY && object.include?("inside-") }
    arrays = ObjectSpace.each_object(Array).select { |array| !array.equal?(own) && array.any?(&marked) }
    strings = ObjectSpace.each_object(String).select { |string| !string.frozen? && marked.call(string) }
    [arrays.size, strings.count { |string| own.none? { |part| part.equal?(string) } }]
  end

  # Fills an object, and keeps it.
  holders = {
    "a Buffer with pieces" => lambda do |parts|
      parts.inject(MessagePack::Buffer.new(write_reference_threshold: 256), :<<)
    end,
    "a Buffer that was read" => lambda do |parts|
      parts.inject(MessagePack::Buffer.new(write_reference_threshold: 256), :<<).tap { |buffer| buffer.skip(3000) }
    end,
    "a Buffer whose pieces were put together" => lambda do |parts|
      parts.inject(MessagePack::Buffer.new(write_reference_threshold: 256), :<<).tap { |buffer| buffer.to_s.clear }
    end,
    "an Unpacker with pieces" => lambda do |parts|
      parts.inject(MessagePack::Unpacker.new) { |unpacker, part| unpacker.feed(part) }
    end,
    "an Unpacker that waits for the rest of a string" => lambda do |parts|
      parts.inject(MessagePack::Unpacker.new.feed("\xdb\x00\x10\x00\x00".b)) { |unpacker, part| unpacker.feed(part) }
           .tap { |unpacker| Ractors.error { unpacker.read } }
    end,
    "a Packer" => lambda do |parts|
      parts.inject(MessagePack::Packer.new(write_reference_threshold: 256)) { |packer, part| packer.write(part) }
    end
  }

  holders.each do |name, fill|
    it "can't be found in #{name}" do
      found, kept = Child.run do
        GC.disable
        parts = Array.new(6) { |number| (number.even? ? short(number) : long(number)).b }
        holder = fill.call(parts)
        GC.enable
        result = found(parts)
        [result, holder.respond_to?(:buffer) ? holder.buffer.size : holder.size]
      end
      expect(found).to eq([0, 0])
      expect(kept).to be > 3000
    end
  end

  it "can't be found while a recursive type packs, which sets it aside" do
    found = Child.run do
      found = nil
      parts = Array.new(6) { |number| (number.even? ? short(number) : long(number)).b }
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, recursive: true, unpacker: :itself, packer: lambda do |_, packer|
        parts.each { |part| packer.write(part) }
        found = found(parts)
      end)
      packer = factory.packer(write_reference_threshold: 256)
      parts.each { |part| packer.write(part) }
      packer.write(Samples::Wrap.new)
      found
    end
    expect(found).to eq([0, 0])
  end
end
