# frozen_string_literal: true

require "stringio"

# Classes to register as ext types. They have names, so that Ractors and child processes
# can use them.
module Samples
  # Packs as the String it holds.
  class Wrap
    attr_accessor :value

    def initialize(value = "w")
      @value = value
    end

    def self.from_msgpack_ext(data)
      new(data)
    end

    def to_msgpack_ext
      value
    end

    def ==(other)
      other.class == self.class && other.value == value
    end
  end

  class WrapChild < Wrap
  end

  # A module to register as a type.
  module Tag
    def to_msgpack_ext
      "tag"
    end
  end

  class Tagged
    include Tag
  end

  class SubString < String
  end

  class SubArray < Array
  end

  class SubHash < Hash
  end

  # Answers to `call` and is no Proc.
  class Caller
    def initialize(result = "cl")
      @result = result
    end

    def call(_argument)
      @result
    end
  end

  # Stands for a String without being one.
  class StringLike
    def initialize(string)
      @string = string
    end

    def to_str
      @string
    end
  end
  # Has the methods that Marshal calls, as BigDecimal does.
  Decimal = Struct.new(:text) do
    def self._load(text) = new(text)
    def _dump(_level = -1) = text
  end
end
