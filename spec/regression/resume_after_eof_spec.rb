# frozen_string_literal: true

# msgpack-ruby 157: after EOFError the unpacker forgot where it was, and read the rest as another object.
RSpec.describe "Unpacker#read after EOFError" do
  it "goes on where it stood, wherever that was" do
    object = { "fit" => true, "list" => [1, [2.5, nil], { "k" => "v" * 40 }], "big" => 2**40, "raw" => "\xff".b }
    data = MessagePack.pack(object)
    results = (1...data.bytesize).map do |cut|
      unpacker = MessagePack::Unpacker.new.feed(data[0, cut])
      Ractors.error { unpacker.read } == [EOFError, "end of buffer reached"] && unpacker.feed(data[cut..]).read
    end
    expect(results.uniq).to eq([object])
  end
end
