# frozen_string_literal: true

# One round of the Ractor soak: 2 to 16 Ractors do what the seed says, all at once, and compare every result with what
# the main Ractor found before. Prints "ok", the work done and the resident memory; anything else is a failure.
#
#   ruby -Ilib spec/soak/ractor_round.rb SEED

require "msgpack"
require "stringio"

Warning[:experimental] = false
SEED = Integer(ARGV.fetch(0))
RANDOM = Random.new(SEED)

# A type whose callables are method names, so that any Ractor may use it.
class Point
  attr_reader :x, :y

  def initialize(x, y)
    @x = x
    @y = y
  end

  def to_msgpack_ext = MessagePack.pack([x, y])
  def self.from_msgpack_ext(data) = new(*MessagePack.unpack(data))
  def self.read(unpacker) = new(unpacker.read, unpacker.read)
  def write(packer) = packer.write(x).write(y)
  def ==(other) = other.is_a?(Point) && [x, y] == [other.x, other.y]
end

# Fails in its callback.
class Trap
  def to_msgpack_ext = raise(ArgumentError, "trap")
end

MessagePack::DefaultFactory.register_type(1, Point)
MessagePack::DefaultFactory.register_type(3, Trap, packer: :to_msgpack_ext)
FACTORY = MessagePack::Factory.new
FACTORY.register_type(2, Point, packer: :write, unpacker: Point.method(:read), recursive: true)
FACTORY.register_type(0, Symbol)
Ractor.make_shareable(FACTORY)
POOL = Ractor.make_shareable(FACTORY.pool(2))

def document(random)
  keys = Array.new(12) { |i| "key #{i} #{"x" * random.rand(40)}" }
  records = Array.new(random.rand(1..60)) do |i|
    keys.sample(random.rand(1..10), random: random).to_h { |key| [key, [i, i * 1.5, nil, "v" * random.rand(400), -2**random.rand(62)].sample(random: random)] }
  end
  { "records" => records, "nested" => (1..random.rand(1..40)).inject([]) { |inner, _| [inner] }, 1 => Array.new(random.rand(900)) { |i| i * 3 } }
end

DOCUMENTS = Ractor.make_shareable(Array.new(4) { document(RANDOM) })
BYTES = Ractor.make_shareable(DOCUMENTS.map { |doc| MessagePack.pack(doc) })

# What a Ractor can do: a Symbol's work gets the Ractor's random numbers and answers whether all was as it should be.
module Work
  ALL = %i[one_shot stream io factory pool default buffer symbols failure collect thread garbage].freeze

  module_function

  def one_shot(random)
    i = random.rand(4)
    MessagePack.pack(DOCUMENTS[i]) == BYTES[i] && MessagePack.unpack(BYTES[i], freeze: random.rand(2) == 0) == DOCUMENTS[i]
  end

  def stream(random)
    i = random.rand(4)
    unpacker = MessagePack::Unpacker.new
    found = []
    bytes = BYTES[i] * 2
    at = 0
    while at < bytes.bytesize
      n = random.rand(1..3000)
      unpacker.feed_each(bytes.byteslice(at, n)) { |object| found << object }
      at += n
    end
    found == [DOCUMENTS[i]] * 2
  end

  def io(random)
    i = random.rand(4)
    out = StringIO.new("".b)
    MessagePack::Packer.new(out).write(DOCUMENTS[i]).write_nil.flush
    out.rewind
    unpacker = MessagePack::Unpacker.new(out, io_buffer_size: 1024)
    unpacker.read == DOCUMENTS[i] && unpacker.skip_nil
  end

  def factory(random)
    value = [Point.new(Point.new(1, "a" * random.rand(600)), :b), :c]
    own = FACTORY.dup
    own.register_type(5, Trap, packer: :to_msgpack_ext)
    FACTORY.load(FACTORY.dump(value)) == value && own.load(own.dump(value)) == value && !FACTORY.type_registered?(5)
  end

  def pool(random)
    value = { "p" => Point.new(random.rand(1 << 40), [:s]) }
    POOL.load(POOL.dump(value)) == value &&
      POOL.packer { |packer| packer.write(value).full_pack } == FACTORY.dump(value) &&
      POOL.unpacker { |unpacker| unpacker.feed(FACTORY.dump(value)).full_unpack } == value
  end

  def default(random)
    value = Array.new(random.rand(1..20)) { |i| Point.new(i, "y") }
    MessagePack.unpack(MessagePack.pack(value)) == value && value.to_msgpack == MessagePack.pack(value)
  end

  def buffer(random)
    buffer = MessagePack::Buffer.new
    parts = Array.new(random.rand(1..8)) { "z" * random.rand(1..2000) }
    parts.each { |part| buffer << part }
    head = buffer.read(random.rand(1..500))
    head + buffer.read == parts.join
  end

  def symbols(random)
    i = random.rand(4)
    found = MessagePack.unpack(BYTES[i], symbolize_keys: true)
    found[:records].map { |record| record.transform_keys(&:to_s) } == DOCUMENTS[i]["records"]
  end

  def failure(_random)
    MessagePack.pack([1, Trap.new])
    false
  rescue ArgumentError => e
    e.message == "trap" && truncated
  end

  def truncated
    MessagePack.unpack(BYTES[0].byteslice(0, BYTES[0].bytesize - 1))
    false
  rescue EOFError
    true
  end

  def collect(random)
    if random.rand(3) == 0 && RUBY_VERSION >= "3.4" && GC.respond_to?(:compact)
      GC.compact
    else
      GC.start(full_mark: random.rand(2) == 0)
    end
    true
  end

  # A thread that is killed somewhere in its work.
  def thread(random)
    thread = Thread.new { loop { Work.stream(Random.new(1)) } }
    Thread.pass while thread.status == "run" && random.rand(4) != 0
    thread.kill
    thread.join
    one_shot(random)
  end

  def garbage(random)
    bytes = BYTES[random.rand(4)].dup
    8.times { bytes.setbyte(random.rand(bytes.bytesize), random.rand(256)) }
    begin
      MessagePack.unpack(bytes, allow_unknown_ext: true)
    rescue MessagePack::UnpackError, EOFError, ArgumentError, TypeError, NoMethodError, EncodingError
      nil
    end
    true
  end
end

def value_of(ractor) = ractor.respond_to?(:value) ? ractor.value : ractor.take

# Ruby 3.1 to 3.4 deadlock by themselves when several Ractors make and kill threads, without this library too.
LEFT_OUT = (RUBY_VERSION < "4.0" ? %i[thread] : []).freeze

# With a collection at each allocation, of all Ractors at once, only little work gets done.
STRESS = RANDOM.rand(10) == 0
KINDS = Ractor.make_shareable(STRESS ? %i[default pool factory buffer] : Work::ALL - LEFT_OUT)
TIMES = STRESS ? 1 : 60

Thread.report_on_exception = false
GC.stress = STRESS
ractors = Array.new(STRESS ? 2 : RANDOM.rand(2..16)) do |i|
  Ractor.new(SEED + i, Ractor.current) do |seed, main|
    main.send(:ready)
    Ractor.receive
    random = Random.new(seed)
    wrong = []
    TIMES.times do
      kind = KINDS.sample(random: random)
      wrong << kind unless Work.public_send(kind, random)
    end
    # A Ractor may end with an object half read, and one may die of an exception.
    MessagePack::Unpacker.new.feed_each(BYTES[0].byteslice(0, 50)) { nil }
    raise "the end" if wrong.empty? && random.rand(8) == 0

    [wrong.uniq, BYTES[0] + "!"]
  end
end
ractors.each { Ractor.receive }
# Before 4.0 a child can inherit a lock of Ruby's that another Ractor's thread held, and wait for it for ever. So they
# sleep there meanwhile.
RUBY_VERSION < "4.0" ? sleep(0.02) : ractors.each { |ractor| ractor.send(:start) }
child = fork { exit!(Work.one_shot(Random.new(1)) ? 0 : 1) } if RANDOM.rand(4) == 0
ractors.each { |ractor| ractor.send(:start) } if RUBY_VERSION < "4.0"
wrong = ractors.flat_map do |ractor|
  value_of(ractor)[0]
rescue Ractor::RemoteError => e
  e.cause.message == "the end" ? [] : [e.cause.full_message]
end
wrong << "fork" if child && !Process.wait2(child)[1].success?
abort "seed #{SEED}: wrong: #{wrong.uniq.join(", ")}" unless wrong.empty?
GC.stress = false
puts "ok #{ractors.size * TIMES} #{File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1]}"
