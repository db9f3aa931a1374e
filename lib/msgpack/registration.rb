# frozen_string_literal: true

# How ext types are registered on packers and unpackers. Factories have a file of their own.

require "msgpack/native"

module MessagePack
  # Native: the forms in which callables are kept.
  private_constant :Callable

  # Documented in msgpack/packer.
  class Packer
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

    def registered_types
      types = registered_types_internal.map do |klass, (type, callable)|
        { type: type, class: klass, packer: Callable.to_proc(callable) }
      end
      types.sort_by.with_index { |entry, index| [entry[:type], index] }
    end

    def type_registered?(klass_or_type)
      case klass_or_type
      when Integer then registered_types_internal.any? { |_klass, (type)| type == klass_or_type }
      when Module then registered_types_internal.any? { |klass, _entry| klass_or_type <= klass }
      else raise ArgumentError, "class or type id"
      end
    end
  end

  # Documented in msgpack/unpacker.
  class Unpacker
    def register_type(type, klass = nil, method_name = nil, &block)
      if klass && method_name
        klass.method(method_name) unless klass.respond_to?(method_name, true)
        register_type_internal(type, klass, method_name.to_sym)
      elsif block
        register_type_internal(type, klass, block)
      else
        raise ArgumentError, "register_type takes either 3 arguments or a block"
      end
    end

    def registered_types
      types = registered_types_internal.map do |type, (klass, callable)|
        { type: type, class: klass, unpacker: Callable.to_proc(callable) }
      end
      types.sort_by { |entry| entry[:type] }
    end

    def type_registered?(klass_or_type)
      case klass_or_type
      when Integer then registered_types_internal.key?(klass_or_type)
      when Module then registered_types_internal.any? { |_type, (klass)| klass_or_type.equal?(klass) }
      else raise ArgumentError, "class or type id"
      end
    end
  end
end
