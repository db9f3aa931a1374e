# frozen_string_literal: true

require_relative "samples"

# Ractors can't be stopped, and before Ruby 4.0 a fault in one can take the process along:
# they run in a forked process, which has seconds to end.
module Ractors
  module_function

  # Runs the block in a Ractor of its own. Returns its value; an exception comes out as it is.
  # Use it inside of Child.run where something has to be done before.
  def run(*arguments, &block)
    value(start(*arguments, &block))
  end

  # The same in as many Ractors at once, which get their number first.
  def run_many(count, *arguments, &block)
    Array.new(count) { |number| start(number, *arguments, &block) }.map { |ractor| value(ractor) }
  end

  def start(*arguments, &block)
    Warning[:experimental] = false
    Ractor.new(*arguments, &block)
  end

  # Ractor#take is gone in Ruby 4.0, Ractor#value came with it.
  def value(ractor)
    failure = begin
      return ractor.respond_to?(:value) ? ractor.value : ractor.take
    rescue Ractor::RemoteError => error
      error.cause
    end
    raise failure
  end

  # A lambda that all Ractors may call, written in a module body: its self is shareable.
  def shareable(lambda)
    Ractor.respond_to?(:shareable_lambda) ? Ractor.shareable_lambda(&lambda) : Ractor.make_shareable(lambda)
  end

  # Callables for Samples::Wrap.
  PACK = shareable(->(wrap) { "<#{wrap.value}>" })
  UNPACK = shareable(->(data) { Samples::Wrap.new(data[1..-2]) })
  PACK_INTO = shareable(->(wrap, packer) { packer.write(wrap.value) })
  UNPACK_FROM = shareable(->(unpacker) { Samples::Wrap.new(unpacker.read) })
  # Can be made shareable, and is not yet.
  NOT_YET_SHAREABLE = ->(wrap) { "(#{wrap.value})" }

  # The class and the message of what the block raises; nil if it raises nothing.
  def error
    yield
    nil
  rescue Exception => error # rubocop:disable Lint/RescueException
    [error.class, error.message]
  end
end
