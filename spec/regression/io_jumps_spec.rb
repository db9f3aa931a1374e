# frozen_string_literal: true

# Ruby 3.3 and 3.4 died of a throw, return or break out of an io's read: what it leaves behind is no exception, and no
# object either. However an io is left, what it served has to go on.
RSpec.describe "leaving an io" do
  # Calls the block of `during` when it is first asked; else it gives and takes bytes.
  let(:io) do
    Class.new do
      attr_reader :written

      def initialize(bytes)
        @bytes = bytes
        @written = +"".b
        @jump = nil
      end

      # Without a block, `jump` stands for it.
      def during(call, jump = nil, &block)
        @jump = jump || block
        call.call
      end

      def readpartial(_size, _buffer = nil)
        leave
        @bytes.empty? ? raise(EOFError) : @bytes.slice!(0..)
      end

      def write(bytes)
        leave
        @written << bytes
        bytes.bytesize
      end

      def leave
        jump = @jump
        @jump = nil
        jump&.call
      end
    end
  end

  ways = {
    "by throw" => ->(io, call) { catch(:out) { io.during(call) { throw :out, :left } } },
    # The proc returns from the lambda around it.
    "by return" => lambda do |io, call|
      io.during(call, proc { return :left })
      :not_left
    end,
    "by break" => ->(io, call) { io.during(call) { break :left } },
    "by Thread#kill" => lambda do |io, call|
      thread = Thread.new { io.during(call) { Thread.current.kill } }
      thread.join.value.nil? && !thread.alive? ? :left : :not_left
    end
  }

  # How the object is made of an io, the call that reads, and what it gives when it is called again.
  readers = {
    "Unpacker#read" => [->(io) { MessagePack::Unpacker.new(io).feed("\x93\x01") }, ->(unpacker, _) { unpacker.read }, "02 03", [1, 2, 3]],
    "Unpacker#full_unpack" => [->(io) { MessagePack::Unpacker.new(io) }, ->(unpacker, _) { unpacker.full_unpack }, "91 05", [5]],
    "Unpacker#each" => [->(io) { MessagePack::Unpacker.new(io).feed("\x91") }, ->(unpacker, _) { unpacker.each.to_a }, "05 06", [[5], 6]],
    "Unpacker#skip" => [->(io) { MessagePack::Unpacker.new(io).feed("\x93\x01") }, ->(unpacker, _) { [unpacker.skip, unpacker.read] }, "02 03 04", [nil, 4]],
    "Unpacker#skip_nil" => [->(io) { MessagePack::Unpacker.new(io) }, ->(unpacker, _) { unpacker.skip_nil }, "c0", true],
    "Unpacker#read_array_header" => [->(io) { MessagePack::Unpacker.new(io).feed("\xdc\x00") }, ->(unpacker, _) { unpacker.read_array_header }, "07", 7],
    "Unpacker#read_map_header" => [->(io) { MessagePack::Unpacker.new(io).feed("\xde\x00") }, ->(unpacker, _) { unpacker.read_map_header }, "07", 7],
    "Buffer#read" => [->(io) { MessagePack::Buffer.new(io) << "a" }, ->(buffer, _) { buffer.read(3) }, "62 63 64", "abc"],
    "Buffer#read_all" => [->(io) { MessagePack::Buffer.new(io) << "a" }, ->(buffer, _) { buffer.read_all(3) }, "62 63 64", "abc"],
    "Buffer#skip" => [->(io) { MessagePack::Buffer.new(io) }, ->(buffer, _) { [buffer.skip(1), buffer.read(1)] }, "62 63", [1, "c"]],
    "MessagePack.load" => [->(io) { io }, ->(_, io) { MessagePack.load(io) }, "92 01 02", [1, 2]],
    "Factory#load" => [->(io) { MessagePack::Factory.new }, ->(factory, io) { factory.load(io) }, "92 01 02", [1, 2]]
  }

  # The same for calls that write, and all that the io has at the end.
  writers = {
    "Packer#flush" => [->(io) { MessagePack::Packer.new(io).write([1, 2]) }, ->(packer, _) { packer.flush }, "92 01 02"],
    "Packer#full_pack" => [->(io) { MessagePack::Packer.new(io).write([1, 2]) }, ->(packer, _) { packer.full_pack }, "92 01 02"],
    "Packer#write_to" => [->(_) { MessagePack::Packer.new.write([1, 2]) }, ->(packer, io) { packer.write_to(io) }, "92 01 02"],
    "Buffer#flush" => [->(io) { MessagePack::Buffer.new(io) << "ab" }, ->(buffer, _) { buffer.flush }, "61 62"],
    "Buffer#write_to" => [->(_) { MessagePack::Buffer.new << "ab" }, ->(buffer, io) { buffer.write_to(io) }, "61 62"],
    "MessagePack.dump" => [->(io) { io }, ->(_, io) { MessagePack.dump([1, 2], io) }, "92 01 02"],
    "Factory#dump" => [->(_) { MessagePack::Factory.new }, ->(factory, io) { factory.dump([1, 2], io) }, "92 01 02"]
  }

  ways.each do |way, leave|
    readers.each do |name, (make, call, bytes, result)|
      it "#{way} in #{name} loses nothing" do
        results = Child.run do
          source = io.new(hex(bytes))
          object = make.call(source)
          [leave.call(source, -> { call.call(object, source) }), call.call(object, source)]
        end
        expect(results).to eq([:left, result])
      end
    end

    writers.each do |name, (make, call, bytes)|
      it "#{way} in #{name} loses nothing" do
        left, written = Child.run do
          target = io.new("")
          object = make.call(target)
          left = leave.call(target, -> { call.call(object, target) })
          call.call(object, target)
          [left, target.written]
        end
        expect(left).to eq(:left)
        expect(written).to be_bytes(bytes)
      end
    end

    it "#{way} in a write that sends what has piled up loses nothing" do
      left, written = Child.run do
        target = io.new("")
        packer = MessagePack::Packer.new(target).write("a" * 5000)
        left = leave.call(target, -> { packer.write("b" * 5000).write(1).flush })
        packer.write(7).flush
        [left, MessagePack::Unpacker.new.feed(target.written).each.first(2), target.written[-1]]
      end
      expect([left, written]).to eq([:left, ["a" * 5000, "b" * 5000]])
    end
  end
end
