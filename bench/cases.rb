# frozen_string_literal: true

require "rbconfig"
require "stringio"
require_relative "data"
require_relative "unseen"

module Bench
  # A library: what to require, how to pack @object and unpack @bytes, its version.
  Library = Struct.new(:file, :pack, :unpack, :version)

  # What is different from library to library. The floor is no library: see floor/floor.c.
  LIBRARIES = {
    msgpack: Library.new("msgpack", "MessagePack.pack(@object)", "MessagePack.unpack(@bytes)", -> { MessagePack::VERSION }),
    json: Library.new("json", "JSON.generate(@object)", "JSON.parse(@bytes)", -> { JSON::VERSION }),
    marshal: Library.new("rbconfig", "Marshal.dump(@object)", "Marshal.load(@bytes)", -> { "#{Marshal::MAJOR_VERSION}.#{Marshal::MINOR_VERSION}" }),
    oj: Library.new("oj", "Oj.dump(@object, mode: :strict)", "Oj.load(@bytes, mode: :strict)", -> { Oj::VERSION }),
    cbor: Library.new("cbor", "CBOR.encode(@object)", "CBOR.decode(@bytes)", -> { CBOR::VERSION }),
    floor: Library.new("floor", "Floor.encode(@object)", "Floor.build(@tape)", -> { "-" })
  }.freeze

  # A case: what to measure, as Ruby source for each library that can do it, so that no block is
  # called between the loop and the library; and a setup that runs once, in a {Context}.
  #
  # `direction` is :pack or :unpack where a whole document goes through, so that the result can be
  # compared from library to library. `since` is the first release of the C gem that has what the
  # case needs.
  Case = Struct.new(:name, :code, :setup, :direction, :since, keyword_init: true) do
    def for?(library, version)
      code.key?(library) && (library != :msgpack || since.nil? || Gem::Version.new(version) >= Gem::Version.new(since))
    end
  end

  # Where a case's code runs.
  class Context
    attr_reader :bytes, :object

    def initialize(library, kase)
      @library = library
      instance_exec(&kase.setup)
      code = kase.code.fetch(library)
      # Looked up where the classes of the cases are; the names of the loop are none of theirs.
      extend(Cases.module_eval("Module.new { def call = (#{code}); def run(_calls); _call = 0; while _call < _calls; #{code}; _call += 1; end; end }", __FILE__, __LINE__))
    end

    # Sets @object, and @bytes to what the library packs it to.
    def packed(object)
      @object = object
      return @tape = Floor.tape(object) if @library == :floor

      @bytes = instance_eval(LIBRARIES.fetch(@library).pack)
    end

    # Factory, object and bytes of a case with ext types.
    def with_types(object, &register)
      @factory = MessagePack::Factory.new
      register.call(@factory)
      @object = object
      @bytes = @factory.packer.write(object).to_s
    end
  end

  module Cases
    PACK = LIBRARIES.transform_values(&:pack).freeze
    UNPACK = LIBRARIES.transform_values(&:unpack).freeze
    FACTORY = { "pack" => "@factory.dump(@object)", "unpack" => "@factory.load(@bytes)" }.freeze
    FEED = "@unpacker.feed(@bytes); @unpacker.read"

    DOCUMENTS = {
      "plain" => :plain, "structured" => :structured, "1000 records" => :records, "ints" => :ints, "ints, shuffled" => :shuffled_ints,
      "floats" => :floats, "600 immediates" => :immediates, "1 MB string" => :megabyte, "[1 MB, 1 MB, 1]" => :megabytes, "100 levels" => :nested
    }.freeze

    # The object of the classic case: an ext type with methods of its own, registered by their names.
    class Extended
      def to_msgpack_ext = MessagePack.pack({})
      def self.from_msgpack_ext(data) = MessagePack.unpack(data)
      def inspect = "Extended"
    end

    Point = Struct.new(:x, :y)

    @all = {}
    @calls = {}

    class << self
      # What is compared with other libraries; see calls.rb for the rest.
      attr_reader :all, :calls

      def fetch(name) = @all[name] || @calls.fetch(name)

      def call(name, code, &setup)
        @calls[name] = Case.new(name: name, code: { msgpack: code }, setup: setup || proc {})
      end

      def add(name, code, direction: nil, since: nil, &setup)
        code = { msgpack: code } if code.is_a?(String)
        @all[name] = Case.new(name: name, code: code, direction: direction, since: since, setup: setup)
      end

      def document(name, &object)
        add("pack #{name}", PACK, direction: :pack) { @object = object.call }
        add("unpack #{name}", UNPACK, direction: :unpack) { packed(object.call) }
      end

      # Both directions of a factory.
      def types(name, object, since: nil, &register)
        FACTORY.each { |direction, code| add("#{direction} #{name}", code, since: since) { with_types(object.call, &register) } }
      end
    end

    # ---- documents ----

    DOCUMENTS.each { |name, method| document(name) { Data.public_send(method) } }
    Data::CORPUS.each { |name| document(name) { Data.corpus(name) } }
    Unseen::RELATIVES.each_key { |name| document(name) { Unseen.public_send(name) } }

    # ---- options ----

    SYMBOLS = { msgpack: "MessagePack.unpack(@bytes, symbolize_keys: true)", json: "JSON.parse(@bytes, symbolize_names: true)" }.freeze
    FROZEN = { msgpack: "MessagePack.unpack(@bytes, freeze: true)", json: "JSON.parse(@bytes, freeze: true)" }.freeze
    add("unpack structured, symbols", SYMBOLS, direction: :unpack) { packed(Data.structured) }
    add("unpack 1000 records, symbols", SYMBOLS, direction: :unpack) { packed(Data.records) }
    add("unpack structured, frozen", FROZEN, direction: :unpack) { packed(Data.structured) }
    add("unpack 1000 records, frozen", FROZEN, direction: :unpack) { packed(Data.records) }
    add("unpack 1000 records, key_cache", "MessagePack.unpack(@bytes, key_cache: true)", since: "1.5.0") { packed(Data.records) }

    # ---- a live Unpacker ----

    add("feed and read 1 byte", FEED) { @unpacker = MessagePack::Unpacker.new; packed(1) }
    add("feed and read structured", FEED) { @unpacker = MessagePack::Unpacker.new; packed(Data.structured) }
    add("feed and read structured, key_cache", FEED, since: "1.5.0") { @unpacker = MessagePack::Unpacker.new(key_cache: true); packed(Data.structured) }
    add("feed and read 600 immediates", FEED) { @unpacker = MessagePack::Unpacker.new; packed(Data.immediates) }
    add("feed and read 600 immediates, frozen", FEED) { @unpacker = MessagePack::Unpacker.new(freeze: true); packed(Data.immediates) }

    # ---- streams ----

    add("stream in 4-KiB pieces", "n = 0; @pieces.each { |piece| @unpacker.feed_each(piece) { n += 1 } }; n") do
      @unpacker = MessagePack::Unpacker.new
      bytes = Data.records.map { |record| MessagePack.pack(record) }.join
      @pieces = Array.new((bytes.bytesize + 4095) / 4096) { |i| bytes.byteslice(i * 4096, 4096) }
    end
    add("stream from an IO", "@io.rewind; n = 0; MessagePack::Unpacker.new(@io).each { n += 1 }; n") do
      @io = StringIO.new(Data.records.map { |record| MessagePack.pack(record) }.join)
    end
    add("stream to an IO", "@io.rewind; packer = MessagePack::Packer.new(@io); @records.each { |record| packer.write(record) }; packer.flush; @io.pos") do
      @io = StringIO.new("".b)
      @records = Data.records
    end
    add("records to_msgpack", "@records.each(&:to_msgpack); nil") { @records = Data.records(100) }

    # ---- ext types ----

    extended = proc do
      packer = MessagePack::Packer.new
      packer.register_type(0, Extended, :to_msgpack_ext)
      @object = { "extended" => Extended.new }
      @bytes = packer.write(@object).to_s
    end
    add("pack extended", "packer = MessagePack::Packer.new; packer.register_type(0, Extended, :to_msgpack_ext); packer.write(@object).to_s", &extended)
    add("unpack extended", "unpacker = MessagePack::Unpacker.new; unpacker.register_type(0, Extended, :from_msgpack_ext); unpacker.feed(@bytes); unpacker.read", &extended)

    types("100 symbols", -> { Array.new(100) { |i| :"symbol_#{i % 20}" } }) { |factory| factory.register_type(0, Symbol) }
    types("100 times", -> { Array.new(100) { |i| Time.at(1_700_000_000 + i, i, :nsec) } }) do |factory|
      factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
    end
    types("100 bigints", -> { Array.new(100) { |i| 2**(64 + i) + i } }, since: "1.5.2") do |factory|
      require "msgpack/bigint"
      factory.register_type(1, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext), unpacker: MessagePack::Bigint.method(:from_msgpack_ext), oversized_integer_extension: true)
    end
    types("100 points", -> { Array.new(100) { |i| Point.new(i, -i) } }) do |factory|
      factory.register_type(2, Point, packer: ->(point) { [point.x, point.y].pack("l>l>") }, unpacker: ->(data) { Point.new(*data.unpack("l>l>")) })
    end
    types("100 points, recursive", -> { Array.new(100) { |i| Point.new(i, -i) } }, since: "1.5.0") do |factory|
      factory.register_type(2, Point, recursive: true, packer: ->(point, packer) { packer.write(point.x).write(point.y) }, unpacker: ->(unpacker) { Point.new(unpacker.read, unpacker.read) })
    end

    # ---- pool ----

    pooled = proc do
      @pool = MessagePack::Factory.new.pool(1)
      packed(Data.structured)
    end
    add("pool, pack structured", "@pool.dump(@object)", since: "1.5.0", &pooled)
    add("pool, unpack structured", "@pool.load(@bytes)", since: "1.5.0", &pooled)

    # ---- what a call costs before there is anything to do ----

    module Ruby
      NOTHING = {}.freeze

      def self.plain(_object) = nil
      def self.optional(_object, _options = nil) = nil
      def self.keywords(_object, freeze: false, symbolize_keys: false) = nil
      def self.mixed(_object, _options = nil, freeze: false, symbolize_keys: false) = nil
      def self.rest(_object, *_rest) = nil
    end

    call("(an empty loop)", "nil")
    call("(a method in C)", "NIL_BYTES.frozen?")
    call("(a Ruby method)", "Ruby.plain(nil)")
    call("(a Ruby method, optional argument left out)", "Ruby.optional(nil)")
    call("(a Ruby method, keyword left out)", "Ruby.keywords(nil)")
    call("(a Ruby method, one keyword)", "Ruby.keywords(nil, freeze: true)")
    call("(a Ruby method, braceless Hash)", "Ruby.optional(nil, freeze: true)")
    call("(a Ruby method, optional and keywords, all left out)", "Ruby.mixed(nil)")
    call("(a Ruby method, *rest, none)", "Ruby.rest(nil)")

    NIL_BYTES = "\xC0".b.freeze
    call("pack nil", "MessagePack.pack(nil)")
    call("pack nil, an option", "MessagePack.pack(nil, compatibility_mode: true)")
    call("pack nil, empty Hash", "MessagePack.pack(nil, Ruby::NOTHING)")
    call("nil.to_msgpack", "nil.to_msgpack")
    call("unpack nil", "MessagePack.unpack(NIL_BYTES)")
    call("unpack nil, an option", "MessagePack.unpack(NIL_BYTES, freeze: true)")
    call("unpack nil, two options", "MessagePack.unpack(NIL_BYTES, freeze: true, symbolize_keys: true)")
    call("unpack nil, empty Hash", "MessagePack.unpack(NIL_BYTES, Ruby::NOTHING)")

    call("Packer.new", "MessagePack::Packer.new")
    call("Packer.new, an option", "MessagePack::Packer.new(compatibility_mode: true)")
    call("Packer.new, write nil, to_s", "MessagePack::Packer.new.write(nil).to_s")
    call("write nil, to_s, reset", "@packer.write(nil); @packer.to_s; @packer.reset") { @packer = MessagePack::Packer.new }
    call("Unpacker.new", "MessagePack::Unpacker.new")
    call("Unpacker.new, two options", "MessagePack::Unpacker.new(freeze: true, symbolize_keys: true)")
    call("Unpacker.new, full_unpack nil", "unpacker = MessagePack::Unpacker.new; unpacker.feed(NIL_BYTES); unpacker.full_unpack")

    call("Factory.new", "MessagePack::Factory.new")
    factory = proc { @factory = MessagePack::Factory.new }
    call("factory.packer", "@factory.packer", &factory)
    call("factory.unpacker", "@factory.unpacker", &factory)
    call("factory.unpacker, two options", "@factory.unpacker(freeze: true, symbolize_keys: true)", &factory)
    call("factory.dump nil", "@factory.dump(nil)", &factory)
    call("factory.load nil", "@factory.load(NIL_BYTES)", &factory)
    call("factory.load nil, an option", "@factory.load(NIL_BYTES, freeze: true)", &factory)

    pool = proc { @pool = MessagePack::Factory.new.pool(1) }
    call("pool.dump nil", "@pool.dump(nil)", &pool)
    call("pool.load nil", "@pool.load(NIL_BYTES)", &pool)
    call("pool.packer", "@pool.packer { |_| nil }", &pool)
    call("pool.unpacker", "@pool.unpacker { |_| nil }", &pool)
  end
end
