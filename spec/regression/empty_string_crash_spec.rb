# frozen_string_literal: true

# msgpack-ruby 369: {"x" => ""} with freeze: true ended the process: the empty string had no address.
RSpec.describe "an empty string" do
  { "a value" => ["81 a1 78 a0", { "x" => "" }], "a key" => ["81 a0 01", { "" => 1 }], "a binary value" => ["81 a1 78 c4 00", { "x" => "" }],
    "a binary key" => ["81 c4 00 01", { "" => 1 }], "the only object" => ["a0", ""] }.each do |place, (bytes, object)|
    [{ freeze: true }, { freeze: true, key_cache: true }, { key_cache: true }, {}].each do |options|
      it "can be #{place} with #{options}" do
        expect(Child.run { MessagePack.unpack(hex(bytes), options) }).to eq(object)
      end
    end
  end
end
