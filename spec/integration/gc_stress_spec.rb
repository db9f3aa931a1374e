# frozen_string_literal: true

# Types, pools and values with a garbage collection at every chance. In a new process: the heap of the suite would make
# each collection a hundred times as long.
RSpec.describe "with a garbage collection at every chance" do
  def stressed(code)
    Child.ruby(<<~RUBY, "-r", File.join(__dir__, "../support/samples"), seconds: 300)
      require "msgpack"
      require "msgpack/bigint"
      Wrap = Samples::Wrap
      GC.stress = true
      result = begin
        #{code}
      end
      GC.stress = false
      p result
    RUBY
  end

  it "types of every kind are registered, used and listed" do
    output = stressed(<<~'RUBY')
      factory = MessagePack::Factory.new
      factory.register_type(0, Symbol)
      factory.register_type(1, Wrap)
      factory.register_type(2, Samples::Tag, packer: "to_msgpack_ext", unpacker: ->(data) { data * 2 })
      factory.register_type(3, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext), unpacker: MessagePack::Bigint.method(:from_msgpack_ext),
                                        oversized_integer_extension: true)
      factory.register_type(4, Samples::WrapChild, recursive: true, packer: ->(wrap, packer) { packer.write(wrap.value) },
                                                   unpacker: ->(unpacker) { Samples::WrapChild.new(unpacker.read) })
      factory.register_type(5, Samples::SubString, packer: Samples::Caller.new("called"), unpacker: Samples::Caller.new(:called))
      value = [:sym, Wrap.new("w"), 2**80, Samples::WrapChild.new([1, Samples::WrapChild.new({ "k" => :v })]), { key: Wrap.new("v") }]
      copy = factory.dup
      result = [factory, copy, factory.freeze, factory.pool(1)].map { |maker| maker.load(maker.dump(value)) == value }
      result << copy.load(copy.dump([Samples::Tagged.new, Samples::SubString.new("x")]))
      result << copy.registered_types.map { |entry| entry[:type] }
    RUBY
    expect(output).to eq(%([true, true, true, true, ["tagtag", :called], [0, 1, 2, 3, 4, 5]]\n))
  end

  it "packers and unpackers take types of their own" do
    output = stressed(<<~'RUBY')
      packer = MessagePack::Packer.new
      packer.register_type(1, Wrap, :value)
      packer.register_type(2, Samples::Tag) { |_| "t" * 300 }
      unpacker = MessagePack::Unpacker.new
      unpacker.register_type(1, Wrap, :new)
      unpacker.register_type(2) { |data| data.size }
      data = packer.write([Wrap.new("a"), Samples::Tagged.new, Wrap.new("b" * 70)]).to_s
      objects = []
      data.each_char.each_slice(100) { |part| unpacker.feed_each(part.join) { |object| objects << object } }
      objects == [[Wrap.new("a"), 300, Wrap.new("b" * 70)]]
    RUBY
    expect(output).to eq("true\n")
  end

  it "pools lend members, and times and core objects pack" do
    output = stressed(<<~'RUBY')
      factory = MessagePack::Factory.new
      factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
      pool = factory.pool(2, symbolize_keys: true, freeze: true)
      packed = pool.packer { |outer| pool.packer { |inner| outer.write({ "a" => [Time.at(1, 5, :nsec), "x" * 600] }) && inner.write(1) } && outer.full_pack }
      value = pool.unpacker { |unpacker| unpacker.feed(packed).full_unpack }
      [value == { a: [Time.at(1, 5, :nsec), "x" * 600] }, [nil, true, 1.5, "a", :b, [1], { 1 => 2 }].map(&:to_msgpack).join.unpack1("H*")]
    RUBY
    expect(output).to eq(%([true, "c0c3cb3ff8000000000000a161a1629101810102"]\n))
  end

  it "errors come out, and work goes on" do
    output = stressed(<<~'RUBY')
      factory = MessagePack::Factory.new
      factory.register_type(1, Wrap, recursive: true, packer: ->(wrap, packer) { packer.write(wrap.value) && raise("no") }, unpacker: ->(unpacker) { unpacker.read && raise("no") })
      packer = factory.packer.write(9)
      unpacker = factory.unpacker.feed("\x92\xd4\x01\x05\x07\xc1\x08")
      errors = [-> { packer.write([Wrap.new("x" * 5000)]) }, -> { unpacker.read }, -> { unpacker.read }, -> { unpacker.read }, -> { unpacker.read }, -> { factory.register_type(1, 5, {}) }].map do |call|
        call.call.then { |result| result }
      rescue StandardError => error
        error.class
      end
      [errors, packer.write(8).to_s]
    RUBY
    expect(output).to eq(%([[RuntimeError, RuntimeError, 7, MessagePack::MalformedFormatError, 8, ArgumentError], "\\t\\x91\\b"]\n))
  end
end
