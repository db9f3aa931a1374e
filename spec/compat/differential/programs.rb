# frozen_string_literal: true

require_relative "../../fuzz/dice"
require_relative "../../fuzz/literals"
require_relative "../../fuzz/wire"

# Random programs of calls on the gem, each a few lines of Ruby.
#
# What crashes or hangs the C gem is left out: `throw` and `return` out of an ext proc, an io that
# ignores the out buffer, a dup of an allocated factory, sizes of terabytes for an io.
class Programs
  SCALAR_ARGUMENTS = %w[nil true 1 -1 300 2.5 "text" :sym [] {} Object.new 2**64 -2**63-1 2**70 Rational(1,2) StringLike.new("abc")].freeze
  COUNTS = %w[0 1 2 15 16 17 255 256 65535 65536 2**32-1 2**32 2**64 -1 -2**40 1.9 -0.5 nil "1" :a StringLike.new("abc") 2**31].freeze
  TYPE_IDS = %w[0 1 5 -1 -128 127 128 -129 2**40 2**80 "1" nil 1.7 :a 200].freeze
  PAYLOADS = ["''", "'a'", "'ab'", "'abc'", "'abcd'", "'a' * 8", "'a' * 16", "'a' * 17", "'a' * 255", "'a' * 256", "'a' * 70000",
              "st('e9', 'ISO-8859-1')", "'é'", "st('6100', 'UTF-16LE')", "StringLike.new('abc')", "nil", ":a", "5", "StringLike.new(5)"].freeze

  # Ways to register types on a factory, by what they do when they are used.
  REGISTRATIONS = [
    "@f.register_type(1, Point)",
    "@f.register_type(1, Point, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext)",
    "@f.register_type(1, Point, {packer: 'to_msgpack_ext', unpacker: 'from_msgpack_ext'})",
    "@f.register_type(1, Point, packer: ->(o) { log(:pack, o.x); o.to_msgpack_ext }, unpacker: ->(d) { log(:unpack, d); Point.from_msgpack_ext(d) })",
    "@f.register_type(2, Base, packer: :dump, unpacker: :load)",
    "@f.register_type(2, Base, packer: proc { |o| o.value.to_s.encode('UTF-16LE') }, unpacker: Base.method(:load))",
    "@f.register_type(2, Base, packer: Base.instance_method(:dump).bind(Base.new(1)), unpacker: nil)",
    "@f.register_type(2, Base, packer: Caller.new { |o| o.value.to_s }, unpacker: Caller.new { |d| Base.new(d) })",
    "@f.register_type(2, Base, packer: :value, unpacker: proc { |d| d })",
    "@f.register_type(2, Base, packer: ->(o) { raise IOError, 'pack' }, unpacker: ->(d) { raise IOError, 'unpack' })",
    "@f.register_type(2, Base, packer: ->(o) { StringLike.new('like') })",
    "@f.register_type(3, Derived, packer: ->(o) { 'derived' }, unpacker: ->(d) { Derived.new(d) })",
    "@f.register_type(3, Derived, packer: nil, unpacker: ->(d) { Derived.new(d) })",
    "@f.register_type(4, Tag, packer: ->(o) { 'tag' }, unpacker: ->(d) { [:tag, d] })",
    "@f.register_type(5, Symbol)",
    "@f.register_type(5, Symbol, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext, optimized_symbols_parsing: true)",
    "@f.register_type(5, Symbol, packer: nil)",
    "@f.register_type(5, Symbol, nil)",
    "@f.register_type(5, Symbol, {})",
    "@f.register_type(5, Symbol, packer: ->(s) { s.name }, unpacker: ->(d) { d.to_sym })",
    "@f.register_type(6, Text, packer: ->(s) { s.to_s }, unpacker: ->(d) { Text.new(d) })",
    "@f.register_type(7, List, packer: ->(l) { l.size.to_s }, unpacker: ->(d) { List.new([d]) })",
    "@f.register_type(8, Table, packer: ->(t) { t.keys.size.to_s }, unpacker: ->(d) { Table.new.update('d' => d) })",
    "@f.register_type(8, Table, packer: ->(t, pk) { pk.write({}.update(t)) }, unpacker: ->(u) { Table.new.update(u.read) }, recursive: true)",
    "@f.register_type(9, Point, packer: :write_to, unpacker: :read_from, recursive: true)",
    "@f.register_type(9, Point, packer: ->(o, pk) { pk.write(o.x); pk.write(o.y) }, unpacker: ->(u) { Point.new(u.read, u.read) }, recursive: true)",
    "@f.register_type(9, Point, packer: ->(o, pk) { pk.write_array_header(2).write(o.x).write(o.y) }, unpacker: ->(u) { Point.new(*u.read) }, recursive: true)",
    "@f.register_type(9, Base, packer: ->(o, pk) { pk.write(o.value); raise IOError, 'late' }, unpacker: ->(u) { Base.new(u.read) }, recursive: true)",
    "@f.register_type(10, Pair, packer: ->(o, pk) { pk.write(o.x).write(o.y) }, unpacker: ->(u) { Pair.new(u.read, u.read) }, recursive: true)",
    "@f.register_type(10, Struct, packer: ->(o) { o.to_a.size.to_s }, unpacker: ->(d) { d })",
    "@f.register_type(11, Object, packer: ->(o) { o.class.name.to_s }, unpacker: ->(d) { [:object, d] })",
    "@f.register_type(11, Comparable, packer: ->(o) { 'comparable' }, unpacker: ->(d) { d })",
    "@f.register_type(11, Numeric, packer: ->(o) { o.to_s }, unpacker: ->(d) { d.to_r })",
    "@f.register_type(11, BasicObject, packer: ->(o) { 'basic' }, unpacker: ->(d) { d })",
    "@f.register_type(12, Class, packer: ->(o) { o.name.to_s }, unpacker: ->(d) { Class.new })",
    "@f.register_type(13, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext), unpacker: MessagePack::Bigint.method(:from_msgpack_ext), oversized_integer_extension: true)",
    "@f.register_type(13, Integer, packer: ->(i, pk) { pk.write(i.to_s) }, unpacker: ->(u) { u.read.to_i }, oversized_integer_extension: true, recursive: true)",
    "@f.register_type(13, Integer, packer: ->(i) { i.to_s }, unpacker: ->(d) { d.to_i })",
    "@f.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)",
    "@f.register_type(-1, MessagePack::Timestamp)",
    "@f.register_type(14, MessagePack::ExtensionValue, packer: ->(e) { e.payload.to_s }, unpacker: ->(d) { d })",
    "@f.register_type(15, String, packer: ->(s) { 'own:' + s }, unpacker: ->(d) { d })",
    "@f.register_type(15, Set, packer: ->(s, pk) { pk.write(s.to_a) }, unpacker: ->(u) { u.read.to_set }, recursive: true)",
    "@f.register_type(16, Range, packer: ->(r) { [r.begin, r.end].to_msgpack }, unpacker: ->(d) { Range.new(*MessagePack.unpack(d)) })"
  ].freeze
  ODD_REGISTRATIONS = [
    "@f.register_type(128, Point)", "@f.register_type(-129, Point)", "@f.register_type(2**40, Point)", "@f.register_type('1', Point)",
    "@f.register_type(nil, Point)", "@f.register_type(1.0, Point)", "@f.register_type(1, 'Point', packer: :a)", "@f.register_type(1, Base)",
    "@f.register_type(1, Base, packer: 5)", "@f.register_type(1, Base, packer: false)", "@f.register_type(1, Base, unpacker: [])",
    "@f.register_type(1, Base, unpacker: :missing)", "@f.register_type(1)", "@f.register_type(1, Base, {}, {})",
    "@f.register_type(1, Base, 'packer' => :dump)", "@f.register_type(1, Base, nil)", "@f.register_type(1, Base, {})", "@f.register_type(1, 5, nil)",
    "@f.register_type(1, Numeric, oversized_integer_extension: true)", "@f.register_type(2**80, Point)"
  ].freeze
  # What unpackers of their own types are given.
  BLOCKS = [
    "@u.register_type(1) { |d| log(d); [1, d] }", "@u.register_type(1, Base, :load)", "@u.register_type(1, Point, 'from_msgpack_ext')",
    "@u.register_type(2) { |d| raise IOError, 'block' }", "@u.register_type(2, &:size)", "@u.register_type(2) { nil }",
    "@u.register_type(3) { |d| next d.unpack1('C') }", "@u.register_type(3) { |d| d << 'x' }", "@u.register_type(3) { |d| Class.new(Base) }",
    "@u.register_type(3) { |d| @u.register_type(1) { 7 }; d }", "@u.register_type(2) { |d| @u.feed(h('05')); d }",
    "@u.register_type(1, &->(d) { d })", "@u.register_type(1, &->(d, e) { d })", "@u.register_type(-1) { |d| MessagePack::Timestamp.from_msgpack_ext(d) }"
  ].freeze
  ODD_BLOCKS = [
    "@u.register_type(1)", "@u.register_type(1, Base)", "@u.register_type(1, nil, :load)", "@u.register_type(1, Base, :missing)",
    "@u.register_type(128) { 1 }", "@u.register_type('1') { 1 }", "@u.register_type(nil) { 1 }", "@u.register_type(1.7) { 1 }", "@u.register_type(2**40) { 1 }"
  ].freeze
  UNPACKERS = {
    1 => ["Point", "unpacker: ->(d) { log(d); [:one, d] }"], 2 => ["Base", "unpacker: ->(d) { raise IOError, 'proc' }"],
    3 => ["Base", "unpacker: :load"], 4 => ["Class", "unpacker: ->(d) { Class.new }"], 5 => ["Symbol", "unpacker: :from_msgpack_ext"]
  }.freeze
  RECURSIVE = {
    20 => "->(u) { [u.read, u.read] }", 21 => "->(u) { seen = []; u.each { |o| seen << o }; seen }", 22 => "->(u) { u.full_unpack }",
    23 => "->(u) { u.skip; u.read }", 24 => "->(u) { [u.skip_nil, u.read] }", 25 => "->(u) { raise IOError, 'recursive' }",
    26 => "->(u) { log(u.equal?(@u)); Table.new.update(u.read) }", 27 => "->(u) { Array.new(u.read_array_header) { u.read } }"
  }.freeze
  OBJECTS_INSIDE = { 20 => 2, 21 => 3, 22 => 1, 23 => 2, 24 => 1, 25 => 1, 26 => 1, 27 => 1 }.freeze

  # @param level [Symbol] :new for releases like 1.8.5; :old for those like 1.4.2, whose ext types differ in too
  #   many ways to be compared
  def initialize(level: :new)
    @old = level == :old
  end

  def pack(seed)
    start(seed)
    __send__(:"pack_#{@dice.weigh(@old ? { one_shot: 1, packer: 1 } : { one_shot: 5, packer: 6, factory: 5, pool: 1, values: 1 })}")
  end

  def unpack(seed)
    start(seed)
    __send__(:"unpack_#{@dice.weigh(@old ? { one_shot: 2, feed: 3, io: 1, buffer: 1 } : { one_shot: 4, feed: 6, io: 3, factory: 3, buffer: 2, pool: 1 })}")
  end

  private

  def start(seed)
    @dice = Dice.new(seed)
    @literals = Literals.new(@dice, long: 1500, selves: @old ? Literals::SELVES - ["reset"] : Literals::SELVES)
    @wire = Wire.new(@dice)
  end

  def object(depth = @dice.below(4)) = @literals.object(depth)

  def hex(bytes) = "h(\"#{bytes.unpack1("H*")}\")"

  # ---- packing ----

  def pack_one_shot
    options = @dice.pick(["compatibility_mode: true", "{compatibility_mode: true}", "nil, compatibility_mode: true", *("nil, nil" unless @old), "{}", "nil, {}", "compatibility_mode: false",
                          "write_reference_threshold: 300, compatibility_mode: #{@dice.pick(%w[true false])}", "unknown: 1"])
    case @dice.below(20)
    when 0..8 then ["@s = MessagePack.pack(#{object})", *reread]
    when 9..11 then ["MessagePack.pack(#{object}, #{options})"]
    when 12 then ["#{object}.to_msgpack"]
    when 13 then ["@io = Sink.new", "MessagePack.pack(#{object}, @io)", "@io.bytes"]
    when 14 then ["@io = Shovel.new", "MessagePack.pack(#{object}, @io, #{@dice.pick([*("nil" unless @old), "{}", "compatibility_mode: true"])})", "@io.bytes"]
    when 15 then ["@io = Sink.new", "(#{@literals.hash(2)}).to_msgpack(@io)", "@io.bytes"]
    when 16 then ["@o = #{object}", "@o.to_msgpack == MessagePack.dump(@o)", "MessagePack.dump(@o)"]
    when 17 then @old ? ["1"] : ["MessagePack.pack(*[#{Array.new(@dice.below(5)) { @dice.pick(SCALAR_ARGUMENTS) }.join(", ")}])"]
    when 18 then ["@o = #{object}", "@o.to_msgpack(compatibility_mode: true)", "@o.to_msgpack(#{@dice.pick(%w[nil false {} Object.new [] +''])})"]
    else ["@pk = MessagePack::Packer.new", "#{object}.to_msgpack(@pk)", "@pk.to_s"]
    end
  end

  def reread
    @dice.once_in(3) ? ["@s && MessagePack.unpack(@s#{@dice.pick(["", ", symbolize_keys: true", ", freeze: true", ", allow_unknown_ext: true"])})"] : []
  end

  def pack_packer
    io = @dice.once_in(4)
    lines = io ? ["@io = #{@dice.pick(["Sink.new", "Sink.new", "Shovel.new", "StringIO.new(''.b)", "Sink.new(fail_at: 1)", "Object.new"])}"] : []
    lines << "@pk = MessagePack::Packer.new(#{packer_arguments(io)})"
    lines.concat(Array.new(@dice.between(1, 7)) { packer_call })
    lines << (io ? "@pk.flush" : "@pk.to_s") << "@pk.empty?"
    lines << "@io.respond_to?(:bytes) ? @io.bytes : @io.string" if io
    lines
  end

  def packer_arguments(io)
    options = @dice.pick(["", "", "compatibility_mode: true", "write_reference_threshold: 256", "compatibility_mode: true, write_reference_threshold: 256", "io_buffer_size: 1"])
    io ? ["@io", *(options unless options.empty?)].join(", ") : options
  end

  def packer_call
    case @dice.below(40)
    when 0..9 then "@pk.write(#{object})"
    when 10 then "@pk.pack(#{object})"
    when 11 then "@pk.write_#{@dice.pick(%w[nil true false])}"
    when 12, 13 then "@pk.write_int(#{number})"
    when 14 then "@pk.write_float(#{number})"
    when 15 then "@pk.write_float32(#{number})"
    when 16, 17 then "@pk.write_string(#{mostly { @literals.string }})"
    when 18 then "@pk.write_symbol(#{mostly { @literals.symbol }})"
    when 19, 20 then "@pk.write_bin(#{mostly { @literals.string }})"
    when 21 then "@pk.write_bin_header(#{@dice.pick(COUNTS)})"
    when 22 then "@pk.write_array(#{mostly { @literals.array(2) }})"
    when 23 then "@pk.write_hash(#{mostly { @literals.hash(2) }})"
    when 24 then "@pk.write_array_header(#{@dice.pick(COUNTS)})"
    when 25 then "@pk.write_map_header(#{@dice.pick(COUNTS)})"
    when 26, 27 then "@pk.write_ext(#{@dice.pick(TYPE_IDS)}, #{@dice.pick(PAYLOADS)})"
    when 28 then "@pk.write_extension(#{@dice.pick(["MessagePack::ExtensionValue.new(#{@dice.pick(TYPE_IDS)}, #{@dice.pick(PAYLOADS)})", "Pair.new(1, 'a')", "Struct.new(:a).new(1)", *SCALAR_ARGUMENTS])})"
    when 29 then "@pk.#{@dice.pick(["flush", "clear", *("reset" unless @old)])}"
    when 30 then @dice.pick(["@pk.to_a.join", "@pk.to_s", "@pk.to_str", "@pk.size", "@pk.buffer.size", "@pk.buffer.to_s", "@pk.compatibility_mode?", "@pk.buffer.equal?(@pk.buffer)"])
    when 31 then "@pk.full_pack"
    when 32 then @dice.pick(["@pk.write_to(@s = Sink.new)", "@pk.buffer.write_to(@s = StringIO.new(''.b))", "@pk.write_to(Shovel.new)", "@pk.write_to(Sink.new(fail_at: 1))"])
    when 33 then @dice.pick(["@pk.buffer << #{mostly { @literals.string }}", "@pk.buffer.write(#{mostly { @literals.string }})", "@pk.buffer.read(#{@dice.below(6)})", "@pk.buffer.clear", "@pk.buffer.skip(1)"])
    when 34, 35 then @old ? "@pk.size" : packer_registration
    when 36 then @old ? "@pk.to_s" : @dice.pick(["@pk.registered_types", "@pk.type_registered?(#{@dice.pick(["Base", "Derived", "Point", "1", "2", "'1'", "nil", "Tag", "Kernel"])})", "@pk.respond_to?(:dup)", "@pk.inspect.class"])
    when 37 then @dice.pick(["@pk.send(:initialize)", "@pk.send(:initialize, compatibility_mode: true)", "@pk.write", "@pk.write(1, 2)", "@pk.write_nil(1)", "@pk.freeze", *(["@pk.dup", "@pk.clone"] unless @old)])
    else "#{object}.to_msgpack(@pk)"
    end
  end

  def packer_registration
    type = @dice.once_in(6) ? @dice.pick(TYPE_IDS) : @dice.pick(%w[1 2 3 -5])
    klass = @dice.once_in(12) ? @dice.pick(["'Base'", "5", "nil"]) : @dice.pick(%w[Base Derived Point Tag Text List Table Symbol Integer Object Pair Comparable String])
    "@pk.register_type(#{type}, #{klass}#{@dice.pick([") { |o| o.class.name }", ") { |o| 'payload' }", ", :own_text)", ", Base.method(:name))", ", ->(o) { 'lambda' })", ", proc { 'proc' })",
                                                        ", &:own_text)", ")", ", nil)", ", 'text')", ", Object.new)", ") { |o| nil }", ") { |o| raise IOError, 'packer' }"])}"
  end

  def number
    mostly { @dice.once_in(2) ? @literals.integer : @literals.float }
  end

  # Mostly what a method wants.
  def mostly
    @dice.once_in(8) ? @dice.pick(SCALAR_ARGUMENTS) : yield
  end

  def registrations
    Array.new(@dice.between(1, 5)) { @dice.once_in(14) ? @dice.pick(ODD_REGISTRATIONS) : @dice.pick(REGISTRATIONS) }
  end

  # An object that types may be registered for.
  def typed(depth = 2)
    text = @dice.pick([
      "Point.new(1, -2)", "Point.new(#{@literals.integer}, 3)", "Base.new(#{@literals.integer})", "Derived.new('d')", "Tagged.new(1)", "Text.new('text')", "own('text')",
      "List.new([1, 2])", "own([1])", "Table.new.update('a' => 1)", "own({1 => 2})", ":sym", ":é", "Time.at(#{@dice.pick(["0", "1, 5, :nsec", "2**32", "2**34", "-1.5r", "2**34 - 1, 999_999_999, :nsec"])})",
      @literals.oversized, "2**64", "-2**63", "2**63", "Pair.new(1, 'x')", "Set.new([1, 2])", "(1..3)", "Rational(1, 2)", "Kernel", "Class", "Base", "Object.new", "Point.new(1, 2).extend(Tag)",
      "MessagePack::ExtensionValue.new(3, 'abc')", "MessagePack::Timestamp.new(1, 2)", "Selfish.new(:value, 1)", "Class.new(Derived).new(5)", "Struct.new(:a).new(1)"
    ])
    case @dice.below(6)
    when 0 then depth > 0 ? "[#{typed(depth - 1)}, #{typed(depth - 1)}]" : text
    when 1 then depth > 0 ? "{#{typed(depth - 1)} => #{typed(depth - 1)}, 'k' => #{typed(0)}}" : text
    when 2 then "Pair.new(#{depth > 0 ? typed(depth - 1) : 1}, #{text})"
    else text
    end
  end

  def pack_factory
    lines = ["@f = MessagePack::Factory.new", *registrations]
    lines << @dice.pick(["@f.freeze", "@f = @f.dup", "@f.freeze; @f = @f.dup", "@f.frozen?"]) if @dice.once_in(4)
    lines << @dice.pick(["@f.registered_types", "@f.registered_types(:packer)", "@f.registered_types(:unpacker)", "@f.registered_types(:other)",
                         "@f.type_registered?(#{@dice.pick(["Point", "Derived", "Tag", "1", "13", "Symbol", "Kernel", "'x'", "nil"])}#{@dice.pick(["", ", :packer", ", :unpacker", ", :other"])})"]) if @dice.once_in(4)
    Array.new(@dice.between(1, 3)) do
      value = @dice.once_in(4) ? object : typed
      case @dice.below(8)
      when 0..3 then lines << "@s = @f.dump(#{value})" << "@s && @f.load(@s#{@dice.pick(["", "", ", symbolize_keys: true", ", freeze: true", ", allow_unknown_ext: true"])})"
      when 4 then lines << "@pk = @f.packer#{@dice.pick(["", "(compatibility_mode: true)", "(nil)", "({})"])}" << packer_call << "@pk.write(#{value})" << "@pk.to_s"
      when 5 then lines << "@pk = @f.packer" << "@pk.write([1, #{value}])" << packer_registration << "@pk.write(#{typed})" << "@pk.to_s" << "@pk.registered_types"
      when 6 then lines << "@io = Sink.new" << "@f.dump(#{value}, @io)" << "@io.bytes"
      else lines << "@f.pack(#{value}, compatibility_mode: true)"
      end
    end
    lines << @dice.pick(REGISTRATIONS) << "@f.dump(#{typed})" if @dice.once_in(5)
    lines
  end

  def pack_pool
    lines = ["@f = MessagePack::Factory.new", *registrations]
    lines << "@f.freeze" if @dice.once_in(2)
    lines << "@pool = @f.pool(#{@dice.pick(["1", "2", "0", "-1", "", "1, symbolize_keys: true", "1, freeze: true", "2, compatibility_mode: true", "1, allow_unknown_ext: true", "1, unknown: 1"])})"
    Array.new(@dice.between(1, 3)) do
      case @dice.below(5)
      when 0..2 then lines << "@s = @pool.dump(#{typed})" << "@s && @pool.load(@s)"
      when 3 then lines << "@pool.packer { |pk| pk.write(#{typed}).write(#{object}); pk.to_s }"
      else lines << "@pool.packer { |pk| pk.write(1); raise IOError, 'block' }" << "@pool.dump(#{object})"
      end
    end
    lines
  end

  # Timestamp, Time, Bigint, ExtensionValue, Symbol helpers.
  def pack_values
    sec = @dice.pick(["0", "1", "-1", "2**32-1", "2**32", "2**34-1", "2**34", "2**63-1", "-2**63", "2**63", @literals.integer])
    nsec = @dice.pick(["0", "1", "999_999_999", "2**30-1", "2**30", "2**32-1", "2**32", "-1", "1.5"])
    case @dice.below(9)
    when 0 then ["@s = MessagePack::Timestamp.to_msgpack_ext(#{sec}, #{nsec})", "@s && MessagePack::Timestamp.from_msgpack_ext(@s)"]
    when 1 then ["@t = MessagePack::Timestamp.new(#{sec}, #{nsec})", "@t.to_msgpack_ext", "@t == MessagePack::Timestamp.new(1, 0)", "[@t.sec, @t.nsec]"]
    when 2 then ["MessagePack::Timestamp.from_msgpack_ext(#{hex(@dice.bytes(@dice.pick([0, 3, 4, 5, 8, 11, 12, 13])))})"]
    when 3 then ["@s = MessagePack::Time::Packer.call(Time.at(#{@dice.pick(["0", "1", "-1.5r", "2**33", "2**35", "1.25"])}))", "@s && MessagePack::Time::Unpacker.call(@s)"]
    when 4, 5 then ["@s = MessagePack::Bigint.to_msgpack_ext(#{@dice.once_in(2) ? @literals.oversized : @literals.integer})", "@s && MessagePack::Bigint.from_msgpack_ext(@s)"]
    when 6 then ["MessagePack::Bigint.from_msgpack_ext(#{hex(@dice.bytes(@dice.below(14)))})"]
    when 7 then ["#{@literals.symbol}.to_msgpack_ext", "Symbol.from_msgpack_ext(#{hex(@dice.bytes(@dice.below(4)))})", "Symbol.from_msgpack_ext('é')"]
    else ["@e = MessagePack::ExtensionValue.new(#{@dice.pick(TYPE_IDS)}, #{@dice.pick(PAYLOADS)})", "[@e, @e.to_h, @e == @e.dup, @e.to_a]", "@e.to_msgpack", "MessagePack.pack([@e])"]
    end
  end

  # ---- unpacking ----

  def options
    chosen = %w[symbolize_keys freeze allow_unknown_ext].select { @dice.once_in(3) }.map { |name| "#{name}: #{@dice.once_in(8) ? @dice.pick(%w[1 nil false :yes]) : true}" }
    chosen << "key_cache: true" if !@old && @dice.once_in(3)
    chosen << @dice.pick(["'freeze' => true", "io_buffer_size: 1024", "read_reference_threshold: 256", "unknown: 1"]) if @dice.once_in(12)
    chosen.join(", ")
  end

  def unpack_one_shot
    given = options
    given = ", #{given}" unless given.empty?
    bytes = @wire.any
    case @dice.below(12)
    when 0..6 then ["@o = MessagePack.unpack(#{hex(bytes)}#{given})", *(@dice.once_in(3) ? ["MessagePack.pack(@o)"] : [])]
    when 7 then ["MessagePack.load(#{hex(bytes)}.force_encoding('#{@dice.pick(Literals::ENCODINGS)}').freeze#{given})"]
    when 8 then ["@s = #{hex(bytes)}", "@o = MessagePack.load(@s#{given})", "@s.clear", "@o"]
    when 9 then ["MessagePack.unpack(StringIO.new(#{hex(bytes)})#{given})"]
    when 10 then ["@io = #{io(bytes)}", "MessagePack.load(@io#{given})", "@io.left"]
    else [@dice.pick(["MessagePack.unpack(#{hex(bytes)}, #{io("\x01\x02".b)})", "MessagePack.load(#{@dice.pick(SCALAR_ARGUMENTS)})", "MessagePack.load(#{hex(bytes)}, #{@dice.pick(%w[nil false {} 5])})", "MessagePack.load(Text.new(#{hex(bytes)}))", "MessagePack.load"])]
    end
  end

  def io(bytes)
    chunks = @dice.split(bytes, @dice.between(1, 5)).map { |chunk| hex(chunk) }
    ending = @dice.weigh("" => 10, "ending: :nil" => 2, "ending: :empty" => 2, "ending: :error" => 2)
    "#{@dice.once_in(4) ? "Reads" : "Chunks"}.new(#{[*chunks, *(ending unless ending.empty?)].join(", ")})"
  end

  def unpack_feed
    lines = ["@u = MessagePack::Unpacker.new(#{options})"]
    lines.concat(Array.new(@dice.between(1, 2)) { @dice.once_in(10) ? @dice.pick(ODD_BLOCKS) : @dice.pick(BLOCKS) }) if !@old && @dice.once_in(3)
    pieces = @dice.split(@wire.any + (@dice.once_in(2) ? @wire.any : "".b), @dice.weigh(1 => 5, 2 => 3, 3 => 2, 6 => 1))
    pieces.each do |piece|
      if @dice.once_in(6)
        lines << feed_each(piece)
      else
        lines << "@u.feed(#{@dice.once_in(20) ? "StringLike.new(#{hex(piece)})" : hex(piece)})"
      end
      lines.concat(Array.new(@dice.weigh(0 => 3, 1 => 5, 2 => 2, 4 => 1)) { unpacker_call })
    end
    lines << unpacker_call if pieces.empty?
    lines << "drain(@u)"
  end

  def feed_each(piece)
    @dice.pick(["each(@u, :feed_each, #{hex(piece)})", "each(@u, :feed_each, #{hex(piece)})", "@u.feed_each(#{hex(piece)}).to_a", "@u.feed_each(#{hex(piece)}) { |o| break o }",
                "@u.feed_each(#{hex(piece)}) { |o| log(o); raise IOError, 'block' }"])
  end

  def unpacker_call
    case @dice.below(32)
    when 0..9 then @dice.pick(%w[@u.read @u.read @u.unpack])
    when 10..12 then "@u.skip"
    when 13 then "@u.skip_nil"
    when 14 then "@u.read_array_header"
    when 15 then "@u.read_map_header"
    when 16 then "@u.full_unpack"
    when 17..19 then "each(@u)"
    when 20 then @dice.pick(["@u.each { |o| log(o); break 5 }", "@u.each { |o| log(o); raise IOError, 'block' }", "@u.each { |o| log(o, @u.read) }", "@u.each { |o| log(o); @u.reset }",
                             "@u.each { |o| log(o, each(@u)) }", "@u.each.first(2)", "@u.each { |a, b| log(a, b) }", "@u.each.next", "@u.each(&->(o) { log(o) })", "@u.each { |o| log(o); @u.skip }", "@u.each { |o| log(o); raise EOFError, 'block' }",
                             "fed = false; @u.each { |o| log(o); @u.feed(h('0506')) unless fed; fed = true }"])
    when 21 then "@u.reset"
    when 22 then "drain(@u)"
    when 23 then @dice.pick(["@u.buffer.size", "@u.buffer.to_s", "@u.buffer.empty?", "@u.buffer.to_a.join"])
    when 24 then @dice.pick(["@u.buffer.read(#{@dice.below(4)})", "@u.buffer.skip(#{@dice.below(4)})", "@u.buffer.clear", "@u.buffer << h('01')", "@u.buffer.read", "@u.buffer.io.class"])
    when 25 then @dice.pick(["@u.symbolize_keys?", "@u.freeze?", "@u.allow_unknown_ext?", "@u.buffer.equal?(@u.buffer)", "@u.registered_types", "@u.type_registered?(#{@dice.pick(["1", "Base", "Derived", "'x'"])})", "@u.respond_to?(:map)", *("@u.dup" unless @old)])
    when 26 then @dice.pick(["@u.feed(nil)", "@u.feed(5)", "@u.feed('')", "@u.feed_reference(h('0102'))", "@u.feed", "@u.read(1)", "@u.feed_each(5)", "@u.feed_each(nil) { }", "@u.freeze",
                             "@u.send(:initialize, symbolize_keys: true)", "@u.send(:initialize)"])
    else "@u.read"
    end
  end

  def unpack_io
    given = options
    lines = ["@io = #{io(@wire.any + @wire.any)}", "@u = MessagePack::Unpacker.new(@io#{", #{given}" unless given.empty?})"]
    lines << @dice.pick(BLOCKS) if !@old && @dice.once_in(4)
    lines.concat(Array.new(@dice.between(1, 4)) do
      case @dice.below(12)
      when 0 then "@io.add(#{hex(@wire.objects)})"
      when 1 then "@io.left"
      when 2 then "@u.feed(#{hex(@wire.objects)})"
      else unpacker_call
      end
    end)
    lines << "@io.left" << "drain(@u)"
  end

  def unpack_factory
    ids = UNPACKERS.keys + RECURSIVE.keys
    chosen = ids.sample(@dice.between(1, 4), random: Random.new(@dice.below(1 << 30)))
    wire = Wire.new(@dice, ids: chosen + [chosen.first, 77], recursive: OBJECTS_INSIDE)
    lines = ["@f = MessagePack::Factory.new"]
    chosen.each do |id|
      if RECURSIVE.key?(id)
        lines << "@f.register_type(#{id}, Class.new, unpacker: #{RECURSIVE[id]}, recursive: true)"
      else
        klass, callable = UNPACKERS[id]
        callable += ", optimized_symbols_parsing: true" if id == 5 && @dice.once_in(2)
        lines << "@f.register_type(#{id}, #{klass}, packer: nil, #{callable})"
      end
    end
    bytes = @dice.once_in(3) ? wire.any : wire.objects
    given = options
    case @dice.below(10)
    when 0..3 then lines << "@f.load(#{hex(bytes)}#{", #{given}" unless given.empty?})"
    when 4 then lines << "@io = #{io(bytes)}" << "@u = @f.unpacker(@io#{", #{given}" unless given.empty?})" << unpacker_call << unpacker_call << "drain(@u)"
    else
      lines << "@u = @f.unpacker(#{given})"
      @dice.split(bytes, @dice.weigh(1 => 6, 2 => 2, 4 => 1)).each { |piece| lines << "@u.feed(#{hex(piece)})" << unpacker_call }
      lines << "drain(@u)"
    end
    lines
  end

  def unpack_pool
    lines = ["@f = MessagePack::Factory.new", *registrations, "@pool = @f.pool(1#{", #{options}" unless options.empty?})"]
    Array.new(@dice.between(1, 3)) do
      bytes = @wire.any
      case @dice.below(4)
      when 0..1 then lines << "@pool.load(#{hex(bytes)})"
      when 2 then lines << "@pool.unpacker { |u| u.feed(#{hex(bytes)}); drain(u) }"
      else lines << "@pool.load(#{@dice.pick(SCALAR_ARGUMENTS)})"
      end
    end
    lines
  end

  def unpack_buffer
    with_io = @dice.once_in(3)
    lines = with_io ? ["@io = #{io(@dice.bytes(@dice.below(40)))}"] : []
    lines << @dice.pick(with_io ? ["@b = MessagePack::Buffer.new(@io)", "@b = MessagePack::Buffer.new(@io, io_buffer_size: 1024)"] : ["@b = MessagePack::Buffer.new", "@b = MessagePack::Buffer.new({})", "@b = MessagePack::Buffer.new(nil)", "@b = MessagePack::Buffer.new(write_reference_threshold: 256, read_reference_threshold: 256)"])
    lines.concat(Array.new(@dice.between(2, 9)) { buffer_call(with_io) })
    lines << "@b.to_s" << "@b.size"
    lines << "@io.left" if with_io
    lines
  end

  def buffer_call(with_io)
    n = @dice.pick([0, 1, 2, 3, 5, 10, 100, 300, 5000])
    case @dice.below(20)
    when 0..4 then "@b #{@dice.once_in(2) ? "<<" : ".write"} #{mostly_text}".sub(" .write ", ".write(").then { |text| text.include?(".write(") ? "#{text})" : text }
    when 5..7 then "@b.read(#{n})"
    when 8 then "@b.read"
    when 9, 10 then "@b.read_all(#{n})"
    when 11 then "@b.read_all"
    when 12 then "@b.skip(#{n})"
    when 13 then "@b.skip_all(#{n})"
    when 14 then "@out = +'out'; [@b.read#{@dice.pick(["", "_all"])}(#{n}, @out).equal?(@out), @out.b]"
    when 15 then @dice.pick(["@b.size", "@b.empty?", "@b.to_a.join", "@b.to_str", "@b.io.class", "@b.clear", "@b.flush", "@b.close"])
    when 16 then @dice.pick(["@b.write_to(@s = Sink.new)", "@b.write_to(StringIO.new)", "@b.write_to(Sink.new(fail_at: 1))", "@b.write_to(nil)"])
    when 17 then with_io ? "@b.size" : @dice.pick(["@b.read(#{@dice.pick(["nil", "1.9", "-1", "'1'", ":a", "2**70", "StringLike.new('ab')"])})", "@b.skip(#{@dice.pick(["nil", "1.9", "-1", "'1'", "2**70"])})",
                                                 "@b.read_all(#{@dice.pick(["nil", "1.9", "-1", "'1'", "2**70"])})", "@b.skip_all(#{@dice.pick(["nil", "-1", "1.9"])})", "@b.read(1, 5)", "@b.read(1, 'x'.freeze)", "@b.read(1, +'a', 3)",
                                                 "@b.read(1, nil)", "@b << 5", "@b << nil", "@b.write(:a)", "MessagePack::Buffer.new(1, 2)", "MessagePack::Buffer.new(1, nil)", "MessagePack::Buffer.new(1, {}, 3)"])
    when 18 then "@b << MessagePack::Buffer.new.tap { |b| b << 'inner' }"
    else "@b << 'x' * #{@dice.pick([255, 256, 257, 4096, 5000, 40_000])}"
    end
  end

  def mostly_text
    @dice.once_in(4) ? @literals.string : hex(@dice.bytes(@dice.below(12)))
  end
end
