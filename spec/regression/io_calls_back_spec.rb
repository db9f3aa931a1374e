# frozen_string_literal: true

# An io is code of the application's: it may call the unpacker that waits for it. What it reads so is an object of its
# own. A skip that was under way was mixed up with it: wrong objects, and Hashes made of an odd number of values.
RSpec.describe "an io that calls back" do
  # Runs the block when it is first asked, and answers `rest`. Whoever asks again, in the block or later, is at the end.
  def io_of(rest, &block)
    calls = 0
    Class.new do
      define_method(:readpartial) do |_size, _buffer = nil|
        raise EOFError, "end of file reached" if (calls += 1) > 1

        block.call
        rest.dup
      end
    end.new
  end

  # Reads until EOFError, which is part of the plan.
  def to_the_end
    yield
  rescue EOFError
    :end
  end

  # What the unpacker holds before, the call, what the io answers, the result.
  outer_calls = {
    "read" => ["92 01", ->(unpacker) { unpacker.read }, "02", [1, 2]],
    "read in a map" => ["82 01 02 a1 61", ->(unpacker) { unpacker.read }, "91 03", { 1 => 2, "a" => [3] }],
    "full_unpack" => ["91", ->(unpacker) { unpacker.full_unpack }, "02", [2]],
    "each" => ["92 01", ->(unpacker) { unpacker.each { |object| break object } }, "02", [1, 2]],
    "skip" => ["92 01", ->(unpacker) { unpacker.skip }, "02", nil],
    "skip in a string" => ["92 01 a5", ->(unpacker) { unpacker.skip }, "68 65 6c 6c 6f", nil],
    "skip_nil" => ["", ->(unpacker) { unpacker.skip_nil }, "c0", true],
    "read_array_header" => ["", ->(unpacker) { unpacker.read_array_header }, "92", 2],
    "read_map_header" => ["", ->(unpacker) { unpacker.read_map_header }, "82", 2],
    "Buffer#read" => ["", ->(unpacker) { unpacker.buffer.read(2) }, "61 62", "ab"],
    "Buffer#read_all" => ["", ->(unpacker) { unpacker.buffer.read_all(2) }, "61 62", "ab"],
    "Buffer#skip" => ["", ->(unpacker) { unpacker.buffer.skip(2) }, "61 62", 2]
  }

  # What the io feeds, its call, the result.
  inner_calls = {
    "read" => ["93 07 08 09", ->(unpacker) { unpacker.read }, [7, 8, 9]],
    "full_unpack" => ["81 07 08", ->(unpacker) { unpacker.full_unpack }, { 7 => 8 }],
    "each" => ["91 07", ->(unpacker) { unpacker.each { |object| break object } }, [7]],
    "skip" => ["92 07 08", ->(unpacker) { unpacker.skip }, nil],
    "skip_nil" => ["c0", ->(unpacker) { unpacker.skip_nil }, true],
    "read_array_header" => ["93", ->(unpacker) { unpacker.read_array_header }, 3],
    "read_map_header" => ["83", ->(unpacker) { unpacker.read_map_header }, 3],
    "Buffer#read" => ["78 79", ->(unpacker) { unpacker.buffer.read(2) }, "xy"],
    "Buffer#skip" => ["78 79", ->(unpacker) { unpacker.buffer.skip(2) }, 2]
  }

  outer_calls.each do |outer_name, (held, outer, rest, outer_result)|
    inner_calls.each do |inner_name, (fed, inner, inner_result)|
      it "in #{outer_name} with #{inner_name} reads two things" do
        unpacker = nil
        called = nil
        unpacker = MessagePack::Unpacker.new(io_of(hex(rest)) { called = inner.call(unpacker.feed(hex(fed))) })
        unpacker.feed(hex(held))
        expect([outer.call(unpacker), called, to_the_end { unpacker.read }, unpacker.feed(hex("91 05")).read])
          .to eq([outer_result, inner_result, :end, [5]])
      end
    end
  end

  { "read" => [1, 2], "skip" => nil }.each do |outer, outer_result|
    it "in #{outer} leaves half a map, which is read on later" do
      results = Child.run do
        unpacker = nil
        half = nil
        unpacker = MessagePack::Unpacker.new(io_of(hex("02")) { half = to_the_end { unpacker.feed(hex("83 01")).read } })
        unpacker.feed(hex("92 01"))
        [unpacker.public_send(outer), half, unpacker.feed(hex("02 03 04 05 06")).read, unpacker.feed(hex("07")).read]
      end
      expect(results).to eq([outer_result, :end, { 1 => 2, 3 => 4, 5 => 6 }, 7])
    end

    it "in #{outer} leaves half a skip, which is finished later" do
      results = Child.run do
        unpacker = nil
        half = nil
        unpacker = MessagePack::Unpacker.new(io_of(hex("02")) { half = to_the_end { unpacker.feed(hex("83 01")).skip } })
        unpacker.feed(hex("92 01"))
        [unpacker.public_send(outer), half, unpacker.feed(hex("02 03 04 05 06")).skip, unpacker.feed(hex("07")).read]
      end
      expect(results).to eq([outer_result, :end, nil, 7])
    end

    %w[read skip].each do |inner|
      it "in #{outer} leaves half a #{inner}, which is given up when the data ends there too" do
        results = Child.run do
          unpacker = nil
          unpacker = MessagePack::Unpacker.new(io_of("") { to_the_end { unpacker.feed(hex("92 92 01")).public_send(inner) } })
          half = to_the_end { unpacker.feed(hex("92 01")).public_send(outer) }
          whole = unpacker.feed(hex("02")).public_send(outer)
          # Nothing of the inner object is left for a second object that comes in two pieces.
          again = to_the_end { unpacker.feed(hex("93 01")).read }
          [half, whole, again, unpacker.feed(hex("02 03 0a")).skip, unpacker.read]
        end
        expect(results).to eq([:end, outer_result, :end, nil, 10])
      end
    end
  end

  describe "while it is written to" do
    # The call in the first write of three pieces, what all the writes get, and what the call returns.
    {
      "read" => [->(buffer) { buffer.read(2) }, "abcd".b + "l" * 600 + "efg", "ab"],
      "a read over two pieces" => [->(buffer) { buffer.read(6) }, "abcd".b + "l" * 598 + "efg", "abcdll"],
      "skip" => [->(buffer) { buffer.skip(2) }, "abcd".b + "l" * 600 + "efg", 2],
      "<<" => [->(buffer) { (buffer << "hi").size }, "abcd".b + "l" * 600 + "efghi", 609],
      "clear" => [->(buffer) { buffer.clear }, "abcd".b, nil]
    }.each do |name, (call, all, result)|
      it "by #{name} gets each byte once, unless it was taken" do
        buffer = MessagePack::Buffer.new(write_reference_threshold: 256)
        writes = []
        called = nil
        io = Class.new do
          define_method(:write) do |bytes|
            writes << bytes
            called = call.call(buffer) if writes.size == 1
            bytes.bytesize
          end
        end.new
        buffer << "abcd" << "l" * 600 << "efg"
        buffer.write_to(io)
        expect([writes.join, called, buffer.to_s]).to eq([all, result, ""])
      end
    end
  end

  describe "of a Buffer" do
    { "read" => "cde", "read_all" => "cde", "skip" => 3 }.each do |outer, result|
      it "in #{outer} with read takes the bytes in their order" do
        buffer = nil
        taken = nil
        buffer = MessagePack::Buffer.new(io_of("def".b) { taken = (buffer << "abc").read(2) })
        expect([buffer.public_send(outer, 3), taken, buffer.to_s]).to eq([result, "ab", "f"])
      end

      it "in #{outer} with skip takes the bytes in their order" do
        buffer = nil
        taken = nil
        buffer = MessagePack::Buffer.new(io_of("def".b) { taken = (buffer << "abc").skip(2) })
        expect([buffer.public_send(outer, 3), taken, buffer.to_s]).to eq([result, 2, "f"])
      end
    end
  end
end
