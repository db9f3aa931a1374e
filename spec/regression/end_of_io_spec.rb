# frozen_string_literal: true

# td 34: each ends quietly at the end of its io, a single read says so.
RSpec.describe "the end of an io" do
  it "ends each" do
    objects = []
    expect(MessagePack::Unpacker.new(StringIO.new(hex("01 02"))).each { |object| objects << object }).to be_nil
    expect(objects).to eq([1, 2])
  end

  it "is an EOFError of read and load" do
    expect { MessagePack::Unpacker.new(StringIO.new).read }.to raise_error(EOFError)
    expect { MessagePack.load(StringIO.new) }.to raise_error(EOFError)
  end
end
