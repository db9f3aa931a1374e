# frozen_string_literal: true

# msgpack-ruby 190, 191 and 230: each map brought its own copy of every key.
RSpec.describe "keys of maps" do
  [{}, { key_cache: true }, { freeze: true }].each do |options|
    it "are one String in all maps with #{options}" do
      maps = MessagePack.unpack(hex("92 81 a3 61 62 63 01 81 a3 61 62 63 02"), options)
      expect(maps[0].keys[0]).to equal(maps[1].keys[0])
      expect(maps[0].keys[0]).to equal(-"abc")
    end
  end
end
