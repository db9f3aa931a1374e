# frozen_string_literal: true

# fluentd 2559 and 3406: an unpacker that had served one stream mixed its rest into the next one.
RSpec.describe "Unpacker#reset" do
  {
    "half an array" => "93 01", "half a map" => "82 a1 61", "half a string" => "aa 61 62", "half a number" => "ce 00", "half a header" => "dd 00 00",
    "half an ext" => "c7 09 01 61", "whole objects" => "01 02 03", "what was left after an error" => "92 c1 05"
  }.each do |name, bytes|
    it "forgets #{name}" do
      unpacker = MessagePack::Unpacker.new(allow_unknown_ext: true)
      unpacker.feed(hex(bytes))
      unpacker.read rescue nil
      unpacker.reset
      objects = []
      unpacker.feed_each(hex("07 91 08")) { |object| objects << object }
      expect(objects).to eq([7, [8]])
    end
  end
end
