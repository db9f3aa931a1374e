# frozen_string_literal: true

require "date"
require "set"

# How paquito, a serializer on top of this library, uses it.
RSpec.describe "paquito's calls" do
  # Each with attributes that the factory does not know, frozen; a class can have several codes, of which the last packs.
  types = [
    { code: 0, class: Symbol, packer: :name, unpacker: Symbol.method(:from_msgpack_ext), version: 0 },
    { code: 1, class: Time, packer: ->(time) { [time.to_i, time.nsec].pack("q<L<") }, unpacker: ->(data) { Time.at(*data.unpack("q<L<"), :nanosecond) } },
    { code: 3, class: Date, packer: ->(date) { [date.year, date.month, date.day].pack("s<CC") }, unpacker: ->(data) { Date.new(*data.unpack("s<CC")) } },
    { code: 4, class: Samples::Decimal, packer: :_dump, unpacker: Samples::Decimal.method(:_load) },
    { code: 5, class: Set, packer: ->(set, packer) { packer.write(set.to_a) }, unpacker: ->(unpacker) { unpacker.read.to_set }, recursive: true },
    { code: 6, class: Integer, packer: ->(number) { number.to_s(36) }, unpacker: ->(data) { data.to_i(36) }, oversized_integer_extension: true }
  ].each(&:freeze).freeze

  let(:factory) do
    MessagePack::Factory.new.tap do |factory|
      types.each { |type| factory.register_type(type[:code], type[:class], type) }
    end
  end

  let(:pool) { factory.freeze.pool(3) }
  let(:value) { [:sym, Time.at(1, 5, :nsec), Date.new(2026, 1, 2), Samples::Decimal.new("1.5"), Set[1, :a, Set[]], 2**70, { "k" => [:v] }] }

  it "brings values of all types back through a pool" do
    expect(pool.load(pool.dump(value))).to eq(value)
  end

  it "reads frozen values from a pool that freezes" do
    frozen = factory.freeze.pool(1, freeze: true).load(pool.dump(value))
    expect(frozen).to eq(value)
    expect([frozen, *frozen, frozen.last["k"]].all?(&:frozen?)).to be(true)
  end

  it "changes the format of a class by a second code" do
    old = pool.dump(Time.at(1))
    upgraded = factory.dup
    upgraded.register_type(2, Time, packer: ->(time) { time.to_f.to_s }, unpacker: ->(data) { Time.at(data.to_f) })
    expect(upgraded.dump(Time.at(1))).to be_bytes("c7 03 02 31 2e 30")
    expect([upgraded.load(old), upgraded.load(upgraded.dump(Time.at(1)))]).to eq([Time.at(1)] * 2)
  end

  it "uses a pool of the default factory" do
    pool = MessagePack::DefaultFactory.pool
    expect(pool.load(pool.dump({ "a" => [1] }))).to eq({ "a" => [1] })
  end

  it "learns from the error what it could not pack" do
    object = Object.new
    expect { pool.dump([object]) }.to raise_error(NoMethodError) { |error| expect([error.name, error.receiver]).to match([:to_msgpack, equal(object)]) }
  end

  it "learns that a number is too big" do
    expect { MessagePack::DefaultFactory.pool.dump(2**70) }.to raise_error(RangeError)
  end

  it "rescues what broken data raises as UnpackError and IOError" do
    errors = ["\xc1", "\x01\x02", "\xd4\x64a", "\x92\x01", ""].map do |data|
      pool.load(data)
    rescue MessagePack::UnpackError, IOError => error
      error.class
    end
    expect(errors).to eq([MessagePack::MalformedFormatError, MessagePack::MalformedFormatError, MessagePack::UnknownExtTypeError, EOFError, EOFError])
  end

  it "packs objects of all other classes by the same factory, inside of its own callable" do
    classes = { "point" => Struct.new(:x, :y) }
    factory.register_type(
      127, Object,
      packer: ->(object) { factory.dump([classes.key(object.class) || raise(ArgumentError, "no code"), object.to_a]) },
      unpacker: ->(data) { factory.load(data).then { |name, members| classes.fetch(name).new(*members) } }
    )
    point = classes["point"].new(1, [:a, Set[classes["point"].new(2, nil)]])
    expect(pool.load(pool.dump([point, :s]))).to eq([point, :s])
    expect { pool.dump([Object.new]) }.to raise_error(ArgumentError, "no code")
    expect(pool.load(pool.dump(value))).to eq(value)
  end

  it "serves threads" do
    results = Array.new(4) { Thread.new { Array.new(50) { pool.load(pool.dump(value)) == value }.all? } }.map(&:value)
    expect(results).to eq([true] * 4)
  end
end
