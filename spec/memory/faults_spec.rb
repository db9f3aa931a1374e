# frozen_string_literal: true

require "stringio"
require "timeout"

# Faults where the gem calls out: memory that runs out, interrupts, ios that break their promises, many threads.
RSpec.describe "a fault" do
  # Each call out of a packer: how one is made whose call out runs the block, and what is packed.
  packing = {
    "to_msgpack" => lambda do |&fault|
      object = Object.new
      object.define_singleton_method(:to_msgpack) { |packer| fault.call || packer.write(7) }
      [MessagePack::Packer.new, object]
    end,
    "an ext packer" => lambda do |&fault|
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, packer: ->(_) { fault.call || "x" })
      [factory.packer, Samples::Wrap.new]
    end,
    "a recursive ext packer" => lambda do |&fault|
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, recursive: true, packer: ->(_, packer) { packer.write([1]) && fault.call })
      [factory.packer, Samples::Wrap.new]
    end,
    "the write of an io" => lambda do |&fault|
      io = FakeIO::Write.new
      io.define_singleton_method(:write) { |bytes| fault.call || super(bytes) }
      [MessagePack::Packer.new(io), "x" * 600_000]
    end
  }

  # Each call out of an unpacker, the same way; and the bytes that lead to it.
  unpacking = {
    "an ext proc" => lambda do |&fault|
      [MessagePack::Unpacker.new.tap { |unpacker| unpacker.register_type(1) { |data| fault.call || data } }, "d4 01 61"]
    end,
    "a recursive ext proc" => lambda do |&fault|
      factory = MessagePack::Factory.new
      factory.register_type(1, Samples::Wrap, recursive: true, packer: nil, unpacker: ->(unpacker) { [unpacker.read, fault.call, unpacker.read] })
      [factory.unpacker, "d5 01 07 08"]
    end,
    "the hash of a key" => lambda do |&fault|
      key = Object.new
      key.define_singleton_method(:hash) { fault.call || 1 }
      [MessagePack::Unpacker.new.tap { |unpacker| unpacker.register_type(1) { key } }, "81 d4 01 61 07"]
    end,
    "the read of an io" => lambda do |&fault|
      io = FakeIO::Chunks.new
      io.define_singleton_method(:readpartial) { |size, out = nil| fault.call || super(size, out) }
      [MessagePack::Unpacker.new(io), "92 01"]
    end
  }

  # What happens in the call out, and how the call is made; it gives the class of the exception.
  faults = {
    NoMemoryError => [-> { raise NoMemoryError }, ->(&call) { call.call }],
    SystemStackError => [-> { raise SystemStackError }, ->(&call) { call.call }],
    Timeout::Error => [-> { sleep }, ->(&call) { Timeout.timeout(0.02, &call) }],
    Interrupt => [
      -> { Thread.stop },
      lambda do |&call|
        thread = Thread.new(&call)
        thread.report_on_exception = false
        Thread.pass until thread.stop?
        thread.raise(Interrupt)
        thread.value
      end
    ]
  }

  faults.each do |error, (fault, around)|
    packing.each do |place, make|
      it "of #{place} leaves a packer that works: #{error}" do
        out = fault
        packer, object = make.call { out&.call && nil }
        expect { around.call { packer.write(["kept", object, 1]).flush } }.to raise_error(error)
        out = nil
        packer.reset
        packer.write([1, "a"])
        expect(packer.to_s).to be_bytes("92 01 a1 61")
        packer.reset
        expect { packer.write(object) }.not_to raise_error
      end
    end

    unpacking.each do |place, make|
      it "of #{place} leaves an unpacker that works: #{error}" do
        out = fault
        unpacker, bytes = make.call { out&.call && nil }
        unpacker.feed(hex(bytes))
        expect { around.call { unpacker.read } }.to raise_error(error)
        out = nil
        unpacker.reset
        expect(unpacker.feed(hex("92 01 a1 61")).read).to eq([1, "a"])
        unpacker.feed(hex(bytes))
        expect { unpacker.each { |object| object } }.not_to raise_error
      end
    end
  end

  describe "of an io" do
    def reading(answer)
      io = Object.new
      io.define_singleton_method(:readpartial) { |_size, _out = nil| answer.respond_to?(:call) ? answer.call : answer }
      io
    end

    [1, :sym, [], Object.new, true].each do |answer|
      it "that reads #{answer.class} is a TypeError" do
        unpacker = MessagePack::Unpacker.new(reading(answer))
        expect { unpacker.read }.to raise_error(TypeError)
        expect(unpacker.feed("\x01").read).to eq(1)
      end
    end

    it "that reads more than it was asked for loses nothing" do
      unpacker = MessagePack::Unpacker.new(reading("\x01\x02" * 100_000))
      expect(Array.new(4) { unpacker.read }).to eq([1, 2, 1, 2])
    end

    it "that blocks and is closed by another thread is its IOError, and what had come is there" do
      reader, writer = IO.pipe
      unpacker = MessagePack::Unpacker.new(reader).feed("\x92\x01")
      thread = Thread.new { unpacker.read }
      thread.report_on_exception = false
      Thread.pass until thread.stop?
      reader.close
      expect { thread.value }.to raise_error(IOError)
      expect(unpacker.feed("\x02").read).to eq([1, 2])
      writer.close
    end

    it "that was closed before is its IOError, again and again" do
      reader, writer = IO.pipe
      [reader, writer].each(&:close)
      unpacker = MessagePack::Unpacker.new(reader)
      packer = MessagePack::Packer.new(writer).write([1])
      2.times { expect { unpacker.read }.to raise_error(IOError) }
      2.times { expect { packer.flush }.to raise_error(IOError) }
      expect(packer.to_s).to be_bytes("91 01")
    end
  end

  # In a process of its own: with the heap of the suite, a thousand stacks to mark take minutes.
  it "does not come of a thousand threads that share a pool" do
    output = Child.ruby(<<~'RUBY')
      require "msgpack"
      Point = Struct.new(:x, :y)
      factory = MessagePack::Factory.new
      factory.register_type(1, Point, recursive: true, packer: ->(point, packer) { packer.write(point.to_a) }, unpacker: ->(unpacker) { Point.new(*unpacker.read) })
      pool = factory.pool(4)
      threads = Array.new(1000) do |number|
        Thread.new do
          value = [number, Point.new(number, "x" * (number % 70))]
          Array.new(3) { pool.load(pool.dump(value).tap { Thread.pass }) } == [value] * 3
        end
      end
      print threads.count(&:value)
    RUBY
    expect(output).to eq("1000")
  end
end
