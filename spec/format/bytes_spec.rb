# frozen_string_literal: true

# The wire format by its table of first bytes, and through the module functions in both directions. What
# each class does with it is in spec/unit.
RSpec.describe MessagePack do
  def pack(object)
    described_class.pack(object)
  end

  def unpack(wire)
    described_class.load(wire)
  end

  # An object whose packed form starts with the byte, and what reading it gives.
  def self.first_bytes(range, name, &example)
    it "#{format('%02x', range.first)}-#{format('%02x', range.last)} is #{name}" do
      range.each { |byte| instance_exec(byte, &example) }
    end
  end

  describe "first bytes" do
    first_bytes(0x00..0x7f, "a positive fixint") do |byte|
      expect([unpack([byte].pack("C")), pack(byte)]).to eq([byte, [byte].pack("C")])
    end

    first_bytes(0x80..0x8f, "a fixmap") do |byte|
      hash = Array.new(byte - 0x80) { |i| [i, nil] }.to_h
      wire = [byte].pack("C") + hash.keys.map { |key| [key, 0xc0].pack("CC") }.join
      expect([unpack(wire), pack(hash)]).to eq([hash, wire])
    end

    first_bytes(0x90..0x9f, "a fixarray") do |byte|
      array = [nil] * (byte - 0x90)
      wire = [byte].pack("C") + ("\xc0".b * array.size)
      expect([unpack(wire), pack(array)]).to eq([array, wire])
    end

    first_bytes(0xa0..0xbf, "a fixstr") do |byte|
      string = "x" * (byte - 0xa0)
      wire = [byte].pack("C") + string
      expect([unpack(wire), unpack(wire).encoding, pack(string)]).to eq([string, Encoding::UTF_8, wire])
    end

    first_bytes(0xc0..0xc0, "nil") do |byte|
      expect([unpack([byte].pack("C")), pack(nil)]).to eq([nil, hex("c0")])
    end

    first_bytes(0xc1..0xc1, "never used") do |byte|
      expect { unpack([byte].pack("C")) }.to raise_error(MessagePack::MalformedFormatError, "invalid byte")
    end

    first_bytes(0xc2..0xc3, "false and true") do |byte|
      value = byte == 0xc3
      expect([unpack([byte].pack("C")), pack(value)]).to eq([value, [byte].pack("C")])
    end

    first_bytes(0xc4..0xc6, "bin 8, 16, 32") do |byte|
      width = %w[C n N][byte - 0xc4]
      value = unpack([byte, 3, "\xff\x00a".b].pack("C#{width}A3"))
      expect([value, value.encoding]).to eq(["\xff\x00a".b, Encoding::BINARY])
    end

    first_bytes(0xc7..0xc9, "ext 8, 16, 32") do |byte|
      width = %w[C n N][byte - 0xc7]
      value = described_class.load([byte, 3, -5, "abc"].pack("C#{width}cA3"), allow_unknown_ext: true)
      expect(value).to eq(MessagePack::ExtensionValue.new(-5, "abc"))
    end

    first_bytes(0xca..0xca, "float 32") do |byte|
      expect(unpack([byte, 1.5].pack("Cg"))).to eql(1.5)
    end

    first_bytes(0xcb..0xcb, "float 64") do |byte|
      expect([unpack([byte, 0.1].pack("CG")), pack(0.1)]).to eq([0.1, [byte, 0.1].pack("CG")])
    end

    first_bytes(0xcc..0xcf, "uint 8, 16, 32, 64") do |byte|
      width = 1 << (byte - 0xcc)
      expect(unpack([byte].pack("C") + ("\xff".b * width))).to eq((1 << (8 * width)) - 1)
    end

    first_bytes(0xd0..0xd3, "int 8, 16, 32, 64") do |byte|
      width = 1 << (byte - 0xd0)
      expect(unpack([byte, 0x80].pack("CC") + ("\x00".b * (width - 1)))).to eq(-(1 << (8 * width - 1)))
    end

    first_bytes(0xd4..0xd8, "fixext 1, 2, 4, 8, 16") do |byte|
      payload = "0123456789abcdef"[0, 1 << (byte - 0xd4)]
      wire = [byte, -1].pack("Cc") + payload
      value = MessagePack::ExtensionValue.new(-1, payload)
      expect([described_class.load(wire, allow_unknown_ext: true), pack(value)]).to eq([value, wire])
    end

    first_bytes(0xd9..0xdb, "str 8, 16, 32") do |byte|
      width = %w[C n N][byte - 0xd9]
      value = unpack([byte, 3, "a\u00e9"].pack("C#{width}a3"))
      expect([value, value.encoding]).to eq(["a\u00e9", Encoding::UTF_8])
    end

    first_bytes(0xdc..0xdd, "array 16, 32") do |byte|
      width = %w[n N][byte - 0xdc]
      expect(unpack([byte, 2, 7, 8].pack("C#{width}CC"))).to eq([7, 8])
    end

    first_bytes(0xde..0xdf, "map 16, 32") do |byte|
      width = %w[n N][byte - 0xde]
      expect(unpack([byte, 1, 7, 8].pack("C#{width}CC"))).to eq({ 7 => 8 })
    end

    first_bytes(0xe0..0xff, "a negative fixint") do |byte|
      expect([unpack([byte].pack("C")), pack(byte - 256)]).to eq([byte - 256, [byte].pack("C")])
    end
  end

  describe "which of them a packer writes" do
    # Values at every boundary, so every form that a packer has.
    def written
      scalars = Boundaries::INTEGERS.keys + Boundaries::FLOATS.keys + [nil, true, false]
      strings = Boundaries::STR.keys.map { |size| "x" * size } + Boundaries::BIN.keys.map { |size| "x".b * size }
      containers = Boundaries::ARRAY.keys.map { |count| [nil] * count } +
                   Boundaries::MAP.keys.map { |count| Array.new(count) { |i| [i, nil] }.to_h }
      exts = Boundaries::EXT.keys.map { |size| MessagePack::ExtensionValue.new(5, "x" * size) }
      (scalars + strings + containers + exts).map { |value| pack(value).getbyte(0) }.uniq
    end

    it "is all but c1 and float 32", gc_stress: false do
      expect((0xc0..0xdf).to_a - written).to eq([0xc1, 0xca])
    end
  end

  describe "both directions" do
    {
      "integer" => Boundaries::INTEGERS,
      "float" => Boundaries::FLOATS
    }.each do |name, table|
      table.each do |value, wire|
        it "#{name} #{value} is #{wire}" do
          expect([pack(value), unpack(hex(wire))]).to eql([hex(wire), value])
        end
      end
    end

    Boundaries::STR.each do |size, head|
      it "str of #{size} bytes is #{head} ..." do
        value = "x" * size
        expect([pack(value), unpack(hex(head) + value)]).to eq([hex(head) + value, value])
      end
    end

    Boundaries::BIN.each do |size, head|
      it "bin of #{size} bytes is #{head} ..." do
        value = "\xff".b * size
        expect([pack(value), unpack(hex(head) + value)]).to eq([hex(head) + value, value])
      end
    end

    Boundaries::RAW.each do |size, head|
      it "raw of #{size} bytes is #{head} ..." do
        value = "x" * size
        expect(described_class.pack(value, compatibility_mode: true)).to eq(hex(head) + value)
      end
    end

    Boundaries::ARRAY.each do |count, head|
      it "array of #{count} is #{head} ...", gc_stress: count <= 100 do
        value = [1] * count
        wire = hex(head) + ("\x01" * count)
        expect([pack(value), unpack(wire)]).to eq([wire, value])
      end
    end

    Boundaries::MAP.each do |count, head|
      it "map of #{count} is #{head} ...", gc_stress: count <= 100 do
        value = Array.new(count) { |i| [i.to_s, true] }.to_h
        wire = hex(head) + value.keys.map { |key| [0xa0 + key.size, key, 0xc3].pack("Ca*C") }.join
        expect([pack(value), unpack(wire)]).to eq([wire, value])
      end
    end

    Boundaries::EXT.each do |size, head|
      it "ext of #{size} bytes is #{head} ..." do
        value = MessagePack::ExtensionValue.new(5, "x" * size)
        wire = hex(head) + ("x" * size)
        expect([pack(value), described_class.load(wire, allow_unknown_ext: true)]).to eq([wire, value])
      end
    end
  end

  describe "floats" do
    it "keep every bit", gc_stress: false do
      random = Random.new(RSpec.configuration.seed)
      values = Array.new(2000) { random.bytes(8).unpack1("G") }.reject(&:nan?)
      expect(values.map { |value| unpack(pack(value)) }).to eq(values)
      expect(values.map { |value| pack(value) }).to eq(values.map { |value| [0xcb, value].pack("CG") })
    end
  end

  describe "integers" do
    it "of every magnitude come back" do
      values = (0..64).flat_map { |bits| [-1, 0, 1].flat_map { |more| [2**bits + more, -(2**bits) + more] } }
      values.select! { |value| value.between?(-(2**63), (2**64) - 1) }
      expect(values.map { |value| unpack(pack(value)) }).to eql(values)
    end
  end
end
