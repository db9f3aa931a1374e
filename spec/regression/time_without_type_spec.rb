# frozen_string_literal: true

# msgpack-ruby 30, 168 and 353: a Time can not be packed unless the application says how.
RSpec.describe "a Time" do
  it "is refused by default, with the object in the error" do
    time = Time.at(0)
    expect { MessagePack.pack([time]) }.to raise_error(NoMethodError, /to_msgpack/) { |error| expect(error.receiver).to equal(time) }
  end

  it "is read back once it is registered" do
    factory = MessagePack::Factory.new
    factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
    expect(factory.load(factory.dump([Time.at(1, 5, :nsec)]))).to eq([Time.at(1, 5, :nsec)])
  end
end
