# frozen_string_literal: true

RSpec.describe MessagePack::Timestamp do
  # [seconds, nanoseconds] => payload, at the borders of the three forms.
  forms = {
    [0, 0] => "00 00 00 00",
    [1, 0] => "00 00 00 01",
    [2**32 - 1, 0] => "ff ff ff ff",
    [2**32, 0] => "00 00 00 01 00 00 00 00",
    [0, 1] => "00 00 00 04 00 00 00 00",
    [2**34 - 1, 0] => "00 00 00 03 ff ff ff ff",
    [2**34 - 1, 999_999_999] => "ee 6b 27 ff ff ff ff ff",
    [0, 1_000_000_000] => "ee 6b 28 00 00 00 00 00",
    [0, 2**30 - 1] => "ff ff ff fc 00 00 00 00",
    [2**34, 0] => "00 00 00 00 00 00 00 04 00 00 00 00",
    [2**34, 2**32 - 1] => "ff ff ff ff 00 00 00 04 00 00 00 00",
    [-1, 0] => "00 00 00 00 ff ff ff ff ff ff ff ff",
    [-1, 999_999_999] => "3b 9a c9 ff ff ff ff ff ff ff ff ff",
    [2**63 - 1, 0] => "00 00 00 00 7f ff ff ff ff ff ff ff",
    [-(2**63), 0] => "00 00 00 00 80 00 00 00 00 00 00 00"
  }

  it "has the constants of the specification" do
    expect([described_class::TYPE, described_class::TIMESTAMP32_MAX_SEC, described_class::TIMESTAMP64_MAX_SEC])
      .to eq([-1, 4_294_967_295, 17_179_869_183])
  end

  describe ".to_msgpack_ext" do
    forms.each do |(sec, nsec), payload|
      it "encodes #{sec} s #{nsec} ns" do
        expect(described_class.to_msgpack_ext(sec, nsec)).to be_bytes(payload)
      end
    end

    [[0, 2**30], [0, -1], [-1, 2**32], [2**34, -1], [2**34, 2**32]].each do |sec, nsec|
      it "refuses #{sec} s #{nsec} ns" do
        expect { described_class.to_msgpack_ext(sec, nsec) }.to raise_error(RangeError, "nsec #{nsec} is out of range")
      end
    end

    [2**63, -(2**63) - 1].each do |sec|
      it "refuses #{sec} s" do
        expect { described_class.to_msgpack_ext(sec, 0) }.to raise_error(RangeError, "sec #{sec} is out of range")
      end
    end

    it "refuses nil" do
      expect { described_class.to_msgpack_ext(nil, 0) }.to raise_error(NoMethodError, /undefined method [`']>=' for nil/)
      expect { described_class.to_msgpack_ext(0, nil) }.to raise_error(NoMethodError, /undefined method [`']>=' for nil/)
    end

    it "refuses Strings" do
      expect { described_class.to_msgpack_ext("1", 0) }.to raise_error(ArgumentError, "comparison of String with 0 failed")
      expect { described_class.to_msgpack_ext(0, "1") }.to raise_error(ArgumentError, "comparison of String with 0 failed")
    end

    it "refuses fractions of a nanosecond" do
      expect { described_class.to_msgpack_ext(0, 1.5) }.to raise_error(NoMethodError)
    end

    it "drops fractions of a second" do
      expect([described_class.to_msgpack_ext(1.5, 0), described_class.to_msgpack_ext(2r, 0)]).to eq([hex("00 00 00 01"), hex("00 00 00 02")])
    end

    it "takes two arguments" do
      expect { described_class.to_msgpack_ext(1) }.to raise_error(ArgumentError)
    end
  end

  describe ".from_msgpack_ext" do
    forms.each do |(sec, nsec), payload|
      it "decodes #{payload}" do
        timestamp = described_class.from_msgpack_ext(hex(payload))
        expect([timestamp.sec, timestamp.nsec]).to eq([sec, nsec])
      end
    end

    { "ff" * 8 => [2**34 - 1, 2**30 - 1], "ff" * 12 => [-1, 2**32 - 1] }.each do |payload, numbers|
      it "takes #{payload} as it is" do
        timestamp = described_class.from_msgpack_ext(hex(payload))
        expect([timestamp.sec, timestamp.nsec]).to eq(numbers)
      end
    end

    ((0..16).to_a - [4, 8, 12]).each do |size|
      it "refuses #{size} bytes" do
        expect { described_class.from_msgpack_ext("a" * size) }
          .to raise_error(MessagePack::MalformedFormatError, "Invalid timestamp data size: #{size}")
      end
    end

    { nil => "length", 1 => "length", [1, 2, 3, 4] => "unpack", :abcd => "unpack", [] => "unpack", :a => "unpack" }.each do |object, method|
      it "refuses #{object.inspect}, which has no #{method}" do
        expect { described_class.from_msgpack_ext(object) }.to raise_error(NoMethodError, /undefined method [`']#{method}' for/)
      end
    end

    it "counts characters in its message" do
      expect { described_class.from_msgpack_ext("é") }.to raise_error(MessagePack::MalformedFormatError, "Invalid timestamp data size: 1")
    end

    it "decodes by bytes whatever the encoding" do
      expect(described_class.from_msgpack_ext("éé").sec).to eq(0xc3a9c3a9)
    end

    it "makes an object of the receiver" do
      klass = Class.new(described_class)
      expect(klass.from_msgpack_ext(hex("00 00 00 01")).class).to eq(klass)
    end
  end

  describe ".new" do
    it "takes seconds and nanoseconds, both needed" do
      expect { described_class.new(1) }.to raise_error(ArgumentError)
    end

    it "checks nothing" do
      expect(described_class.new(nil, "x").nsec).to eq("x")
    end
  end

  describe "#to_msgpack_ext" do
    it "encodes the numbers" do
      expect(described_class.new(0, 1).to_msgpack_ext).to be_bytes("00 00 00 04 00 00 00 00")
    end
  end

  describe "#==" do
    it "compares the numbers" do
      expect(described_class.new(1, 2) == described_class.new(1, 2)).to be(true)
    end

    it "tells other seconds and nanoseconds" do
      expect([described_class.new(1, 2) == described_class.new(0, 2), described_class.new(1, 2) == described_class.new(1, 0)])
        .to eq([false, false])
    end

    it "tells another class" do
      expect([described_class.new(1, 2) == Class.new(described_class).new(1, 2), described_class.new(1, 2) == nil]).to eq([false, false])
    end
  end

  describe "#eql? and #hash" do
    it "are those of the object" do
      timestamp = described_class.new(1, 2)
      expect({ timestamp => 1, described_class.new(1, 2) => 2 }.size).to eq(2)
    end
  end

  it "has no writers and no to_msgpack" do
    expect(%i[sec= nsec= to_msgpack].any? { |name| described_class.method_defined?(name) }).to be(false)
  end

  it "can be registered" do
    factory = MessagePack::Factory.new
    factory.register_type(described_class::TYPE, described_class)
    expect(factory.dump(described_class.new(1, 0))).to be_bytes("d6 ff 00 00 00 01")
    expect(factory.load(hex("d6 ff 00 00 00 01"))).to eq(described_class.new(1, 0))
  end

  it "can be marshalled" do
    expect(Marshal.load(Marshal.dump(described_class.new(1, 2)))).to eq(described_class.new(1, 2))
  end
end
