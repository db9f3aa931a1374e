# frozen_string_literal: true

# Calls of further programs, each as its source has them.
RSpec.describe "the calls of" do
  describe "fluent-logger" do
    it "packs with one packer for life, and falls back to JSON for what can not be packed" do
      packer = MessagePack::Packer.new
      pack = lambda do |message|
        packer.pack(message).to_s
      rescue NoMethodError
        packer.clear
        ["json", message.map(&:to_s)].to_msgpack
      ensure
        packer.clear
      end
      expect(pack.call(["tag", 1, { "a" => 1 }])).to be_bytes("93 a3 74 61 67 01 81 a1 61 01")
      expect(MessagePack.unpack(pack.call(["tag", Time.at(0).utc]))).to eq(["json", ["tag", "1970-01-01 00:00:00 UTC"]])
      expect(pack.call([2])).to be_bytes("91 02")
    end
  end

  describe "puppet" do
    it "passes the arguments of to_msgpack on" do
      klass = Class.new { def to_msgpack(*arguments) = { "name" => "é" }.to_msgpack(*arguments) }
      expect(MessagePack.unpack([klass.new, klass.new].to_msgpack)).to eq([{ "name" => "é" }] * 2)
      expect(klass.new.to_msgpack).to be_bytes("81 a4 6e 61 6d 65 a2 c3 a9")
    end
  end

  describe "dynflow" do
    it "packs into a String" do
      klass = Class.new do
        def to_msgpack(out = +"")
          MessagePack.pack("packed", out)
          out
        end
      end
      expect(klass.new.to_msgpack).to eq("\xa6packed".b)
    end

    it "registers types on the default factory" do
      result = Child.run do
        MessagePack::DefaultFactory.register_type(0x00, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
        MessagePack.unpack({ "t" => Time.at(1) }.to_msgpack)
      end
      expect(result).to eq({ "t" => Time.at(1) })
    end
  end

  describe "async-bus" do
    it "has a subclass of Factory with types that know the connection" do
      objects = { "name" => [:object] }
      wrapper = Class.new(MessagePack::Factory) do
        def initialize(connection)
          super()
          register_type(0x01, Samples::Wrap, packer: :value, unpacker: connection.method(:[]))
          register_type(0x02, Symbol)
          register_type(0x03, Exception, recursive: true,
                                         packer: ->(error, packer) { packer.write(error.class.name).write(error.message) },
                                         unpacker: ->(unpacker) { Object.const_get(unpacker.read).new(unpacker.read) })
          register_type(0x04, Class, packer: :name, unpacker: Object.method(:const_get))
        end
      end
      bus = wrapper.new(objects)
      error = bus.load(bus.dump(ArgumentError.new("bad")))
      expect([error.class, error.message]).to eq([ArgumentError, "bad"])
      expect(bus.load(bus.dump([Samples::Wrap.new("name"), :sym, String]))).to eq([[:object], :sym, String])
    end

    it "reads a message of unknown length from a socket" do
      io = StringIO.new(hex("93 01 a1 61 c0"))
      unpacker = MessagePack::Factory.new.unpacker(io)
      expect(Array.new(unpacker.read_array_header) { unpacker.read }).to eq([1, "a", nil])
    end
  end

  describe "ably" do
    it "rescues what a body that is no MessagePack raises" do
      errors = ["\xc1", "\xd4\x05a", "not msgpack"].map do |body|
        MessagePack.unpack(body)
      rescue MessagePack::UnknownExtTypeError, MessagePack::MalformedFormatError => error
        error.class
      end
      expect(errors).to eq([MessagePack::MalformedFormatError, MessagePack::UnknownExtTypeError, MessagePack::MalformedFormatError])
    end
  end

  describe "agents and Serf clients" do
    it "collect bytes in a Buffer" do
      buffer = MessagePack::Buffer.new
      buffer << { "Command" => "handshake" }.to_msgpack << [1].to_msgpack
      io = StringIO.new(String.new)
      expect(buffer.size).to eq(21)
      expect(buffer.to_str).to eq({ "Command" => "handshake" }.to_msgpack + [1].to_msgpack)
      expect(buffer.write_to(io)).to eq(21)
      expect([buffer.empty?, io.string.bytesize]).to eq([true, 21])
    end
  end

  describe "Metasploit's RPC client" do
    it "sends arguments and reads a binary body" do
      body = ["auth.login", "user", "pass"].to_msgpack
      expect(MessagePack.unpack(body.b)).to eq(["auth.login", "user", "pass"])
    end
  end

  describe "applications with the default factory" do
    it "look for a free id" do
      free = Child.run do
        MessagePack::DefaultFactory.register_type(0, Symbol)
        MessagePack::DefaultFactory.register_type(1, Samples::Wrap)
        (0..127).find { |type| MessagePack::DefaultFactory.registered_types.none? { |entry| entry[:type] == type } }
      end
      expect(free).to eq(2)
    end
  end
end
