# frozen_string_literal: true

# msgpack-ruby 336: an id that is no machine word ran into an assertion.
RSpec.describe "an ext id that is no machine word" do
  {
    "Factory#register_type" => -> { MessagePack::Factory.new.register_type(2**80, Samples::Wrap) },
    "Packer#register_type" => -> { MessagePack::Packer.new.register_type(2**80, Samples::Wrap, :value) },
    "Unpacker#register_type" => -> { MessagePack::Unpacker.new.register_type(2**80) {} },
    "Packer#write_ext" => -> { MessagePack::Packer.new.write_ext(2**80, "") },
    "an ExtensionValue" => -> { MessagePack.pack(MessagePack::ExtensionValue.new(2**80, "")) }
  }.each do |name, call|
    it "is refused by #{name}" do
      expect { Child.run(&call) }.to raise_error(RangeError)
    end
  end
end
