# frozen_string_literal: true

require "msgpack/native"
require "msgpack/callable"

module MessagePack
  class Packer
    # Registers an ext type on this packer alone, not on the factory that made it. To
    # register a recursive type use {Factory#register_type}.
    #
    # @overload register_type(type, klass, method_name)
    #   @param type [Integer] id of the type, -128..127
    #   @param klass [Module] the type takes its instances and those of its descendants
    #   @param method_name [Symbol, #to_proc] the method of the object, or a callable with
    #     the object as its one argument, that returns the payload as a String
    # @overload register_type(type, klass, &block)
    #   @yieldparam object [Object] the object to pack
    #   @yieldreturn [String] the payload; its bytes count, whatever the encoding
    # @return [nil]
    # @raise [FrozenError] if the packer is frozen
    # @raise [RangeError] if the id is out of range
    # @raise [ArgumentError] if `klass` is not a Module
    # @raise [NoMethodError] if there is neither a block nor a callable
    # @example
    #   packer.register_type(1, Point) { |point| [point.x, point.y].pack("l>2") }
    #   packer.register_type(2, Money, :to_msgpack_ext)
    def register_type(type, klass, method_name = nil, &block)
      raise ArgumentError, "expected Module/Class got: #{klass.inspect}" unless frozen? || klass.is_a?(Module)

      callable =
        if block then block
        elsif method_name.is_a?(Symbol) then method_name
        elsif method_name.is_a?(Method) then Callable.method_object(method_name)
        else method_name.to_proc
        end
      register_type_internal(type, klass, callable)
    end

    # @return [Array<Hash{Symbol => Object}>] a copy of what is registered, the factory's
    #   types included: `{ type: Integer, class: Module, packer: Proc or nil }`, sorted by type
    def registered_types
      types = registered_types_internal.map do |klass, (type, callable)|
        { type: type, class: klass, packer: Callable.to_proc(callable) }
      end
      types.sort_by.with_index { |entry, index| [entry[:type], index] }
    end

    # @param klass_or_type [Module, Integer]
    # @return [Boolean] whether that id is registered, or that class or one of its ancestors
    # @raise [ArgumentError] if the argument is neither a Module nor an Integer
    def type_registered?(klass_or_type)
      case klass_or_type
      when Integer then registered_types_internal.any? { |_klass, (type)| type == klass_or_type }
      when Module then registered_types_internal.any? { |klass, _entry| klass_or_type <= klass }
      else raise ArgumentError, "class or type id"
      end
    end
  end
end
