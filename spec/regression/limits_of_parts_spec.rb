# frozen_string_literal: true

# Limits were for `read` alone: a header was read, and an ext proc read its payload, as if there were none. Eight
# bytes then made an Array of 268 million places where a proc trusted the header.
RSpec.describe "limits" do
  # A list as docs/ext-types.md has a Set: the header first, then as many elements.
  def list_factory(type_id = 3)
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(type_id, Samples::Wrap, recursive: true, packer: ->(list, packer) { packer.write(list.value) },
                                                    unpacker: ->(unpacker) { Samples::Wrap.new(Array.new(unpacker.read_array_header) { unpacker.read }) })
    end
  end

  # What the proc reads is all that is in the payload, as if there were no container.
  def sequence_factory
    MessagePack::Factory.new.tap do |factory|
      factory.register_type(4, Samples::Wrap, recursive: true, packer: ->(_, _) {}, unpacker: ->(unpacker) { unpacker.each.to_a })
    end
  end

  # An ext of type 4 around a payload.
  def sequence(payload)
    [0xc8, payload.bytesize, 4].pack("CnC") + payload
  end

  describe "of header reads" do
    {
      "max_array_length" => [:read_array_header, { max_array_length: 3 }, "93", "94"],
      "max_array_length, in a long header" => [:read_array_header, { max_array_length: 3 }, "dc 00 03", "dd ff ff ff ff"],
      "max_map_length" => [:read_map_header, { max_map_length: 3 }, "83", "84"],
      "max_map_length, in a long header" => [:read_map_header, { max_map_length: 3 }, "de 00 03", "df ff ff ff ff"],
      "max_total_objects of an array" => [:read_array_header, { max_total_objects: 4 }, "93", "94"],
      "max_total_objects of a map" => [:read_map_header, { max_total_objects: 7 }, "83", "84"],
      "max_total_objects of a map whose count times two does not fit 32 bits" => [:read_map_header, { max_total_objects: 7 }, "83", "df 80 00 00 00"]
    }.each do |name, (method, limits, within, over)|
      it "hold for #{name}" do
        expect(MessagePack::Unpacker.new(limits).feed(hex(within)).public_send(method)).to eq(3)
        expect { MessagePack::Unpacker.new(limits).feed(hex(over)).public_send(method) }
          .to raise_error(MessagePack::LimitError, /\A#{name[/\A\w+/]}: /) { |error| expect(error.offset).to eq(0) }
      end
    end

    it "refuse without consuming" do
      unpacker = MessagePack::Unpacker.new(max_array_length: 1).feed(hex("92 01 02"))
      2.times { expect { unpacker.read_array_header }.to raise_error(MessagePack::LimitError) }
      expect(unpacker.buffer.to_s).to be_bytes("92 01 02")
    end

    it "begin anew with each header of a stream" do
      unpacker = MessagePack::Unpacker.new(max_total_objects: 4).feed(hex("93") * 10)
      expect(Array.new(10) { unpacker.read_array_header }).to eq([3] * 10)
    end
  end

  describe "in a recursive ext proc" do
    it "hold for the header before anything is made of it" do
      expect { list_factory.load(hex("c7 05 03 dd 0f ff ff ff"), max_array_length: 10) }.to raise_error(MessagePack::LimitError, /\Amax_array_length: /)
    end

    it "count what the header announces" do
      expect { list_factory.load(hex("c7 05 03 dd 0f ff ff ff"), max_total_objects: 10) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: /)
    end

    it "count all reads of one proc together" do
      bytes = sequence(hex("92 01 01") * 10)
      expect(sequence_factory.load(bytes, max_total_objects: 100)).to eq([[1, 1]] * 10)
      expect { sequence_factory.load(bytes, max_total_objects: 10) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: /)
    end

    it "count single bytes, too" do
      expect { sequence_factory.load(sequence(hex("01") * 50), max_total_objects: 10) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: /)
    end

    it "count one proc's reads with the next one's" do
      bytes = hex("dc 00 05") + sequence(hex("01 01 01 01")) * 5
      expect(sequence_factory.load(bytes, max_total_objects: 100)).to eq([[1] * 4] * 5)
      expect { sequence_factory.load(bytes, max_total_objects: 15) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: /)
    end

    it "count what is nested with what is around it" do
      bytes = sequence(hex("01 01 01"))
      4.times { bytes = sequence(hex("01 01 01") + bytes) }
      expect(sequence_factory.load(bytes, max_total_objects: 100).flatten).to eq([1] * 15)
      expect { sequence_factory.load(bytes, max_total_objects: 12) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: /)
    end

    it "count what stands behind the ext" do
      bytes = hex("96") + sequence(hex("01") * 10) + hex("91 01") * 5
      expect(sequence_factory.load(bytes, max_total_objects: 100)).to eq([[1] * 10] + [[1]] * 5)
      expect { sequence_factory.load(bytes, max_total_objects: 19) }.to raise_error(MessagePack::LimitError, /\Amax_total_objects: /)
    end

    it "begin anew with the next object of a stream" do
      unpacker = sequence_factory.unpacker(max_total_objects: 15)
      10.times { unpacker.feed(sequence(hex("01") * 10)) }
      expect(unpacker.each.to_a).to eq([[1] * 10] * 10)
    end
  end
end
