# frozen_string_literal: true

# msgpack-ruby 219 and 220: the types of subclasses of Hash, Array and String were passed over.
RSpec.describe "a subclass of a core class" do
  [Samples::SubHash[1, 2], Samples::SubArray[1], Samples::SubString.new("s")].each do |object|
    it "like #{object.class.superclass} takes its type" do
      factory = MessagePack::Factory.new
      factory.register_type(1, object.class, packer: ->(_) { "x" })
      expect(factory.dump([object, { 1 => object }])).to be_bytes("92 d4 01 78 81 01 d4 01 78")
    end
  end
end
