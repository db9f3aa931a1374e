# frozen_string_literal: true

require "objspace"
require_relative "growth"

RSpec.describe "memory of idle and of long-lived objects" do
  def memsize(object) = ObjectSpace.memsize_of(object)

  long = "x".b * 600_000

  describe "ObjectSpace.memsize_of" do
    it "is less than a kilobyte for a fresh Packer" do
      expect(memsize(MessagePack::Packer.new)).to be_between(1, 1023)
    end

    it "is less than a kilobyte for a fresh Unpacker" do
      expect(memsize(MessagePack::Unpacker.new)).to be_between(1, 1023)
    end

    it "is less than a kilobyte for a fresh Buffer" do
      expect(memsize(MessagePack::Buffer.new)).to be_between(1, 1023)
    end

    it "is less than a kilobyte for a fresh Factory" do
      expect(memsize(MessagePack::Factory.new)).to be_between(1, 1023)
    end

    it "is less than a kilobyte for a view of a packer that holds megabytes" do
      expect(memsize(MessagePack::Packer.new.write(long).buffer)).to be_between(1, 1023)
    end

    it "grows with strings that a packer refers to" do
      packer = MessagePack::Packer.new
      10.times { packer.write(long) }
      expect(memsize(packer)).to be >= 6_000_000
    end

    it "grows with strings that a packer has copied" do
      packer = MessagePack::Packer.new
      1000.times { packer.write("x" * 1000) }
      expect(memsize(packer)).to be >= 1_000_000
    end

    it "grows with what an unpacker was fed" do
      expect(memsize(MessagePack::Unpacker.new.feed(long))).to be >= 600_000
    end

    it "grows with what a Buffer holds" do
      buffer = MessagePack::Buffer.new
      buffer << long
      expect(memsize(buffer)).to be >= 600_000
    end

    it "grows with the depth of a half-read object" do
      sizes = [1, 100].map do |depth|
        unpacker = MessagePack::Unpacker.new.feed("\x92\x01".b * depth)
        unpacker.each { raise "complete?" }
        memsize(unpacker)
      end
      expect(sizes.last).to be > sizes.first + 99 * 8
    end

    it "grows with the values of a half-read object" do
      sizes = [10, 10_000].map do |count|
        unpacker = MessagePack::Unpacker.new.feed("\xdc\xff\xff".b + "\x01" * count)
        unpacker.each { raise "complete?" }
        memsize(unpacker)
      end
      expect(sizes.last).to be > 9_990 * 8
    end

    it "is there for every object of the gem, those that Ruby code does not see as well" do
      unpacker = MessagePack::Unpacker.new.feed("\xdc\xff\xff".b + "\x01" * 10_000)
      unpacker.each { raise "complete?" }
      sizes = Tempfile.create("heap") do |file|
        ObjectSpace.dump_all(output: file)
        File.foreach(file.path).grep(/"struct":"msgpack/).to_h { |line| line.match(/"struct":"([^"]+)".*"memsize":(\d+)/).captures }
      end
      expect(sizes.keys).to include("msgpack/value_stack", "msgpack/registry")
      expect(sizes.values.map(&:to_i)).to all(be > 0)
      unpacker.reset
    end

    it "is small again after reset of a packer" do
      packer = MessagePack::Packer.new
      10.times { packer.write(long) }
      packer.reset
      expect(memsize(packer)).to be < 100_000
    end

    it "is small again after reset of an unpacker" do
      unpacker = MessagePack::Unpacker.new.feed(long).feed("\xdc\xff\xff".b + "\x01" * 60_000)
      unpacker.each { |object| object }
      unpacker.reset
      expect(memsize(unpacker)).to be < 100_000
    end

    it "does not grow while an unpacker reads message after message" do
      unpacker = MessagePack::Unpacker.new
      message = MessagePack.pack({ "key" => [1, "text" * 30] })
      sizes = Array.new(3) do
        500.times { unpacker.feed_each(message) { |object| object } }
        memsize(unpacker)
      end
      expect(sizes.last).to be <= sizes.first
    end

    it "does not grow while a packer writes message after message" do
      packer = MessagePack::Packer.new
      sizes = Array.new(3) do
        500.times { packer.write({ "key" => [1, "text" * 30] }).full_pack }
        memsize(packer)
      end
      expect(sizes.last).to be <= sizes.first
    end
  end

  describe "of the process" do
    it "is that of the data when ten thousand packers and unpackers are idle", :slow do
      skip "needs /proc" unless File.exist?("/proc/self/statm")

      grown = Child.run do
        before = Growth.resident
        idle = Array.new(10_000) { [MessagePack::Packer.new, MessagePack::Unpacker.new] }
        (Growth.resident - before) / idle.size
      end
      expect(grown).to be < 2048
    end

    it "does not grow with an unpacker that lives long", :slow do
      unpacker = MessagePack::Unpacker.new
      message = MessagePack.pack({ "key" => [1, "text" * 30, { "a" => nil }] })
      expect { message.each_char.each_slice(7) { |bytes| unpacker.feed_each(bytes.join) { |object| object } } }.to hold_its_memory(rounds: 5000)
    end

    it "does not grow with an unpacker that never finds the end of a message", :slow do
      unpacker = MessagePack::Unpacker.new
      expect { unpacker.feed_each("\xc1") { |object| object } rescue nil }.to hold_its_memory
    end

    it "does not grow with map keys that are all new", :slow do
      number = 0
      expect { MessagePack.unpack("\x81\xa8".b + format("%08x", number += 1) + "\x01") }.to hold_its_memory
    end

    it "does not grow with symbol types that are looked up for objects of new classes", :slow do
      packer = MessagePack::Factory.new.tap { |factory| factory.register_type(1, Comparable, packer: ->(_) { "" }) }.packer
      expect do
        packer.write(Object.new.extend(Comparable))
        packer.reset
      end.to hold_its_memory
    end
  end
end
