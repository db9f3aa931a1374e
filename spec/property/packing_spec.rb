# frozen_string_literal: true

require "stringio"
require_relative "generated"
require_relative "naive"

RSpec.describe "packing of any object", :generated do
  describe ".pack" do
    it "gives the bytes that the specification asks for" do
      each_dice(400) do |dice|
        object = core_object(dice)
        expect(MessagePack.pack(object)).to eq(Naive.pack(object))
      end
    end

    it "is undone by unpack" do
      each_dice(400) do |dice|
        object = core_object(dice)
        expect(MessagePack.unpack(MessagePack.pack(object))).to eq(object)
      end
    end
  end

  describe "Packer#write" do
    it "gives the same bytes for one object after the other" do
      each_dice(150) do |dice|
        objects = Array.new(dice.between(1, 6)) { core_object(dice) }
        packer = MessagePack::Packer.new
        objects.each { |object| packer.write(object) }
        expect(packer.to_s).to eq(objects.map { |object| Naive.pack(object) }.join)
      end
    end

    it "gives the same bytes whatever the reference threshold" do
      each_dice(150) do |dice|
        object = [core_object(dice), "x" * dice.pick([255, 256, 257, 5000]), core_object(dice).to_s.b * 9]
        expect(MessagePack::Packer.new(write_reference_threshold: 256).write(object).to_s).to eq(Naive.pack(object))
      end
    end

    it "gives the same bytes to an io" do
      each_dice(150) do |dice|
        objects = Array.new(dice.between(1, 4)) { [core_object(dice), "x".b * dice.pick([0, 300, 5000])] }
        io = StringIO.new("".b)
        packer = MessagePack::Packer.new(io, write_reference_threshold: 256)
        objects.each { |object| packer.write(object).flush }
        expect(io.string).to eq(objects.map { |object| Naive.pack(object) }.join)
      end
    end

    it "gives the same bytes piece by piece" do
      each_dice(150) do |dice|
        array = Array.new(dice.between(0, 20)) { core_object(dice, 1) }
        packer = MessagePack::Packer.new.write_array_header(array.size)
        array.each { |object| packer.write(object) }
        expect(packer.to_s).to eq(Naive.pack(array))
      end
    end
  end

  describe "Packer#size" do
    it "is the number of bytes of to_s and of to_a" do
      each_dice(100) do |dice|
        packer = MessagePack::Packer.new(write_reference_threshold: 256)
        dice.between(1, 5).times { packer.write(core_object(dice)).write("z" * dice.pick([10, 300])) }
        expect([packer.to_s.bytesize, packer.to_a.join]).to eq([packer.size, packer.to_s])
      end
    end
  end

  describe "#to_msgpack" do
    it "gives the same bytes inside of a recursive type" do
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, recursive: true, packer: ->(wrap, packer) { packer.write(wrap.value) }, unpacker: ->(unpacker) { unpacker.read })
      each_dice(100) do |dice|
        object = core_object(dice)
        bytes = factory.dump([1, Samples::Wrap.new(object), 2])
        expect([bytes.byteslice(0, 2), bytes.byteslice(-1 - Naive.pack(object).bytesize..)]).to eq(["\x93\x01".b, "#{Naive.pack(object)}\x02".b])
      end
    end
  end

  describe "Pool#dump" do
    it "gives the same bytes, and load takes them" do
      pool = MessagePack::Factory.new.pool(2)
      each_dice(150) do |dice|
        object = core_object(dice)
        bytes = pool.dump(object)
        expect([bytes, pool.load(bytes)]).to eq([Naive.pack(object), object])
      end
    end
  end
end
