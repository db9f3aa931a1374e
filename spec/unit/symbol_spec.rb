# frozen_string_literal: true

RSpec.describe Symbol do
  describe "#to_msgpack_ext" do
    it "is the name" do
      expect(:abc.to_msgpack_ext).to eq("abc")
    end

    it "is frozen" do
      expect(:abc.to_msgpack_ext.frozen?).to be(true)
    end

    it "keeps the encoding" do
      expect("é".encode("ISO-8859-1").to_sym.to_msgpack_ext.encoding).to eq(Encoding::ISO_8859_1)
    end
  end

  describe ".from_msgpack_ext" do
    it "makes a Symbol" do
      expect(described_class.from_msgpack_ext(hex("61 62 63"))).to eq(:abc)
    end

    it "makes the empty Symbol" do
      expect(described_class.from_msgpack_ext(+"")).to eq(:"")
    end

    it "takes UTF-8" do
      expect(described_class.from_msgpack_ext(hex("c3 a9"))).to eq(:é)
    end

    it "makes a binary Symbol of other bytes" do
      symbol = described_class.from_msgpack_ext(hex("ff"))
      expect([symbol.encoding, symbol.name]).to eq([Encoding::BINARY, hex("ff")])
    end

    it "sets the encoding of the payload" do
      payload = hex("c3 a9")
      described_class.from_msgpack_ext(payload)
      expect(payload.encoding).to eq(Encoding::UTF_8)
    end

    it "refuses what is no String" do
      [nil, 1, :abc].each do |object|
        expect { described_class.from_msgpack_ext(object) }.to raise_error(NoMethodError, /undefined method [`']force_encoding' for/)
      end
    end

    it "refuses a frozen payload" do
      expect { described_class.from_msgpack_ext("abc") }.to raise_error(FrozenError)
    end
  end
end
