# frozen_string_literal: true

# A Fiber that stops in an ext proc and is never resumed left the unpacker as if the proc were running: it refused all
# reads, or had fewer levels each time, and not even reset helped.
RSpec.describe "Unpacker#reset after an ext proc that never came back" do
  def recursive(options = {}, &proc)
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap, recursive: true, packer: ->(_, _) {}, unpacker: proc)
    factory.unpacker(options)
  end

  def lose
    Fiber.new { yield }.resume
    GC.start
  end

  it "lets a plain type's unpacker read again" do
    unpacker = MessagePack::Unpacker.new
    unpacker.register_type(1) { |_| Fiber.yield }
    lose { unpacker.feed(hex("93 d4 01 7a 02 03")).read }
    expect { unpacker.read }.to raise_error(MessagePack::UnpackError)
    unpacker.reset
    expect(unpacker.feed(hex("92 05 06")).read).to eq([5, 6])
    expect(unpacker.feed(hex("07")).each.to_a).to eq([7])
  end

  it "lets a recursive type's unpacker read to the full depth again" do
    lost = true
    unpacker = recursive { |inner| lost ? Fiber.yield : inner.read }
    60.times do
      lose { unpacker.feed(hex("92 d4 01 07")).read }
      unpacker.reset
    end
    lost = false
    expect(unpacker.feed(hex("91") * 128 + hex("07")).read.flatten).to eq([7])
    expect(unpacker.feed(hex("92 d4 01 07 08")).read).to eq([7, 8])
  end

  it "forgets the payload that the lost proc was to read" do
    unpacker = recursive { |_| Fiber.yield }
    lose { unpacker.feed(hex("d5 01 07 08")).read }
    unpacker.reset
    expect(unpacker.feed(hex("95 01 02 03 04 05")).read).to eq([1, 2, 3, 4, 5])
  end

  it "counts objects from none again" do
    unpacker = recursive(max_total_objects: 6) { |inner| inner.read && Fiber.yield }
    lose { unpacker.feed(hex("93 d6 01 92 07 08 09")).read }
    unpacker.reset
    expect(unpacker.feed(hex("95 01 02 03 04 05")).read).to eq([1, 2, 3, 4, 5])
  end

  it "is not undone by a proc that comes back after all" do
    unpacker = MessagePack::Unpacker.new
    unpacker.register_type(1) { |_| Fiber.yield }
    fiber = Fiber.new { Ractors.error { unpacker.feed(hex("92 d4 01 7a")).read } }
    fiber.resume
    unpacker.reset
    unpacker.feed(hex("93 01"))
    expect(fiber.resume).to eq([EOFError, "end of buffer reached"])
    expect(unpacker.feed(hex("02 03")).read).to eq([1, 2, 3])
  end
end
