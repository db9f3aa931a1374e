# frozen_string_literal: true

# msgpack-ruby 113: small numbers in long forms, which other libraries write, have to be read.
RSpec.describe "a form that is longer than needed" do
  {
    "cc 01" => 1, "cd 00 01" => 1, "ce 00 00 00 01" => 1, "cf 00 00 00 00 00 00 00 01" => 1,
    "d0 01" => 1, "d1 00 01" => 1, "d2 00 00 00 01" => 1, "d3 00 00 00 00 00 00 00 01" => 1, "d3 ff ff ff ff ff ff ff ff" => -1,
    "d9 01 61" => "a", "da 00 01 61" => "a", "db 00 00 00 01 61" => "a",
    "dc 00 01 05" => [5], "dd 00 00 00 01 05" => [5], "de 00 01 05 06" => { 5 => 6 }, "df 00 00 00 01 05 06" => { 5 => 6 }
  }.each do |bytes, object|
    it "like #{bytes} is read" do
      expect(MessagePack.unpack(hex(bytes))).to eq(object)
    end
  end
end
