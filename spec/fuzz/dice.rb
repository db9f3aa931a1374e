# frozen_string_literal: true

# Decisions out of one seed: the same seed gives the same decisions on every machine.
class Dice
  def initialize(seed)
    @random = Random.new(seed)
  end

  # 0...n
  def below(n)
    @random.rand(n)
  end

  # min..max
  def between(min, max)
    min + @random.rand(max - min + 1)
  end

  # True once in n times.
  def once_in(n)
    @random.rand(n).zero?
  end

  def pick(list)
    list[@random.rand(list.size)]
  end

  # The key of one entry of {key => weight}.
  def weigh(weights)
    left = @random.rand(weights.each_value.sum)
    weights.each { |key, weight| return key if (left -= weight) < 0 }
  end

  def bytes(n)
    @random.bytes(n)
  end

  # Splits bytes into `pieces` or fewer parts, none of them empty.
  def split(bytes, pieces)
    return [] if bytes.empty?

    cuts = Array.new(pieces - 1) { between(1, bytes.bytesize) }.push(0, bytes.bytesize).uniq.sort
    cuts.each_cons(2).map { |from, to| bytes.byteslice(from...to) }
  end
end
