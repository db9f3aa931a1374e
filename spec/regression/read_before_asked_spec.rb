# frozen_string_literal: true

# msgpack-ruby 32 and 140: an unpacker read from its io before it was asked to.
RSpec.describe "an unpacker with an io" do
  it "reads when it is asked, and not before" do
    io = StringIO.new(hex("01 02"))
    unpacker = MessagePack::Unpacker.new(io)
    expect(io.pos).to eq(0)
    expect(unpacker.read).to eq(1)
  end

  it "returns an object as soon as it is there" do
    objects = Child.run(20) do
      reader, writer = IO.pipe(binmode: true)
      writer.write("\x91\x01\x92\x02")
      [MessagePack::Unpacker.new(reader).read]
    end
    expect(objects).to eq([[1]])
  end
end
