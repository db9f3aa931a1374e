# frozen_string_literal: true

require "fiber"
require "objspace"
require_relative "prelude"

# An object that runs a program's code from every method that the gem may call.
class Hook
  def initialize(value, &code)
    @value = value
    @code = code
  end

  def to_msgpack(packer)
    @code.call
    packer.write(@value)
    @code.call
  end

  def call(*) = (@code.call; @value)
  def to_str = (@code.call; String === @value ? @value : "hook")
  def to_int = (@code.call; Integer === @value ? @value : 3)
  def to_i = to_int
  def to_f = (@code.call; 1.5)
  def hash = (@code.call; 1)
  def eql?(_other) = (@code.call; true)
  def inspect = (@code.call; "hook")
  def to_s = (@code.call; "hook")
  def write(string) = (@code.call; string.bytesize)
  def readpartial(_size, _out = nil) = (@code.call; String === @value ? @value : nil)
  def close = @code.call
  def to_msgpack_ext = to_str
  def respond_to_missing?(*) = (@code.call; false)
end

# An io whose chunks may be code.
class HookedIo
  attr_reader :chunks

  def initialize(chunks)
    @chunks = chunks
    @written = 0
  end

  def readpartial(size, out = nil)
    chunk = @chunks.shift or raise EOFError, "dry"
    chunk = chunk.call(size) if chunk.respond_to?(:call)
    if chunk.bytesize > size
      @chunks.unshift(chunk.byteslice(size..))
      chunk = chunk.byteslice(0, size)
    end
    out && size.even? ? out.replace(chunk) : chunk
  end

  def write(string)
    chunk = @chunks.first
    chunk.call(string.bytesize) if chunk.respond_to?(:call) && (@written += 1) < 5
    string.bytesize
  end

  def close = nil
end

# Runs one program. Exceptions are what most lines end with; it is the process that has to survive.
class Victim
  include Helpers

  # Calls of callbacks in a program, and how deep they may nest: so that every program ends.
  CALLS = 60
  DEPTH = 4

  class Broken < StandardError; end

  # @return [Array<String>] what is wrong with the gem afterwards
  def self.run(lines)
    victim = new
    victim.instance_eval(lines.map { |line| "step { #{line}\n}" }.join("\n"))
    victim.wrong
  ensure
    victim&.finish
  end

  attr_reader :wrong

  def initialize
    @calls = 0
    @depth = 0
    @fibers = []
    @wrong = []
    @loose = false
  end

  def step(&code)
    # A Fiber that pauses in here must not come back to this frame after it is gone.
    catch(:out) { code.call }
  rescue Broken => e
    @wrong << e.message
  rescue NoMemoryError => e
    @wrong << "NoMemoryError: #{e.message}"
  rescue SyntaxError
    raise
  rescue Exception
    nil
  ensure
    @depth = 0
  end

  def act
    return if (@calls += 1) > CALLS || @depth >= DEPTH

    @depth += 1
    begin
      yield
    ensure
      @depth -= 1
    end
  end

  def hook(value, &code) = Hook.new(value, &code)
  def io(*chunks) = HookedIo.new(chunks)
  def options(&code) = Hash.new { code.call; nil }

  # A collection at every allocation, for a while: a recursion that has no end would take minutes.
  def stress
    timer = Thread.new do
      sleep 0.3
      GC.stress = false
    end
    GC.stress = true
    yield
  ensure
    GC.stress = false
    timer.kill
  end

  # Runs a line in a Fiber, which `pause` leaves and `resume` enters again.
  def fiber(&code)
    fiber = Fiber.new { step(&code) }
    @fibers << fiber
    fiber.resume
  end

  def pause
    Fiber.yield if @fibers.include?(Fiber.current)
  end

  def resume
    @fibers.select!(&:alive?)
    @fibers.shift&.then { |fiber| @fibers << fiber && fiber.resume }
  end

  def thread(&code)
    @loose = true
    thread = Thread.new do
      Thread.current.report_on_exception = false
      @thread = true
      step(&code)
    end
    thread.join(5) || thread.kill
    thread.join(1) || @wrong << "a thread that can not be killed"
  ensure
    @thread = false
  end

  # The objects are whole: they still do what they are for. Not so inside a call that is paused.
  def check
    return if @fibers.any?(&:alive?) || @depth > 0

    first = MessagePack::Buffer.new << "first"
    check_unpacker if @u
    check_packer if @pk
    check_sharing(first)
    check_buffer(MessagePack::Buffer.new)
    same([1, { "a" => nil }], MessagePack.unpack(MessagePack.pack([1, { "a" => nil }])), "a round trip")
  rescue Broken
    raise
  rescue Exception => e
    raise Broken, "#{e.class} where nothing is wrong: #{e.message} (#{e.backtrace.first})"
  end

  def finish
    GC.stress = false
    @fibers.clear
  end

  private

  def same(expected, given, what)
    raise Broken, "#{what} gives #{given.inspect}, not #{expected.inspect}" unless expected == given
  end

  def check_unpacker
    @u.reset
    same(0, @u.buffer.size, "the size after reset")
    @u.feed(h("93010203"))
    same([1, 2, 3], @u.read, "an unpacker after reset")
    return if @u.buffer.io

    @u.feed(h("9107"))
    seen = []
    @u.each { |object| seen << object }
    same([[7]], seen, "each after reset")
  end

  def check_packer
    @pk.reset
    @pk.write(nil)
    same(@pk.size, @pk.to_s.bytesize, "the size of a packer")
    same(@pk.to_s, @pk.to_a.join, "to_a of a packer")
    same("\xc0".b, @pk.to_s, "a packer after reset")
  end

  # Each has bytes of its own, also where others have just been emptied.
  def check_sharing(first)
    second = MessagePack::Buffer.new << "second"
    @u&.feed("\xc0")
    @pk&.write(nil)
    same("first", first.read, "a buffer beside others")
    same("second", second.read, "a buffer behind others")
  end

  def check_buffer(buffer)
    buffer << "abc" << "d" * 700
    same("abc", buffer.read(3), "Buffer#read")
    same(700, buffer.size, "Buffer#size")
    same("d" * 700, buffer.read, "Buffer#read")
  end
end
