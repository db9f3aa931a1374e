# frozen_string_literal: true

require "delegate"
require "msgpack/bigint"

RSpec.describe MessagePack::Bigint do
  forms = {
    0 => "00",
    1 => "00 00 00 00 01",
    -1 => "01 00 00 00 01",
    2**31 => "00 80 00 00 00",
    2**32 - 1 => "00 ff ff ff ff",
    2**32 => "00 00 00 00 00 00 00 00 01",
    2**65 - 1 => "00 ff ff ff ff ff ff ff ff 00 00 00 01",
    -(2**63) - 1 => "01 00 00 00 01 80 00 00 00",
    0x0123_4567_89ab_cdef => "00 89 ab cd ef 01 23 45 67"
  }

  it "has the constants of the C gem" do
    expect([described_class::CHUNK_BITLENGTH, described_class::FORMAT]).to eq([32, "CL>*"])
  end

  describe ".to_msgpack_ext" do
    forms.each do |number, payload|
      it "encodes #{number}" do
        expect(described_class.to_msgpack_ext(number)).to be_bytes(payload)
      end
    end
  end

  describe ".from_msgpack_ext" do
    forms.each do |number, payload|
      it "decodes #{payload}" do
        expect(described_class.from_msgpack_ext(hex(payload))).to eq(number)
      end
    end

    {
      "" => 0, "01" => 0,
      "02 00 00 00 05" => -5, "ff 00 00 00 05" => -5,
      "00 00 00 00 01 00 00" => 1,
      "00 00 00 00 01 00 00 00 00" => 1
    }.each do |payload, number|
      it "takes #{payload.inspect} for #{number}" do
        expect(described_class.from_msgpack_ext(hex(payload))).to eq(number)
      end
    end

    it "leaves the payload as it is" do
      payload = hex("00 00 00 00 01").freeze
      expect(described_class.from_msgpack_ext(payload)).to eq(1)
    end
  end

  { nil => "<", [1] => "<", 1.5 => "bit_length", 2r => "bit_length" }.each do |object, method|
    it "refuses to encode #{object.inspect}, which has no #{method}" do
      expect { described_class.to_msgpack_ext(object) }.to raise_error(NoMethodError, /undefined method [`']#{method}' for/)
    end
  end

  ["1", :a].each do |object|
    it "refuses to encode #{object.inspect}" do
      expect { described_class.to_msgpack_ext(object) }.to raise_error(ArgumentError, "comparison of #{object.class} with 0 failed")
    end
  end

  [nil, 1, :abcde, [0]].each do |object|
    it "refuses to decode #{object.inspect}" do
      expect { described_class.from_msgpack_ext(object) }.to raise_error(NoMethodError, /undefined method [`']unpack' for/)
    end
  end

  it "takes delegators" do
    expect(described_class.to_msgpack_ext(SimpleDelegator.new(1))).to be_bytes("00 00 00 00 01")
    expect(described_class.from_msgpack_ext(SimpleDelegator.new(hex("00 00 00 00 01")))).to eq(1)
  end

  it "has its functions as private methods of what includes it" do
    expect(Class.new { include MessagePack::Bigint }.new.send(:to_msgpack_ext, 1)).to be_bytes("00 00 00 00 01")
    expect(described_class.private_instance_methods(false)).to contain_exactly(:to_msgpack_ext, :from_msgpack_ext)
  end

  it "brings every number back" do
    numbers = [10**30, -(10**300), 2**4096 - 1, -(2**4096), 3**10_000]
    expect(numbers.map { |number| described_class.from_msgpack_ext(described_class.to_msgpack_ext(number)) }).to eq(numbers)
  end

  it "can be registered for Integers beyond 64 bits" do
    factory = MessagePack::Factory.new
    factory.register_type(2, Integer, packer: described_class.method(:to_msgpack_ext),
                                      unpacker: described_class.method(:from_msgpack_ext), oversized_integer_extension: true)
    expect(factory.dump(2**64)).to be_bytes("c7 0d 02 00 00 00 00 00 00 00 00 00 00 00 00 01")
    expect(factory.load(factory.dump([2**64, -(2**64), 1]))).to eq([2**64, -(2**64), 1])
  end
end
