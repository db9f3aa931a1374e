# frozen_string_literal: true

# ormsgpack 64 and 76: the type for big integers also took numbers that fit the format. -2**63 is the one that it
# takes here too: the C gem writes it so.
RSpec.describe "a type for oversized integers" do
  [2**63 - 1, 2**63, 2**64 - 1, -(2**63) + 1, 0, -1].each do |number|
    it "does not take #{number}" do
      factory = MessagePack::Factory.new
      factory.register_type(1, Integer, packer: ->(_) { raise "called" }, oversized_integer_extension: true)
      expect(factory.dump(number)).to eq(MessagePack.pack(number))
    end
  end
end
