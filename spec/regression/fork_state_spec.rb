# frozen_string_literal: true

# microsandbox 1283: what a native gem kept for the whole process did not survive a fork.
RSpec.describe "a process that forks" do
  it "leaves half-read data to both sides" do
    unpacker = MessagePack::Unpacker.new
    unpacker.feed_each(hex("92 01")) {}
    expect(Child.run { unpacker.feed(hex("02")).read }).to eq([1, 2])
    expect(unpacker.feed(hex("03")).read).to eq([1, 3])
  end

  it "leaves half-packed data to both sides" do
    packer = MessagePack::Packer.new.write_array_header(2).write(1)
    expect(Child.run { packer.write(2).to_s }).to be_bytes("92 01 02")
    expect(packer.write(3).to_s).to be_bytes("92 01 03")
  end

  it "leaves registered types to both sides" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap)
    pool = factory.pool
    pool.dump(1)
    expect(Child.run { pool.load(pool.dump(Samples::Wrap.new("c"))) }).to eq(Samples::Wrap.new("c"))
    expect(pool.load(pool.dump(Samples::Wrap.new("p")))).to eq(Samples::Wrap.new("p"))
  end
end
