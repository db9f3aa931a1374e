# frozen_string_literal: true

module Differential
  # A difference that is meant. Rules see the first line on which the two differ; what comes after that
  # line is not compared.
  class Rule
    attr_reader :name, :text, :old

    def initialize(name, text, old, test)
      @name = name
      @text = text
      @old = old
      @test = test
    end

    def explains?(difference)
      @test.call(difference)
    end
  end

  # What the rules ask about a difference.
  module Facts
    READ = /@u\.(?:read|unpack|skip|skip_nil|full_unpack|read_array_header|read_map_header)\b|drain\(@u\)|each\.next/
    EACH = /each\(@u|@u\.(?:each|feed_each)/
    # What the C gem does not resume.
    SPECIAL = /@u\.(?:skip|skip_nil|full_unpack|read_array_header|read_map_header)\b/
    END_OF_BUFFER = /EOFError(?:: "|,b")(?:end of buffer reached|656e64206f66206275666665722072656163686564)/
    PROC_ERROR = /IOError|UnknownExtTypeError|ArgumentError|UnexpectedTypeError|(?<!Unexpected)TypeError|NoMethodError|Invalid timestamp|496e76616c69642074696d657374616d70/
    UNKNOWN_WRITE = /undefined method `write' for (?:an instance of |#<)(?:Chunks|Reads|Object)/
    UNKNOWN_WRITE_HEX = "undefined method `write' for ".unpack1("H*")

    def line = program[index]
    def before = program[0...index]
    def our = ours[index].to_s
    def their = peer[index].to_s
    def text = program.join("\n")

    # Since the last reset, and so with the state that the unpacker is in now.
    def since_reset
      from = before.rindex { |line| line.match?(/\A@u(?:\.reset| = )/) } || 0
      before[from..].zip(peer[from...index])
    end

    # With an io to read from.
    def io? = text.match?(/@io = (?:Chunks|Reads|StringIO)|unpack\(StringIO|load\(@io/)

    def unpacker? = line.match?(/@u\b|\bu\b|@io\.left/)
    def recursive? = text.match?(/unpacker: ->\(u\).*recursive: true/)
    def option?(name) = text.match?(/\b#{name}: (?!nil|false)/)

    # Both, without the marks of interned strings.
    def plain = [our, their].map { |result| result.gsub(/"!=(?!>)/, '"!') }

    def after?(calls, outcome)
      since_reset.any? { |line, result| line.match?(calls) && result.match?(outcome) }
    end
  end

  RULES = []

  def self.rule(name, text, old: false, &test)
    RULES << Rule.new(name, text, old, test)
  end

  # ---- errors of ours that the C gem has not ----

  rule("sizes", "negative sizes of headers are refused") do |d|
    d.line.match?(/write_(?:array|map|bin)_header\(-/) && d.our.start_with?("!RangeError")
  end

  rule("buffer-sizes", "sizes of a Buffer are checked") do |d|
    d.line.match?(/@b\.(?:read|read_all|skip|skip_all)\((?:nil|1\.9|-1|'1'|:a|2\*\*70|StringLike)/)
  end

  rule("buffer-arguments", "the ArgumentErrors of Buffer.new are about its second argument") do |d|
    d.line.start_with?("MessagePack::Buffer.new(1") && [d.our, d.their].all? { |result| result.start_with?("!ArgumentError") }
  end

  rule("timestamp", "a Timestamp that does not fit its fields is refused") do |d|
    d.our.match?(/\A!RangeError: "n?sec -?\d+ is out of range"/)
  end

  rule("type-id", "an id beyond 64 bits is a RangeError on a Factory") do |d|
    d.line.include?("@f.register_type(2**80") && d.our.start_with?("!RangeError") && d.their.start_with?("!TypeError")
  end

  rule("frozen-first", "a frozen packer says so whatever the arguments are") do |d|
    d.line.include?("register_type") && d.our.start_with?("!FrozenError") && d.their.start_with?("!ArgumentError")
  end

  # ---- errors of the C gem that are none ----

  rule("symbol-nil", "a Symbol type without callables packs Symbols as str") do |d|
    d.their.start_with?("!SystemStackError") && d.text.match?(/register_type\(\d+, Symbol, (?:nil|\{\})/)
  end

  rule("frozen-factory", "packers and unpackers of a frozen factory take types of their own") do |d|
    d.their.include?("can't modify frozen Hash") && d.text.include?("@f.freeze")
  end

  rule("writes-to-io", "the C gem writes to the io it reads from: what is fed, or put in its Buffer") do |d|
    d.their.match?(Facts::UNKNOWN_WRITE) || d.their.include?(Facts::UNKNOWN_WRITE_HEX) ||
      (d.line.match?(/\AMessagePack\.load\(h\(\S+, (?:false|5)\)/) && d.their.match?(/NoMethodError|TypeError/))
  end

  rule("io-pieces", "how much a packer sends to its io before flush is left open, as after an exception is what has gone") do |d|
    sink = d.text.match?(/@io = (?:Sink|Shovel|StringIO|Object)/) && d.line.match?(/@io|@pk/)
    flushed = d.before.rindex { |line| line.include?("@pk.flush") } || -1
    sink && (d.before.drop(flushed + 1).any? { |line| line.match?(/@pk/) } || d.before.zip(d.peer).any? { |line, result| line.match?(/@io|@pk/) && result.start_with?("!") } ||
      d.text.match?(/fail_at|@io = Object\.new/))
  end

  rule("initialize-again", "initialize called again forgets neither io nor types") do |d|
    d.before.any? { |line| line.include?("send(:initialize") } && d.text.match?(/@io|@f|register_type|@u/)
  end

  rule("integer-again", "Integer registered again on a packer is no oversized type any more") do |d|
    d.text.match?(/@f\.register_type\(13, Integer.*oversized/) && d.before.any?(/@pk\.register_type\(-?\d+, Integer/)
  end

  rule("io-error", "a Buffer's read keeps what it has when the io raises") do |d|
    d.text.include?("ending: :error") && d.text.include?("@b = ") && d.before.zip(d.peer).any? { |line, result| line.match?(/@b\.(?:read|skip)/) && result.start_with?("!IOError") }
  end

  rule("extended", "an object extended with a registered module is no plain object of its class, whatever was packed before") do |d|
    d.text.match?(/extend\(Tag\)/) && d.text.match?(/register_type\(\d+, Tag/) && d.line.match?(/dump|pack|write|@s/)
  end

  # ---- reading ----

  rule("extra-bytes", "the extra bytes of all pieces count") do |d|
    ours, theirs = [d.our, d.their].map { |result| result[/MalformedFormatError(?:: ")(\d+) extra bytes/, 1] }
    ours && theirs && ours.to_i > theirs.to_i
  end

  rule("class-frozen", "with freeze: true, classes that a proc returns are not frozen") do |d|
    ours, theirs = d.plain
    d.option?("freeze") && d.text.include?("Class.new") && (theirs.gsub("a Class!", "a Class") == ours || [ours, theirs].all?(/\A\[\d+:\h+\]\z/))
  end

  rule("interned", "with freeze: true, strings that came in pieces are interned as well") do |d|
    d.option?("freeze") && d.plain.uniq.one? && d.our.bytesize > d.their.bytesize
  end

  rule("end-of-io", "an io that ends by nil or an empty String in the midst of an object: the message is the same as elsewhere") do |d|
    texts = ["IO reached end of file", "end of buffer reached"]
    hex = texts.map { |text| text.unpack1("H*") }
    ours, theirs = d.plain
    d.text.match?(/ending: :(?:nil|empty)/) && theirs == ours.sub(*texts).sub(*hex)
  end

  rule("each-eof", "each over an io ends silently for its own end of data alone, not for an EOFError of the block") do |d|
    d.io? && d.line.match?(/@u\.each \{ \|o\| .*(?:raise EOFError, 'block'|@u\.read|@u\.skip)/) && d.our.start_with?("!EOFError")
  end

  rule("resume", "after EOFError without io nothing is lost") do |d|
    !d.io? && d.unpacker? && d.after?(Facts::READ, Facts::END_OF_BUFFER)
  end

  rule("resume-skip", "skip, header calls and full_unpack know a half-read object") do |d|
    d.unpacker? && (d.since_reset.any? { |line, _| line.match?(Facts::EACH) } || d.after?(Facts::READ, /EOFError/)) &&
      (d.line.match?(Facts::SPECIAL) || d.since_reset.any? { |line, _| line.match?(Facts::SPECIAL) })
  end

  rule("ext-error", "after an error about an ext its payload is gone, and the containers around it") do |d|
    d.unpacker? && (d.after?(/./, Facts::PROC_ERROR) || (d.line.include?("log(o, each(@u))") && d.our.match?(Facts::PROC_ERROR)))
  end

  rule("symbol-error", "after an EncodingError the containers around the key are gone") do |d|
    d.unpacker? && (d.after?(/./, /EncodingError/) || (d.line.include?("log(o, each(@u))") && d.our.include?("EncodingError")))
  end

  rule("symbol-error-early", "a key that is no Symbol is an error at once, not when its value is there") do |d|
    d.option?("symbolize_keys") && d.our.include?("EncodingError") && d.our != d.their && (d.io? || d.text.scan(/@u\.feed|:feed_each/).size > 1)
  end

  rule("header-c1", "header calls and skip_nil leave a byte c1 where it is") do |d|
    d.unpacker? && d.text.include?("c1") && (d.after?(/read_(?:array|map)_header/, /UnexpectedTypeError/) || d.after?(/skip_nil/, /false/))
  end

  rule("skip-by-length", "skip runs no procs and knows no unknown types") do |d|
    d.line.match?(/@u\.skip\b/) && (d.their.match?(/EncodingError/) || d.their.match?(Facts::PROC_ERROR) || d.their.include?(" log") || d.recursive?)
  end

  rule("half-scalar", "bytes of a half-read string or number may be counted in the buffer or not") do |d|
    calls = d.since_reset.map(&:first)
    read = calls.index { |line| line.match?(Facts::EACH) || line.match?(Facts::READ) }
    d.unpacker? && read && [*calls.drop(read), d.line].any? { |line| line.match?(/@u\.buffer/) }
  end

  rule("optimized-symbol", "the payload of an optimized Symbol is UTF-8, also when it came in pieces") do |d|
    d.text.include?("optimized_symbols_parsing: true") && d.text.match?(/@io = |@u\.feed/) && d.their.include?(":ASCII-8BIT:")
  end

  rule("ext-key", "a String that an ext proc returns as a map key is that String, with symbolize_keys too") do |d|
    keys = [d.our.gsub(/(?:Text)?[bu]"(\h*)"(?:!=?)?=>/, '\1=>'), d.their.gsub(/:[\w-]+:(\h*)=>/, '\1=>')].map { |result| result.gsub(/:[\w-]+:(\h*)=>/, '\1=>') }
    d.option?("symbolize_keys") && d.text.include?("register_type") && keys.uniq.one?
  end

  # ---- recursive types ----

  rule("recursive-empty", "a recursive proc gets the unpacker also for an empty payload") do |d|
    d.recursive? && d.their.match?(/undefined method `\w+' for an instance of String/)
  end

  rule("recursive-payload", "a recursive proc sees its payload, all of it and nothing else") do |d|
    d.recursive? && (d.our.match?(/unexpected end of the ext payload|extra bytes after the deserialized object/) ||
      d.our.include?("756e657870656374656420656e64206f662074686520657874207061796c6f6164") || d.our.include?("657874726120627974657320616674657220746865206465736572"))
  end

  rule("recursive-end", "each and full_unpack in a recursive proc end where its payload ends") do |d|
    d.recursive? && d.text.match?(/u\.each \{|u\.full_unpack/)
  end

  rule("recursive-skip", "skip in a recursive proc skips one object, containers included") do |d|
    d.recursive? && d.text.include?("->(u) { u.skip; u.read }")
  end

  rule("recursive-split", "a recursive proc is called when its payload is there") do |d|
    d.recursive? && (d.text.scan("@u.feed(").size > 1 || d.our.start_with?("!EOFError"))
  end

  rule("recursive-key", "what a recursive proc reads is a value, also in key position") do |d|
    d.recursive? && (d.option?("freeze") || d.option?("symbolize_keys")) && d.our.include?("=>")
  end

  # ---- releases before 1.5, which this Ruby has to do with ----

  rule("old-marks", "less is frozen (payloads of ExtensionValues) and more interned; Ruby 3.1 may forget an interned String while we hand it out", old: true) do |d|
    [d.our, d.their].map { |result| result.gsub(/"!(?:=(?!>))?/, '"') }.uniq.one?
  end

  rule("old-claims", "sizes that are claimed are not allocated, and do not wrap", old: true) do |d|
    d.their.include?("NoMemoryError") || d.text.match?(/df(?:"\), h\("|"\)\)\n@u\.feed\(h\(")?8(?:[0"]|\W)/)
  end

  rule("old-stack", "after too deep data the containers are gone", old: true) do |d|
    d.unpacker? && (d.their.include?("StackError") || d.after?(/./, /StackError/))
  end

  rule("old-symbol-late", "a key that is no Symbol is an error at once, not when its value is there", old: true) do |d|
    d.option?("symbolize_keys") && d.our.include?("EncodingError")
  end

  rule("old-id", "an id of an ExtensionValue that is no small Integer is a RangeError", old: true) do |d|
    d.line.include?("ExtensionValue.new") && d.our.start_with?("!RangeError")
  end

  rule("old-invalid", "after an invalid byte the containers are gone", old: true) do |d|
    d.unpacker? && d.text.include?("c1")
  end

  rule("old-skip-nil", "skip_nil takes the nil that it reports", old: true) do |d|
    d.unpacker? && d.after?(/@u\.skip_nil/, /\Atrue/)
  end

  rule("old-load", "false is an io, though one that can not be read", old: true) do |d|
    d.line.match?(/MessagePack\.load\(h\(\S+, false\)/)
  end

  NEVER = {
    "unwinding" => "throw, return and Thread#kill out of an ext proc, which crash the C gem",
    "out-buffer" => "an io that ignores the out buffer, whose first chunk the C gem delivers for ever",
    "clone" => "Factory#clone and allocate.dup, which the C gem breaks",
    "ext-4-gib" => "payloads of 4 GiB",
    "ractors" => "other Ractors than the main one"
  }.freeze
end
