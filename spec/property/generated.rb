# frozen_string_literal: true

require_relative "../fuzz/wire"
require_relative "../fuzz/literals"
require_relative "../fuzz/picture"

# Random examples. They follow from RSpec's seed, or from PROPERTY_SEED; a failure names its own.
module Generated
  SEED = Integer(ENV.fetch("PROPERTY_SEED") { RSpec.configuration.seed })

  # So many dice; fewer when each allocation costs a garbage collection.
  def each_dice(count)
    (GC.stress ? 3 : count).times do |i|
      seed = SEED + i
      yield Dice.new(seed)
    rescue RSpec::Expectations::ExpectationNotMetError, StandardError => e
      raise e.class, "#{e.message}\nwith PROPERTY_SEED=#{seed}", e.backtrace
    end
  end

  # The value of what Literals writes, core objects only.
  def core_object(dice, depth = 3)
    CoreLiterals.new(dice).value(depth)
  end

  # The text of all that can be told about an object, or about the error that the block ends with.
  def picture
    Picture.of(yield)
  rescue StandardError => e
    Picture.of(e)
  end

  # What an unpacker yields until its data end or are wrong.
  def pictures(unpacker)
    seen = []
    unpacker.each { |object| seen << Picture.of(object) }
    seen
  rescue MessagePack::UnpackError, EncodingError => e
    seen << Picture.of(e)
  end

  # Objects that every packer packs: no oversized integers, no strings that can't be transcoded.
  class CoreLiterals
    TEXTS = ["", "a", "key", "é", "あいう", "😀", "x" * 31, "x" * 32, "x" * 255, "x" * 256, "y" * 65_536].freeze
    INTEGERS = [0, 1, -1, 31, 32, -32, -33, 127, 128, -128, -129, 255, 256, 32_767, 32_768, -32_768, -32_769, 65_535, 65_536,
                2**31 - 1, 2**31, -2**31, -2**31 - 1, 2**32 - 1, 2**32, 2**62 - 1, 2**62, 2**63 - 1, 2**63, -2**63, 2**64 - 1].freeze
    FLOATS = [0.0, -0.0, 1.5, 0.1, 1e300, 5e-324, Float::INFINITY, -Float::INFINITY, Float::MAX].freeze
    COUNTS = [0, 1, 2, 3, 15, 16, 17].freeze

    def initialize(dice)
      @dice = dice
    end

    def value(depth)
      kinds = { integer: 6, float: 2, text: 6, bytes: 2, simple: 2 }
      kinds.update(array: 3, hash: 3) if depth > 0
      __send__(@dice.weigh(kinds), depth)
    end

    private

    def integer(_) = @dice.once_in(2) ? @dice.pick(INTEGERS) : @dice.below(1 << @dice.between(1, 64)) - (1 << 20)
    def float(_) = @dice.once_in(2) ? @dice.pick(FLOATS) : (@dice.below(1 << 50) - (1 << 49)) / 1024.0
    def text(_) = @dice.once_in(60) ? TEXTS.last.dup : @dice.pick(TEXTS[0..-2]).dup
    def bytes(_) = @dice.bytes(@dice.once_in(10) ? @dice.pick([255, 256, 300]) : @dice.below(20))
    def simple(_) = @dice.pick([nil, true, false])
    def count = @dice.once_in(8) ? @dice.pick(COUNTS) : @dice.below(5)
    def array(depth) = Array.new(count) { value(depth - 1) }
    def hash(depth) = Array.new(count) { |i| [@dice.once_in(3) ? value([depth - 1, 1].min) : "key #{i}", value(depth - 1)] }.to_h
  end
end

RSpec.configure { |config| config.include(Generated, :generated) }
