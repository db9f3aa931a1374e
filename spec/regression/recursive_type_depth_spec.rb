# frozen_string_literal: true

# msgpack-ruby 397: recursive types did not count towards the limit of 128 levels; a small payload ended the process.
RSpec.describe "nested recursive types" do
  # As many exts of type 1 around a nil.
  def nested(count)
    (1..count).inject(hex("c0")) do |inner, _|
      head = inner.bytesize < 256 ? [0xc7, inner.bytesize, 1].pack("CCc") : [0xc9, inner.bytesize, 1].pack("CNc")
      head + inner
    end
  end

  let(:factory) do
    MessagePack::Factory.new.tap { |factory| factory.register_type(1, Samples::Wrap, recursive: true, packer: :value, unpacker: ->(unpacker) { unpacker.read }) }
  end

  it "may be 128" do
    expect(Child.run { factory.load(nested(128)) }).to be_nil
  end

  [129, 20_000].each do |count|
    it "may not be #{count}" do
      expect { Child.run { factory.load(nested(count)) } }.to raise_error(MessagePack::StackError, "stack level too deep")
    end
  end
end
