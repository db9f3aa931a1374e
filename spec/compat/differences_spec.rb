# frozen_string_literal: true

require "stringio"

# Rows of docs/compatibility.md, differences to the C gem 1.8.5, by their numbers: 34 to 40 were found by random
# comparison, and stay.
RSpec.describe "differences to the C gem" do
  # Gives these pieces one by one, and keeps what is written to it.
  def io(*pieces)
    Class.new do
      attr_reader :written

      define_method(:initialize) { @written = +"" }
      define_method(:readpartial) { |_size, _buffer = nil| pieces.shift || raise(EOFError, "dry") }
      define_method(:write) { |bytes| @written << bytes }
    end.new
  end

  it "10: negative sizes are refused, and nothing is written" do
    packer = MessagePack::Packer.new
    %i[write_array_header write_map_header write_bin_header].each do |method|
      expect { packer.public_send(method, -1) }.to raise_error(RangeError, /\Ainteger -1 too small to convert to .unsigned int'\z/)
    end
    expect(packer).to be_empty
  end

  it "34: an unpacker callable's String stays a String in the place of a key" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Class.new, unpacker: ->(_payload) { "k" })
    expect(factory.load(hex("82 d4 01 00 05 a1 61 06"), symbolize_keys: true)).to eq({ "k" => 5, a: 6 })
  end

  it "35: initialize again keeps io and types" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Range, packer: ->(_range) { "r" })
    target = StringIO.new("".b)
    packer = factory.packer(target)
    packer.__send__(:initialize, { compatibility_mode: true })
    packer.write(1..2).flush
    expect(target.string).to be_bytes("d4 01 72")

    unpacker = factory.unpacker(io(hex("07")))
    unpacker.__send__(:initialize, { freeze: true })
    expect(unpacker.read).to eq(7)
  end

  it "36: a String in pieces is interned with freeze" do
    unpacker = MessagePack::Unpacker.new(freeze: true)
    unpacker.feed(hex("a3 61"))
    expect { unpacker.read }.to raise_error(EOFError)
    unpacker.feed(hex("62 63"))
    expect(unpacker.read).to equal(-"abc")
  end

  it "37: messages are UTF-8" do
    expect { MessagePack.unpack(hex("c1")) }.to raise_error(MessagePack::MalformedFormatError) { |error|
      expect(error.message.encoding).to eq(Encoding::UTF_8)
    }
  end

  it "38: options that are no Hash are named" do
    expect { MessagePack::Factory.new.register_type(1, String, 5) }
      .to raise_error(TypeError, "wrong argument type Integer (expected Hash)")
  end

  it "39: what is fed goes to no io" do
    source = io(hex("02"))
    unpacker = MessagePack::Unpacker.new(source)
    unpacker.feed(hex("92 01"))
    expect(unpacker.read).to eq([1, 2])
    MessagePack.load(hex("92 01"), source = io(hex("02")))
    MessagePack::Buffer.new(other = io) << "abc"
    expect([source.written, other.written]).to eq(["", ""])
  end

  it "40: Buffer#read keeps what was buffered when the io raises" do
    source = Class.new { def readpartial(*) = raise(IOError, "broken") }.new
    buffer = MessagePack::Buffer.new(source)
    buffer << "abc"
    expect { buffer.read(5) }.to raise_error(IOError, "broken")
    expect(buffer.to_s).to eq("abc")
  end
end
