# frozen_string_literal: true

# msgpack-ruby 131 and 132: the type of a module was not found for an object that is extended with it.
RSpec.describe "an object extended with a module" do
  it "takes the type of the module" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Tag, packer: :to_msgpack_ext)
    expect(factory.dump([Object.new.extend(Samples::Tag), (+"x").extend(Samples::Tag)])).to be_bytes("92 c7 03 01 74 61 67 c7 03 01 74 61 67")
  end

  it "does not make others of its class take it" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Tag, packer: :to_msgpack_ext)
    packer = factory.packer.write(Samples::Wrap.new.extend(Samples::Tag))
    expect { packer.write(Samples::Wrap.new) }.to raise_error(NoMethodError, /to_msgpack/)
  end
end
