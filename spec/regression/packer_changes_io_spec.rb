# frozen_string_literal: true

# A recursive type's packer that initializes the packer with another io had its own io put back without the name of
# the method that writes to it: `write` was called on what has `<<` only.
RSpec.describe "a recursive type that gives its packer another io" do
  ios = { "write" => -> { FakeIO::Write.new }, "<<" => -> { FakeIO::Append.new }, "a StringIO" => -> { StringIO.new("".b) } }

  ios.each do |first_name, first|
    ios.each do |second_name, second|
      it "leaves #{first_name} for #{second_name} and gets it back" do
        inner = second.call
        factory = MessagePack::Factory.new
        factory.register_type(1, Samples::Wrap, recursive: true, unpacker: :itself, packer: lambda do |wrap, packer|
          packer.send(:initialize, inner)
          packer.write(wrap.value)
        end)
        outer = first.call
        packer = factory.packer(outer)
        packer.write(1).write(Samples::Wrap.new("x" * 3)).write(2).flush
        packer.write(3).flush
        expect(outer.string.b).to be_bytes("01 d6 01 a3 78 78 78 02 03")
        expect(inner.string).to be_empty
      end
    end
  end

  it "gets its io back after an exception, too" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap, recursive: true, unpacker: :itself, packer: lambda do |_, packer|
      packer.send(:initialize, FakeIO::Write.new)
      raise "boom"
    end)
    outer = FakeIO::Append.new
    packer = factory.packer(outer).write(1)
    expect { packer.write(Samples::Wrap.new) }.to raise_error("boom")
    packer.write(2).flush
    expect(outer.string).to be_bytes("01 02")
  end
end
