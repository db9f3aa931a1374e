# frozen_string_literal: true

# msgpack-ruby 392: one process-wide pool of memory pages served all buffers, and its bookkeeping was not safe
# with Ractors: pages were given out twice.
RSpec.describe "buffers of several Ractors" do
  it "never show each other's bytes" do
    wrong = Child.run(120) do
      Ractors.run_many(3) do |number|
        (1..300).count do |round|
          packers = Array.new(5) { |index| MessagePack::Packer.new.write((number * 10 + index).to_s * (round + 500)) }
          packers.each_with_index.any? { |packer, index| MessagePack.unpack(packer.full_pack) != (number * 10 + index).to_s * (round + 500) }
        end
      end
    end
    expect(wrong).to eq([0, 0, 0])
  end
end
