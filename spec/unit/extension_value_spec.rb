# frozen_string_literal: true

RSpec.describe MessagePack::ExtensionValue do
  subject(:value) { described_class.new(1, "a") }

  it "is a Struct of type and payload" do
    expect([described_class.superclass, described_class.members]).to eq([Struct, %i[type payload]])
  end

  it "has readers and writers" do
    value.type = 2
    value.payload = "b"
    expect([value.type, value.payload]).to eq([2, "b"])
  end

  it "compares by value" do
    expect([value == described_class.new(1, "a"), value.eql?(described_class.new(1, "a")), value == described_class.new(2, "a")])
      .to eq([true, true, false])
  end

  it "is the same key" do
    expect({ value => 5 }[described_class.new(1, "a")]).to eq(5)
  end

  it "can be matched" do
    matched = case value
              in { type: 1, payload: } then payload
              end
    expect(matched).to eq("a")
  end

  it "can be marshalled" do
    expect(Marshal.load(Marshal.dump(value))).to eq(value)
  end

  it "shows its members by inspect" do
    expect(value.inspect).to eq('#<struct MessagePack::ExtensionValue type=1, payload="a">')
  end

  it "takes no, one or two arguments" do
    expect([described_class.new, described_class.new(1)].map(&:to_a)).to eq([[nil, nil], [1, nil]])
    expect { described_class.new(1, "a", 2) }.to raise_error(ArgumentError, "struct size differs")
  end

  it "takes positional arguments" do
    expect(described_class.keyword_init?).to be_nil
  end

  describe "#to_msgpack" do
    { 1 => "d4", 2 => "d5", 4 => "d6", 8 => "d7", 16 => "d8", 0 => "c7 00", 3 => "c7 03", 255 => "c7 ff", 256 => "c8 01 00" }
      .each do |size, head|
        it "packs a payload of #{size} bytes" do
          expect(described_class.new(-2, "a" * size).to_msgpack).to be_bytes("#{head} fe #{'61' * size}")
        end
      end

    it "refuses a type that is out of range" do
      expect { described_class.new(128, "a").to_msgpack }
        .to raise_error(RangeError, "integer 128 too big to convert to `signed char'")
    end

    it "refuses a payload that is not a String" do
      expect { described_class.new(1, nil).to_msgpack }.to raise_error(TypeError, "no implicit conversion of nil into String")
    end
  end

  it "is what unpacking an unknown ext gives if that is allowed" do
    expect(MessagePack.unpack(hex("d4 01 61"), allow_unknown_ext: true)).to eq(value)
  end

  it "is caught by an ext type of its own" do
    factory = MessagePack::Factory.new
    factory.register_type(5, described_class, packer: ->(_) { "q" })
    expect(factory.dump(value)).to be_bytes("d4 05 71")
  end

  it "is written as it is if the packer of its type is nil" do
    factory = MessagePack::Factory.new
    factory.register_type(5, described_class, packer: nil)
    expect(factory.dump(value)).to be_bytes("d4 01 61")
  end
end
