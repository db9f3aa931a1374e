# frozen_string_literal: true

RSpec.describe MessagePack::Time do
  subject(:factory) do
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(-1, Time, packer: described_class::Packer, unpacker: described_class::Unpacker)
    end
  end

  it "is a module" do
    expect(described_class.class).to eq(Module)
  end

  it "says that Time.at takes nanoseconds" do
    expect(described_class::TIME_AT_3_AVAILABLE).to be(true)
  end

  it "is not registered by default" do
    expect { MessagePack.pack(Time.at(0)) }.to raise_error(NoMethodError, /to_msgpack/)
  end

  %i[Packer Unpacker].each do |name|
    describe "#{described_class}::#{name}" do
      it "is a lambda of one argument" do
        callable = described_class.const_get(name)
        expect([callable.lambda?, callable.arity]).to eq([true, 1])
      end

      it "is shareable" do
        expect(Ractor.shareable?(described_class.const_get(name))).to be(true)
      end
    end
  end

  {
    Time.at(1) => "d6 ff 00 00 00 01",
    Time.at(1, 5, :nsec) => "d7 ff 00 00 00 14 00 00 00 01",
    Time.at(2**32) => "d7 ff 00 00 00 01 00 00 00 00",
    Time.at(2**34) => "c7 0c ff 00 00 00 00 00 00 00 04 00 00 00 00",
    Time.at(-3r / 2) => "c7 0c ff 1d cd 65 00 ff ff ff ff ff ff ff fe"
  }.each do |time, bytes|
    it "packs #{time.utc.strftime('%F %T.%9N')}" do
      expect(factory.dump(time)).to be_bytes(bytes)
    end

    it "unpacks #{bytes}" do
      expect(factory.load(hex(bytes))).to eq(time)
    end
  end

  [[2**63 - 1, 0], [2**63 - 1, 2**32 - 1], [-(2**63), 0], [-(2**63), 2**32 - 1], [-1, 10**9], [2**34, 10**9 - 1]].each do |sec, nsec|
    it "gives what Time.at gives for #{sec} s #{nsec} ns" do
      time = described_class::Unpacker.call([nsec, sec].pack("L>q>"))
      expect([time, time.nsec, time.inspect]).to eq([Time.at(sec, nsec, :nsec), Time.at(sec, nsec, :nsec).nsec, Time.at(sec, nsec, :nsec).inspect])
    end
  end

  it "packs what has the numbers of a Time" do
    expect(described_class::Packer.call(Struct.new(:tv_sec, :tv_nsec).new(1, 0))).to be_bytes("00 00 00 01")
  end

  it "keeps nanoseconds" do
    expect(factory.load(factory.dump(Time.at(1, 999_999_999, :nsec))).nsec).to eq(999_999_999)
  end

  it "drops what is less than a nanosecond" do
    expect(factory.load(factory.dump(Time.at(1, 1.5r, :nsec)))).to eq(Time.at(1, 1, :nsec))
  end

  it "gives local times" do
    local = factory.load(factory.dump(Time.at(1).getlocal("+05:00")))
    expect([local.utc?, local.utc_offset]).to eq([false, Time.at(1).utc_offset])
  end

  it "takes subclasses of Time" do
    expect(factory.dump(Class.new(Time).at(1))).to be_bytes("d6 ff 00 00 00 01")
  end

  it "refuses payloads of other sizes" do
    expect { factory.load(hex("d4 ff 01")) }
      .to raise_error(MessagePack::MalformedFormatError, "Invalid timestamp data size: 1")
  end

  it "refuses seconds beyond 64 bits" do
    expect { factory.dump(Time.at(2**63)) }.to raise_error(RangeError, "sec #{2**63} is out of range")
  end
end
