# frozen_string_literal: true

# msgpack-ruby 187: an error that the io raises may lose no byte.
RSpec.describe "an io that raises" do
  # Gives one of its pieces a call; an exception among them is raised.
  def io_of(*pieces)
    Class.new do
      define_method(:readpartial) do |_size, buffer = String.new|
        piece = pieces.shift || raise(EOFError)
        raise piece if piece.is_a?(Exception)

        buffer.replace(piece)
      end
    end.new
  end

  it "loses nothing that was read before" do
    unpacker = MessagePack::Unpacker.new(io_of("\x93\x01\xa5ab", IO::EAGAINWaitReadable.new("later"), "cde", IOError.new("again"), "\x03\x07"))
    expect { unpacker.read }.to raise_error(IO::EAGAINWaitReadable)
    expect { unpacker.read }.to raise_error(IOError, "again")
    expect([unpacker.read, unpacker.read]).to eq([[1, "abcde", 3], 7])
  end

  it "loses nothing that was not written yet" do
    attempts = 0
    written = +""
    io = Class.new { define_method(:write) { |data| (attempts += 1) == 1 ? raise(IOError, "full") : written << data } }.new
    packer = MessagePack::Packer.new(io).write([1, "a"])
    expect { packer.flush }.to raise_error(IOError, "full")
    packer.flush
    expect(written.b).to be_bytes("92 01 a1 61")
  end
end
