# frozen_string_literal: true

# msgpack-ruby 397: recursive types did not count towards the limit of 128 levels; a small payload ended the process.
RSpec.describe "nested recursive types" do
  # As many exts of type 1 around a nil.
  def nested(count)
    (1..count).inject(hex("c0")) do |inner, _|
      head = inner.bytesize < 256 ? [0xc7, inner.bytesize, 1].pack("CCc") : [0xc9, inner.bytesize, 1].pack("CNc")
      head + inner
    end
  end

  let(:factory) do
    MessagePack::Factory.new.tap { |factory| factory.register_type(1, Samples::Wrap, recursive: true, packer: ->(wrap, packer) { packer.write(wrap.value) }, unpacker: ->(unpacker) { unpacker.read }) }
  end

  it "may be 128" do
    expect(Child.run { factory.load(nested(128)) }).to be_nil
  end

  [129, 20_000].each do |count|
    it "may not be #{count}" do
      expect { Child.run { factory.load(nested(count)) } }.to raise_error(MessagePack::StackError, "stack level too deep")
    end
  end

  # Ruby 3.3 and 3.4 leave a Fiber less of its stack: 128 frames of a whole decoder each were too much.
  it "may be 128 on a Fiber with a seventh less than the usual stack" do
    script = <<~RUBY
      require "msgpack"
      factory = MessagePack::Factory.new
      factory.register_type(1, Object, recursive: true, unpacker: ->(unpacker) { unpacker.read })
      Fiber.new { print(factory.load($stdin.binmode.read).inspect) }.resume
    RUBY
    output = IO.popen([{ "RUBY_FIBER_MACHINE_STACK_SIZE" => "440000" }, RbConfig.ruby, *$LOAD_PATH.map { |folder| "-I#{folder}" }, "-e", script], "r+b") do |io|
      io.write(nested(128))
      io.close_write
      io.read
    end
    expect(output).to eq("nil".b)
  end

  # A read inside a proc begins with room for few levels, and goes on with more when it meets them.
  describe "with containers inside" do
    let(:unpacker) { factory.unpacker }

    def containers(levels)
      (1...levels).inject([1]) { |inner, i| i.odd? ? { "k" => inner, 2 => "v" } : [0, inner, nil] }
    end

    def read_bytewise(wire)
      wire.each_char.flat_map { |byte| unpacker.feed_each(byte).to_a }
    end

    [*14..19, 31, 64, 127].each do |levels|
      it "may have #{levels} levels, in whatever pieces" do
        object = containers(levels)
        wire = factory.dump(Samples::Wrap.new(object))
        expect([factory.load(wire), *read_bytewise(wire * 2)]).to eq([object] * 3)
      end
    end

    it "may not have 128 levels" do
      wire = factory.dump(Samples::Wrap.new(containers(128)))
      expect { factory.load(wire) }.to raise_error(MessagePack::StackError)
      expect { read_bytewise(wire) }.to raise_error(MessagePack::StackError)
    end

    # 1 for the ext; each level but the last has four objects in an Array with itself, or five in a map.
    [16, 17, 18, 40].each do |levels|
      it "count each object of #{levels} levels once towards a limit" do
        objects = 2 + (1...levels).sum { |i| i.odd? ? 4 : 3 } + 1
        wire = factory.dump(Samples::Wrap.new(containers(levels)))
        expect(factory.load(wire, max_total_objects: objects)).to eq(containers(levels))
        expect { factory.load(wire, max_total_objects: objects - 1) }.to raise_error(MessagePack::LimitError)
      end
    end
  end
end
