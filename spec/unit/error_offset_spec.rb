# frozen_string_literal: true

require "stringio"

# UnpackError#offset: the byte that an error is about.
RSpec.describe "UnpackError#offset" do
  def offset(error = MessagePack::UnpackError)
    yield
    raise "nothing was raised"
  rescue error => e
    e.offset
  end

  def factory(&unpacker)
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(1, Samples::Wrap, packer: nil, unpacker: unpacker, recursive: true)
    end
  end

  {
    "the reserved byte" => ["c1", 0], "the reserved byte, inside" => ["92 01 c1", 2], "the reserved byte as a key" => ["82 01 02 c1", 3],
    "an ext type that is unknown" => ["93 01 a1 61 d4 05 00", 4], "what follows the object" => ["92 01 02 07", 3]
  }.each do |name, (bytes, at)|
    it "is the place of #{name}" do
      expect(offset { MessagePack.unpack(hex(bytes)) }).to eq(at)
    end
  end

  it "is the place of the array that is too deep" do
    expect(offset(MessagePack::StackError) { MessagePack.unpack(hex("91" * 129)) }).to eq(128)
  end

  it "counts all that an unpacker ever got, however it came" do
    unpacker = MessagePack::Unpacker.new
    unpacker.feed(hex("01 a3 61 62"))
    unpacker.read
    unpacker.each { |_| nil }
    unpacker.feed(hex("63 92 01"))
    unpacker.read
    unpacker.feed(hex("c1"))
    expect(offset { unpacker.read }).to eq(7)
  end

  it "counts long strings, which are not copied" do
    unpacker = MessagePack::Unpacker.new
    unpacker.feed(MessagePack.pack("x" * 100_000)).feed(MessagePack.pack("y" * 5000)).feed(hex("c1"))
    2.times { unpacker.skip }
    expect(offset { unpacker.read }).to eq(100_005 + 5003)
  end

  it "counts what was read over an io" do
    unpacker = MessagePack::Unpacker.new(StringIO.new(hex("01 93 02 c1")))
    unpacker.read
    expect(offset { unpacker.read }).to eq(3)
  end

  it "is the value that is no array or map, for the header reads" do
    unpacker = MessagePack::Unpacker.new.feed(hex("05 06"))
    unpacker.read
    expect(offset(MessagePack::UnexpectedTypeError) { unpacker.read_array_header }).to eq(1)
    expect(offset(MessagePack::UnexpectedTypeError) { unpacker.read_map_header }).to eq(1)
  end

  it "is the byte for skip, too" do
    expect(offset { MessagePack::Unpacker.new.feed(hex("92 01 c1")).skip }).to eq(2)
    expect(offset { MessagePack::Unpacker.new(FakeIO::Chunks.new(*hex("92 01 c1").each_char)).skip }).to eq(2)
  end

  it "is the byte inside of a recursive ext payload" do
    expect(offset { factory { |unpacker| [unpacker.read, unpacker.read] }.load(hex("92 00 c7 02 01 01 c1")) }).to eq(6)
  end

  it "is the end of a recursive ext payload that is too short" do
    expect(offset { factory { |unpacker| [unpacker.read, unpacker.read] }.load(hex("92 00 c7 01 01 01 00")) }).to eq(6)
  end

  it "is nil for an error that a program made itself" do
    expect(MessagePack::UnpackError.new("mine").offset).to be_nil
  end

  it "does not change the message" do
    expect { MessagePack.unpack(hex("92 01 c1")) }.to raise_error(MessagePack::MalformedFormatError, "invalid byte")
  end
end
