# frozen_string_literal: true

# A Hash asks large Integers and Floats by `eql?`, which anyone can redefine. It was called while the decoder looked at
# the source's memory: what emptied the source there had freed memory decoded, and what raised kept the unpacker where
# it was, for ever.
RSpec.describe "a map with keys whose methods are redefined" do
  keys = {
    "Integer" => ["cf ff ff ff ff ff ff ff ff", 2**64 - 1],
    "negative Integer" => ["d3 80 00 00 00 00 00 00 00", -2**63],
    "Float" => ["cb 7f ef ff ff ff ff ff ff", Float::MAX]
  }

  # [{ key => 1, key => 2 }, "z" * 65535, 5]
  def message(key)
    hex("93 82 #{key} 01 #{key} 02 da ff ff") + "z" * 65_535 + hex("05")
  end

  # A Hash compares Floats without `eql?` as long as `==` is the original.
  def redefine(key, method, &body)
    verbose, $VERBOSE = $VERBOSE, nil # Ruby would warn
    equal = key.class.instance_method(:==)
    key.class.define_method(:==) { |other| equal.bind_call(self, other) } if key.is_a?(Float)
    key.class.define_method(method, &body)
    $VERBOSE = verbose
  end

  keys.each do |name, (bytes, key)|
    it "can empty the source when it is #{name}" do
      map, text, last, calls = Child.run do
        source = message(bytes)
        calls = 0
        filling = nil
        redefine(key, :eql?) do |_other|
          calls += 1
          source.clear
          # Others may get the memory that the source had.
          filling ||= Array.new(50) { "Q" * 65_700 }
          true
        end
        result = MessagePack.unpack(source)
        [result[0].to_a, result[1].tr("z", ""), result[2], calls]
      end
      expect([map, text, last]).to eq([[[key, 2]], "", 5])
      expect(calls).to be > 0
    end

    it "can reset its unpacker when it is #{name}" do
      results = Child.run do
        unpacker = MessagePack::Unpacker.new.feed(message(bytes))
        redefine(key, :eql?) do |_other|
          unpacker.reset
          true
        end
        [Ractors.error { unpacker.read }, unpacker.feed(hex("91 07")).read]
      end
      expect(results).to eq([[EOFError, "end of buffer reached"], [7]])
    end

    it "can feed its unpacker and read from it when it is #{name}" do
      results = Child.run do
        unpacker = MessagePack::Unpacker.new.feed(message(bytes))
        inner = nil
        redefine(key, :eql?) do |_other|
          inner = unpacker.feed("\x07").read
          true
        end
        unpacker.read.then { |object| [object[0].to_a, object[1], inner.size] }
      end
      # The key's method reads the string; the 5 behind it takes its place, and the 7 that of the 5.
      expect(results).to eq([[[key, 2]], 5, 65_535])
    end

    it "can raise when it is #{name}, and the unpacker goes on behind the pair" do
      results = Child.run do
        unpacker = MessagePack::Unpacker.new.feed(message(bytes)).feed("\x07")
        redefine(key, :eql?) { |_other| raise "boom" }
        [Ractors.error { unpacker.read }, unpacker.read.size, unpacker.read, unpacker.read]
      end
      expect(results).to eq([[RuntimeError, "boom"], 65_535, 5, 7])
    end

    it "can throw when it is #{name}, and the unpacker goes on behind the pair" do
      results = Child.run do
        unpacker = MessagePack::Unpacker.new.feed(message(bytes)).feed("\x07")
        redefine(key, :eql?) { |_other| throw :out, :thrown }
        [catch(:out) { unpacker.read }, unpacker.read.size, unpacker.read, unpacker.read]
      end
      expect(results).to eq([:thrown, 65_535, 5, 7])
    end

    it "can empty the source by hash when it is #{name}" do
      pairs, text = Child.run do
        source = message(bytes)
        original = key.class.instance_method(:hash)
        redefine(key, :hash) do
          source.clear
          original.bind_call(self)
        end
        result = MessagePack.unpack(source)
        [result[0].to_a, result[1].tr("z", "")]
      end
      expect([pairs, text]).to eq([[[key, 2]], ""])
    end
  end
end
