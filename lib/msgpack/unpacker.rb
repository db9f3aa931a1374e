# frozen_string_literal: true

require "msgpack/native"
require "msgpack/callable"

module MessagePack
  class Unpacker
    # Registers an ext type on this unpacker alone, not on the factory that made it. To
    # register a recursive type use {Factory#register_type}.
    #
    # @overload register_type(type, klass, method_name)
    #   @param type [Integer] id of the type, -128..127
    #   @param klass [Object] usually a class
    #   @param method_name [Symbol, String] the method of `klass` that makes the object from
    #     the payload; this form wins over a block
    # @overload register_type(type, klass = nil, &block)
    #   @yieldparam payload [String] binary, unfrozen, of this call alone
    #   @yieldreturn [Object] what takes the place of the ext value
    # @return [nil]
    # @raise [FrozenError] if the unpacker is frozen
    # @raise [RangeError] if the id is out of range
    # @raise [ArgumentError] if there is neither a block nor a class and a method name
    # @raise [NameError] if `klass` has no such method
    # @example
    #   unpacker.register_type(1) { |payload| Point.new(*payload.unpack("l>2")) }
    #   unpacker.register_type(2, Money, :from_msgpack_ext)
    def register_type(type, klass = nil, method_name = nil, &block)
      if klass && method_name
        block = Callable.method_of(klass, method_name)
      elsif !block
        raise ArgumentError, "register_type takes either 3 arguments or a block"
      end
      register_type_internal(type, klass, block)
    end

    # @return [Array<Hash{Symbol => Object}>] a copy of what is registered, the factory's
    #   types included: `{ type: Integer, class: Object or nil, unpacker: Proc or nil }`,
    #   sorted by type
    def registered_types
      types = registered_types_internal.map do |type, (klass, callable)|
        { type: type, class: klass, unpacker: Callable.to_proc(callable) }
      end
      types.sort_by { |entry| entry[:type] }
    end

    # @param klass_or_type [Module, Integer]
    # @return [Boolean] whether that id or exactly that class is registered
    # @raise [ArgumentError] if the argument is neither a Module nor an Integer
    def type_registered?(klass_or_type)
      case klass_or_type
      when Integer then registered_types_internal.key?(klass_or_type)
      when Module then registered_types_internal.any? { |_type, (klass)| klass_or_type.equal?(klass) }
      else raise ArgumentError, "class or type id"
      end
    end
  end
end
