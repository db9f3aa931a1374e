# frozen_string_literal: true

# Packers, unpackers and buffers stay in the Ractor that made them.
RSpec.describe "confinement to one Ractor" do
  {
    "a Packer" => [-> { MessagePack::Packer.new.write([1, 2]) }, ->(packer) { packer.to_s }, Hex.hex("92 01 02")],
    "an Unpacker" => [-> { MessagePack::Unpacker.new.feed("\x92\x01") }, ->(unpacker) { unpacker.feed("\x02").read }, [1, 2]],
    "a half-read Unpacker" => [-> { MessagePack::Unpacker.new.tap { |unpacker| unpacker.feed_each("\x92\x01") {} } }, ->(unpacker) { unpacker.feed("\x02").read }, [1, 2]],
    "an empty Unpacker" => [-> { MessagePack::Unpacker.new }, ->(unpacker) { unpacker.feed("\x05").read }, 5],
    "a Buffer" => [-> { MessagePack::Buffer.new << "ab" }, ->(buffer) { buffer.read }, "ab"],
    "an empty Buffer" => [-> { MessagePack::Buffer.new }, ->(buffer) { (buffer << "x").read }, "x"]
  }.each do |name, (make, use, content)|
    describe name do
      it "is not shareable, frozen or not" do
        object = make.call
        expect([Ractor.shareable?(object), Ractor.shareable?(object.freeze)]).to eq([false, false])
      end

      it "can not be made shareable" do
        expect { Ractor.make_shareable(make.call) }.to raise_error(Ractor::Error)
      end

      it "can not be passed to a new Ractor" do
        refused = Child.run do
          Ractors.run(make.call) { |_object| :arrived }
        rescue Ractor::Error, TypeError
          :refused
        end
        expect(refused).to eq(:refused)
      end

      it "can not be sent" do
        refused = Child.run do
          Ractors.start { Ractor.receive }.send(make.call)
          :sent
        rescue Ractor::Error, TypeError
          :refused
        end
        expect(refused).to eq(:refused)
      end

      it "can not be sent inside of something else" do
        refused = Child.run do
          Ractors.start { Ractor.receive }.send([{ "a" => make.call }])
          :sent
        rescue Ractor::Error, TypeError
          :refused
        end
        expect(refused).to eq(:refused)
      end

      it "can not be moved" do
        expect { Child.run { Ractors.start { Ractor.receive }.send(make.call, move: true) } }.to raise_error(Ractor::Error)
      end

      it "can be used on after all that" do
        left = Child.run do
          object = make.call
          ractor = Ractors.start { loop { Ractor.receive } }
          Ractors.error { ractor.send(object) }
          Ractors.error { ractor.send(object, move: true) }
          Ractors.error { Ractors.run(object) { |_object| :arrived } }
          use.call(object)
        end
        expect(left).to eq(content)
      end
    end
  end

  it "does not keep a Ractor from returning its packed data" do
    expect(Child.run { Ractors.run { MessagePack::Packer.new.write([1]).to_s } }).to be_bytes("91 01")
  end
end
