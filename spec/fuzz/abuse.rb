# frozen_string_literal: true

require_relative "dice"
require_relative "literals"
require_relative "wire"

# Random programs that mistreat the gem: callbacks that raise, throw, come back to the object that calls
# them, change the containers and strings it is working on, collect garbage, or switch away and return.
#
# Lines share instance variables: @u unpacker, @pk packer, @b buffer, @f factory, @pool, @io, @a and @h (an
# Array and a Hash that are packed), @s (a String that is fed).
class Abuse
  IDS = [1, 2, 3, 4, 5, 6, 7, -1, 77].freeze
  # Ids of recursive types, with the objects in their payload.
  RECURSIVE = { 4 => 2, 5 => 1, 6 => 3 }.freeze

  # What most lines of a program are about: what is rare in a mixture is often what breaks.
  SUBJECTS = %i[unpacker packer one_shot buffer other].freeze

  def program(seed)
    @dice = Dice.new(seed)
    @subject = @dice.weigh(unpacker: 4, packer: 3, one_shot: 3, buffer: 2, other: 1)
    @literals = Literals.new(@dice, strangers: 20, long: 3000)
    @wire = Wire.new(@dice, ids: IDS, recursive: RECURSIVE)
    types = self.types
    ids = types.filter_map { |text| text[/register_type\((-?\d+)/, 1]&.to_i }
    @wire = Wire.new(@dice, ids: [*ids, *(77 if ids.empty? || @dice.once_in(5))], recursive: RECURSIVE, exts: 16)
    lines = [*things(types), *Array.new(@dice.between(2, 10)) { line }]
    lines << "check" unless @dice.once_in(10)
    lines
  end

  private

  # ---- the objects at hand ----

  def things(types)
    [
      "@s = #{bytes}", "@a = [#{Array.new(@dice.below(6)) { value }.join(", ")}]", "@h = #{@literals.pairs(@dice.below(5)) { [key, value] }}",
      "@f = MessagePack::Factory.new", *types,
      "@io = io(#{Array.new(@dice.below(5)) { @dice.once_in(3) ? "->(n) { #{acts}; #{bytes} }" : bytes }.join(", ")})",
      "@u = #{@dice.once_in(4) ? "MessagePack::Unpacker.new" : "@f.unpacker"}(#{arguments(unpacker_options)})",
      "@pk = #{@dice.once_in(4) ? "MessagePack::Packer.new" : "@f.packer"}(#{arguments(packer_options)})",
      "@b = #{@dice.pick(["MessagePack::Buffer.new(#{arguments(sizes)})", "@u.buffer", "@pk.buffer"])}",
      *("@pool = @f.pool(#{[@dice.below(3), *unpacker_options].join(", ")})" if @dice.once_in(3))
    ]
  end

  def arguments(options)
    [*("@io" if @dice.once_in(3)), *options].join(", ")
  end

  # Each of these is a list of arguments, maybe an empty one.
  def unpacker_options
    %w[symbolize_keys freeze allow_unknown_ext key_cache].select { @dice.once_in(3) }.map { |name| "#{name}: true" } + sizes
  end

  def packer_options
    [*("compatibility_mode: true" if @dice.once_in(6)), *sizes]
  end

  def sizes
    [*(@dice.pick(["io_buffer_size: 1024", "read_reference_threshold: 256", "write_reference_threshold: 256", "io_buffer_size: 1", "read_reference_threshold: 0, write_reference_threshold: 0"]) if @dice.once_in(3))]
  end

  def types
    lines = [
      "@f.register_type(1, Point, packer: ->(o) { #{acts}; 'payload' }, unpacker: ->(d) { #{acts}; #{result} })",
      "@f.register_type(2, Base, packer: hook(#{bytes}) { #{acts} }, unpacker: hook(#{value}) { #{acts} })",
      "@f.register_type(3, Symbol, packer: ->(o) { #{acts}; o.name }, unpacker: ->(d) { #{acts}; d.to_sym }#{", optimized_symbols_parsing: true" if @dice.once_in(2)})",
      "@f.register_type(4, Pair, recursive: true, packer: ->(o, pk) { #{acts}; pk.write(o.x); #{acts}; pk.write(o.y) }, unpacker: ->(u) { #{acts}; a = u.read; #{acts}; [a, u.read] })",
      "@f.register_type(5, Table, recursive: true, packer: ->(o, pk) { act { pk.write(@h) }; #{acts} }, unpacker: ->(u) { #{recursive_read} })",
      "@f.register_type(6, List, recursive: true, packer: ->(o, pk) { #{acts}; pk.write_array(o) }, unpacker: ->(u) { #{recursive_read}; #{acts}; #{result} })",
      "@f.register_type(7, Integer, oversized_integer_extension: true, packer: ->(i) { #{acts}; i.to_s }, unpacker: ->(d) { d.to_i })",
      "@f.register_type(-1, Object, packer: ->(o) { #{acts}; 'object' }, unpacker: ->(d) { #{result} })",
      "@f.register_type(1, Text, packer: ->(o) { #{acts}; hook(o.to_s) { #{acts} } }, unpacker: :new)"
    ]
    lines.select { @dice.once_in(2) } + (@dice.once_in(6) ? ["@f.freeze"] : [])
  end

  def recursive_read
    @dice.pick(["u.read", "u.each { |o| #{acts} }", "u.full_unpack", "u.skip; u.read", "u.read_array_header; u.read; #{acts}", "u.skip_nil; u.read", "begin; u.read; rescue StandardError; #{acts}; end", "#{acts}; nil",
                "MessagePack.unpack(@s); u.read; u.read", "pause; u.read", "u.skip; u.skip; u.skip"])
  end

  # What an ext proc returns: maybe something that runs code as a map key.
  def result
    @dice.pick(["d", "nil", "[d]", "hook(1) { #{acts} }", "hook(1) { #{acts} }", "@a", "@h", "d * 300", "Class.new", "hook([1]) { #{acts} }"])
  end

  def value
    case @dice.below(10)
    when 0, 1 then "hook(#{@literals.object(1)}) { #{acts} }"
    when 2 then @dice.pick(["Point.new(1, 2)", "Base.new(1)", "Pair.new(1, [2])", "Pair.new(Pair.new(1, 2), Table.new)", "Table.new.update(1 => 2)", "List.new([1, Pair.new(3, 4)])", "2**70", "own([1])", "Text.new('text')", ":sym", "Object.new"])
    when 3 then @dice.pick(["'x' * 300", "'x' * 5000", *("'x'.b * 600_000" if @dice.once_in(9)), "Array.new(600) { |i| i.to_s * 9 }", "Array.new(3000) { |i| i }", "Array.new(40) { |i| [i] }.to_h"])
    else @literals.object(2)
    end
  end

  def key
    @dice.once_in(3) ? value : @literals.string
  end

  # Mostly an Array or a map, so that something surrounds the exts; sometimes one of very many.
  def bytes
    data = case @dice.below(12)
           when 0 then "\xdd\x00\x00\x04\x00".b + @wire.object * 60 + @wire.object * 1000
           when 1..6 then (n = @dice.between(1, 7)) && [0x90 + n].pack("C") + Array.new(n) { @wire.object(2) }.join
           when 7, 8 then (n = @dice.between(1, 4)) && [0x80 + n].pack("C") + Array.new(2 * n) { @wire.object(1) }.join
           else @wire.any
           end
    %(h("#{data.unpack1("H*")}"))
  end

  # ---- what is called ----

  def line
    text = call
    case @dice.below(24)
    when 0 then "stress { #{text} }"
    when 1, 2 then "fiber { #{text} }"
    when 3 then "thread { #{text} }"
    when 4 then "resume"
    when 5 then "GC.compact"
    else text
    end
  end

  def call
    __send__(@dice.once_in(3) ? @dice.pick(SUBJECTS) : @subject)
  end

  def unpacker
    case @dice.below(20)
    when 0..2 then "@u.feed(@s)"
    when 3 then "@u.feed(#{@dice.once_in(3) ? "hook(#{bytes}) { #{acts} }" : bytes})"
    when 4..7 then "@u.read"
    when 8, 9 then "@u.skip"
    when 10 then @dice.pick(["@u.skip_nil", "@u.read_array_header", "@u.read_map_header", "@u.full_unpack"])
    when 11, 12 then "@u.each { |o| #{acts} }"
    when 13, 14 then "@u.feed_each(@s) { |o| #{acts} }"
    when 15 then @dice.pick(["@u.each.next", "@e = @u.feed_each(@s); @e.next; #{acts}; @e.next", "@u.reset", "@u.buffer.to_s"])
    when 16 then "@u.register_type(#{@dice.pick(IDS)}) { |d| #{acts}; #{result} }"
    when 17 then @dice.pick(["@u.send(:initialize, @io)", "@u.send(:initialize, freeze: true)", "@u.registered_types", "@u.inspect", "@u = @f.unpacker"])
    when 18 then "@io.chunks << #{@dice.once_in(2) ? "->(n) { #{acts}; #{bytes} }" : bytes}"
    else "@pool&.unpacker { |u| @u = u; u.feed(@s); u.read; #{acts} }"
    end
  end

  def packer
    case @dice.below(16)
    when 0..3 then "@pk.write(#{@dice.pick(["@a", "@h", value, "[@a, @h, @a]"])})"
    when 4 then @dice.pick(["@pk.flush", "@pk.to_s", "@pk.full_pack", "@pk.reset", "@pk.to_a", "@pk.size", "@pk.write_to(@io)"])
    when 5, 6 then @dice.pick(["@pk.write_array(@a)", "@pk.write_hash(@h)", "@pk.write_ext(1, hook(#{bytes}) { #{acts} })", "@pk.write_float(hook(1.5) { #{acts} })", "@pk.write_array_header(hook(3) { #{acts} })",
                               "@pk.write_bin(@s)", "@pk.write_string(@s)", "@pk.write_extension(Pair.new(1, hook(#{bytes}) { #{acts} }))", "@pk.write_float32(1)", "@pk.write_int(2**70)", "@pk.write_ext(hook(300) { #{acts} }, '')"])
    when 7, 8 then "MessagePack.pack(#{@dice.pick(["@a", "@h", value])}#{@dice.pick(["", ", @io", ", compatibility_mode: true"])})"
    when 9, 10 then "@f.dump(#{@dice.pick(["@a", "@h", value])}#{@dice.pick(["", ", @io"])})"
    when 11 then "@pool&.dump(#{value})"
    when 12 then "@pool&.packer { |pk| @pk = pk; pk.write(@a); #{acts} }"
    when 13 then "@pk.register_type(#{@dice.pick(IDS)}, #{@dice.pick(%w[Point Hash Array String Hook Symbol])}) { |o| #{acts}; 'x' }"
    when 14 then @dice.pick(["@pk.send(:initialize, @io)", "@pk = @f.packer; GC.start", "@pk.registered_types"])
    else "#{value}.to_msgpack(@pk)"
    end
  end

  def one_shot
    case @dice.below(8)
    when 0..4 then "@f.load(#{[@dice.pick(["@s", "@s", "@s", bytes, "@io"]), *unpacker_options].join(", ")})"
    when 5 then "MessagePack.unpack(#{@dice.pick(["@s", bytes, "@io"])})"
    when 6 then "@pool&.load(#{@dice.pick(["@s", "hook(@s) { #{acts} }"])})"
    else "@s = #{bytes}"
    end
  end

  def buffer
    case @dice.below(8)
    when 0..2 then "@b << #{@dice.pick(["@s", bytes, "hook(#{bytes}) { #{acts} }", "@b.to_s[0, 99]", "(MessagePack::Buffer.new << 'other')", "'x' * 5000"])}"
    when 3..5 then @dice.pick(["@b.read", "@b.read(#{n})", "@b.read_all(#{n})", "@b.read(#{n}, @s)", "@b.read_all(#{n}, hook(+'') { #{acts} })", "@b.read(hook(#{n}) { #{acts} })", "@b.skip(#{n})", "@b.skip_all(#{n})"])
    when 6 then @dice.pick(["@b.write_to(@io)", "@b.flush", "@b.close", "@b.clear", "@b.to_a", "@b.size"])
    else "@b.write_to(hook(1) { #{acts} })"
    end
  end

  def other
    case @dice.below(4)
    when 0 then "@f.register_type(#{@dice.pick(IDS)}, Hook, packer: ->(o) { #{acts}; 'x' }, unpacker: ->(d) { #{acts}; d })"
    when 1 then @dice.pick(["MessagePack::Unpacker.new(options { #{acts} })", "MessagePack::Packer.new(options { #{acts} })", "@b.send(:initialize, @io)", "MessagePack::Unpacker.new(hook(1) { #{acts} }).read",
                            "MessagePack::Unpacker.allocate.read", "MessagePack::Buffer.allocate.read", "@f.dup.unpacker.feed(@s).read", "@f.freeze"])
    when 2 then @dice.pick(["@f.registered_types", "ObjectSpace.memsize_of(@u) + ObjectSpace.memsize_of(@pk) + ObjectSpace.memsize_of(@b) + ObjectSpace.memsize_of(@f)", "GC.start"])
    else "@u = @f.unpacker; @pk = @f.packer; GC.start"
    end
  end

  def n = @dice.pick([0, 1, 2, 5, 100, 300, 5000, 100_000])

  # What a callback does before it does its work.
  def acts
    return "" if (@nesting = @nesting.to_i) > 2 || @dice.once_in(4)

    @nesting += 1
    list = Array.new(@dice.weigh(1 => 6, 2 => 2, 3 => 1)) { act }
    @nesting -= 1
    "act { #{list.join("; ")} }"
  end

  def act
    case @dice.below(30)
    when 0 then @dice.pick(["raise IOError, 'act'", "raise EOFError, 'act'", "raise Exception, 'act'"])
    when 1 then "throw :out"
    when 2 then "GC.start"
    when 3 then "GC.compact"
    when 4, 5 then "pause"
    when 6 then "Thread.pass"
    when 7 then "Thread.current.kill if @thread"
    when 8..11 then @dice.pick(["@a.clear", "@a << 1", "@a.concat(Array.new(500, 'x'))", "@a.shift", "@a.replace([[1]])", "@a.fill(nil)"])
    when 12..15 then @dice.pick(["@h.clear", "@h.delete(@h.keys.last)", "@h.delete(@h.keys.first)", "@h['new'] = 1", "@h.replace({ 1 => 2 })", "@h.each_key { |k| @h[k] = 'y' * 300 }", "@h.rehash"])
    when 16..20 then @dice.pick(["@s.clear", "@s.clear", "@s << 'x' * 3000", "@s.replace('')", "@s.setbyte(0, 0xc1)", "@s.slice!(0, 9)", "@s << @s.byteslice(0, 99)", "@s.force_encoding('UTF-16LE')", "@s.freeze"])
    when 21, 22 then @dice.pick(["@u.reset", "@pk.reset", "@u.buffer.clear", "@pk.buffer.clear", "@pk.full_pack", "@u.buffer.read(1)"])
    else call
    end
  end
end
