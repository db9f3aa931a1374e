# frozen_string_literal: true

# fluent-logger 0.5.11: long strings that are not binary raised Encoding::CompatibilityError on their way to an io.
RSpec.describe "a long String" do
  it "goes to an io after binary data, and before" do
    io = StringIO.new(String.new)
    long = "é" * 400_000
    MessagePack::Packer.new(io).write(["\xff".b, long, "\xfe".b * 600_000, "é"]).flush
    expect(MessagePack.unpack(io.string)).to eq(["\xff".b, long, "\xfe".b * 600_000, "é"])
  end
end
