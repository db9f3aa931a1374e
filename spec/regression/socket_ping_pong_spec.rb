# frozen_string_literal: true

require "socket"

# msgpack-ruby 9: two sides of a socket waited for each other, as one of them wanted more than it needed.
RSpec.describe "an unpacker on a socket" do
  it "reads one object at a time, as it comes" do
    answers = Child.run(20) do
      client, server = UNIXSocket.pair
      echo = Thread.new do
        packer = MessagePack::Packer.new(server)
        MessagePack::Unpacker.new(server).each { |object| packer.write([object]).flush }
      end
      packer = MessagePack::Packer.new(client)
      unpacker = MessagePack::Unpacker.new(client)
      answers = [1, "x" * 5000, { "a" => nil }, ["y" * 100_000]].map { |object| packer.write(object).flush && unpacker.read }
      client.close_write
      echo.join
      answers
    end
    expect(answers).to eq([[1], ["x" * 5000], [{ "a" => nil }], [["y" * 100_000]]])
  end
end
