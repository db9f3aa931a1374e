# frozen_string_literal: true

# msgpack-ruby 396: freeze: true cost time on what is frozen anyway. No object is asked to freeze itself.
RSpec.describe "freeze: true" do
  it "does not call the freeze of an object" do
    asked = false
    klass = Class.new { define_method(:freeze) { (asked = true) && super() } }
    unpacker = MessagePack::Unpacker.new(freeze: true)
    unpacker.register_type(1) { klass.new }
    expect(unpacker.feed(hex("92 d4 01 61 05")).read[0].frozen?).to be(true)
    expect(asked).to be(false)
  end
end
