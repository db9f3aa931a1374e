# frozen_string_literal: true

require "date"
require "ipaddr"
require "msgpack/bigint"
require "pathname"
require "set"
require "uri"

# How ActiveSupport's serializer uses the library: a frozen factory with 18 types, most of them recursive and with Method
# objects, a pool, a signature before each object, and a catch-all type for what is not known.
RSpec.describe "ActiveSupport::MessagePack's calls" do
  # A Hash subclass with a type of its own.
  indifferent = Class.new(Hash)

  # The extensions, as methods of a module, whose Method objects are registered.
  extensions = Module.new do
    module_function

    def write_rational(rational, packer) = packer.write(rational.numerator).then { packer.write(rational.denominator) unless rational.numerator.zero? }
    def read_rational(unpacker) = unpacker.read.then { |numerator| Rational(numerator, numerator.zero? ? 1 : unpacker.read) }
    def write_complex(complex, packer) = packer.write(complex.real).write(complex.imaginary)
    def read_complex(unpacker) = Complex(unpacker.read, unpacker.read)
    def write_date(date, packer) = packer.write(date.jd)
    def read_date(unpacker) = Date.jd(unpacker.read)
    def write_time(time, packer) = packer.write(time.tv_sec).write(time.tv_nsec).write(time.utc_offset)
    def read_time(unpacker) = Time.at(unpacker.read, unpacker.read, :nanosecond, in: unpacker.read)
    def write_range(range, packer) = [range.begin, range.end, range.exclude_end?].each { |part| packer.write(part) }
    def read_range(unpacker) = Range.new(unpacker.read, unpacker.read, unpacker.read)
    def write_set(set, packer) = packer.write(set.to_a)
    def read_set(unpacker) = unpacker.read.to_set
    def write_hash(hash, packer) = packer.write_map_header(hash.size).then { hash.each { |key, value| packer.write(key).write(value) } }
    def dump_ip(ip) = "#{ip}/#{ip.prefix}"
  end
  extensions.define_singleton_method(:read_hash) do |unpacker|
    Array.new(unpacker.read_map_header) { [unpacker.read, unpacker.read] }.each_with_object(indifferent.new) { |(key, value), hash| hash[key] = value }
  end

  missing = Class.new(StandardError)

  let(:factory) do
    factory = MessagePack::Factory.new
    recursive = lambda do |type, klass, name|
      factory.register_type(type, klass, packer: extensions.method(:"write_#{name}"), unpacker: extensions.method(:"read_#{name}"), recursive: true)
    end
    factory.register_type(0, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)
    factory.register_type(1, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext), unpacker: MessagePack::Bigint.method(:from_msgpack_ext),
                                      oversized_integer_extension: true)
    factory.register_type(2, Samples::Decimal, packer: :_dump, unpacker: :_load)
    recursive.call(3, Rational, :rational)
    recursive.call(4, Complex, :complex)
    recursive.call(6, Date, :date)
    recursive.call(7, Time, :time)
    recursive.call(10, Range, :range)
    recursive.call(11, Set, :set)
    factory.register_type(13, URI::Generic, packer: :to_s, unpacker: URI.method(:parse))
    factory.register_type(14, IPAddr, packer: extensions.method(:dump_ip), unpacker: :new)
    factory.register_type(15, Pathname, packer: :to_s, unpacker: :new)
    factory.register_type(16, Regexp, packer: :to_s, unpacker: :new)
    recursive.call(17, indifferent, :hash)
    factory.register_type(127, Object, packer: ->(object, *) { raise(missing, "can not pack #{object.class}") }, unpacker: ->(*) { raise(missing, "unknown") })
    factory
  end

  let(:pool) { factory.freeze.pool(5) }

  def dump(object)
    pool.packer { |packer| packer.write(128).write(object) && packer.full_pack }
  end

  def load(data)
    pool.unpacker do |unpacker|
      unpacker.feed_reference(data)
      raise ArgumentError, "no signature" unless unpacker.read == 128

      unpacker.full_unpack
    end
  end

  {
    "nil" => nil, "true" => true, "an Integer" => 5, "a Float" => 1.5, "a String" => "é", "a binary String" => "\xff".b, "a Symbol" => :sym, "an empty Symbol" => :"",
    "a big Integer" => 2**100, "a decimal" => Samples::Decimal.new("12.34"), "a Rational" => 3r / 4, "zero as Rational" => 0r, "a Complex" => Complex(1, 2r),
    "a Date" => Date.new(2026, 1, 2), "a Time" => Time.at(1, 5, :nsec, in: "+05:30"), "a Range" => (1...5), "an endless Range" => (:a..), "a Set" => Set[1, Set[:b]],
    "a URI" => URI("http://a.example/b?c"), "an IPAddr" => IPAddr.new("10.0.0.0/8"), "a Pathname" => Pathname("/a/b"), "a Regexp" => Regexp.new(/a+/i.to_s),
    "a Hash subclass" => indifferent[{ "a" => [:b, { "c" => 1r }] }], "a Hash" => { "a" => { b: [nil, Set[]] } }, "an Array of all" => [1r, :a, Set[2**70], indifferent[{}]]
  }.each do |name, value|
    it "brings back #{name}" do
      result = load(dump(value))
      expect(result).to eq(value)
      expect(result.class).to eq(value.class)
    end
  end

  it "begins with the signature" do
    expect(dump(:a)).to be_bytes("cc 80 d4 00 61")
    expect { load(hex("01 d4 00 61")) }.to raise_error(ArgumentError, "no signature")
  end

  it "finds its signature in front of any other data" do
    expect(dump([1]).start_with?("\xcc\x80".b)).to be(true)
  end

  it "takes the type of an ancestor for URIs" do
    expect(URI("http://a.example").class).not_to eq(URI::Generic)
    expect(dump(URI("http://a.example"))[2, 2]).to be_bytes("d8 0d")
  end

  it "has core values untouched by the catch-all type" do
    expect(dump({ "a" => [1, nil, "b", 1.5] })).to eq(hex("cc 80") + MessagePack.pack({ "a" => [1, nil, "b", 1.5] }))
  end

  it "has the catch-all type raise for the rest, and works on" do
    expect { dump([1, Object.new]) }.to raise_error(missing, "can not pack Object")
    expect(load(dump([1]))).to eq([1])
  end

  it "refuses what stands behind the object" do
    expect { load(dump([1]) + "\x00") }.to raise_error(MessagePack::MalformedFormatError, "1 extra bytes after the deserialized object")
  end

  it "falls back to a catch-all type that packs objects by name" do
    fallback = factory.dup
    point = Struct.new(:x)
    fallback.register_type(
      127, Object, recursive: true,
      packer: ->(object, packer) { packer.write("point").write(object.to_a) },
      unpacker: ->(unpacker) { unpacker.read && point.new(*unpacker.read) }
    )
    pool = fallback.freeze.pool(1)
    expect(pool.load(pool.dump([point.new([:a, point.new(1r)])]))).to eq([point.new([:a, point.new(1r)])])
  end

  it "takes the size of its pool from the environment, as text" do
    expect(factory.pool("3").dump(1)).to be_bytes("01")
  end
end

RSpec.describe "ActiveSupport::MessagePack", :clients do
  it "brings its values back" do
    output = client_ruby("ruby-activesupport", <<~'RUBY')
      require "logger"
      require "msgpack"
      # The gem is on the load path and not installed.
      module Kernel
        def gem(name, *requirements)
          name == "msgpack" && !Gem::Requirement.new(requirements).satisfied_by?(Gem::Version.new(MessagePack::VERSION)) ? raise(LoadError, name) : true
        end
      end
      require "active_support"
      begin
        require "active_support/message_pack"
      rescue LoadError => error
        raise if error.path.to_s.start_with?("msgpack")

        abort "skip: ActiveSupport #{ActiveSupport.version} here: #{error.message}"
      end
      require "active_support/all"
      values = [nil, :sym, 2**100, BigDecimal("1.5"), 1r, Complex(1, 2), DateTime.new(2026, 1, 2), Date.new(2026, 1, 2), Time.at(1, 5, :nsec).utc,
                3.days, (1..2), Set[1], URI("http://a.example/"), Pathname("/a"), { "a" => [:b] },
                ActiveSupport::HashWithIndifferentAccess.new(a: { b: 1 })]
      values.push(ActiveSupport::TimeZone["UTC"], ActiveSupport::TimeZone["UTC"].at(1)) if File.directory?("/usr/share/zoneinfo")
      values.each { |value| print ActiveSupport::MessagePack.load(ActiveSupport::MessagePack.dump(value)) == value ? "." : value.inspect }
      print ActiveSupport::MessagePack.signature?(ActiveSupport::MessagePack.dump(1))
    RUBY
    expect(output).to match(/\A\.{16}(\.\.)?true\z/)
  rescue Child::Crashed => error
    raise unless error.message.start_with?("skip: ")

    skip error.message.delete_prefix("skip: ")
  end
end
