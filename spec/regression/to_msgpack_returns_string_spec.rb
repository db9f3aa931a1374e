# frozen_string_literal: true

# msgpack-ruby 222: a to_msgpack that returns a String and writes nothing packs as nothing. It has to write to the packer.
RSpec.describe "a to_msgpack of an application" do
  it "has its return value ignored" do
    klass = Class.new { def to_msgpack(_packer) = "ignored" }
    expect(MessagePack.pack(klass.new)).to be_bytes("")
  end

  it "writes to the packer" do
    klass = Class.new { def to_msgpack(packer) = packer.write_array_header(1).write("x") }
    expect(MessagePack.pack([klass.new])).to be_bytes("91 91 a1 78")
  end
end
