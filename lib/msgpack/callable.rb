# frozen_string_literal: true

module MessagePack
  # The forms in which the native part keeps what an application registers for an ext type:
  #
  # * `nil`: nothing for this direction,
  # * a Symbol: a method of the object to pack,
  # * a frozen `[receiver, name]`: that method of that receiver,
  # * a Proc, or any other object that answers to `call`.
  #
  # Names are kept as names, not as procs: they are shareable with other Ractors whenever
  # the receiver is, on every Ruby.
  #
  # @api private
  module Callable
    class << self
      # @param value [nil, Symbol, String, Proc, Method, #call] as the `:packer` option
      # @return [nil, Symbol, Array, #call]
      # @raise [::TypeError] for anything else
      def packer(value)
        case value
        when nil, Proc, Symbol then value
        when String then value.to_sym
        else callable(value, :packer)
        end
      end

      # @param value [nil, Symbol, String, Proc, Method, #call] as the `:unpacker` option;
      #   a name is that of a method of `klass`
      # @param klass [Object]
      # @return [nil, Array, #call]
      # @raise [::TypeError] for anything else
      # @raise [NameError] if `klass` has no such method
      def unpacker(value, klass)
        case value
        when nil, Proc then value
        when Symbol, String then method_of(klass, value)
        else callable(value, :unpacker)
        end
      end

      # @return [Array(Object, Symbol)] the method as the native part keeps it
      # @raise [NameError] if `receiver` has no such method
      def method_of(receiver, name)
        # Looking for the Method makes one; it is only wanted for the error it raises.
        receiver.method(name) unless receiver.respond_to?(name, true)
        [receiver, name.to_sym].freeze
      end

      # @return [Array, Method] receiver and name where they find the same method again,
      #   which a method behind `super_method` or one redefined since does not
      def method_object(method)
        found = begin
          method.receiver.method(method.name)
        rescue NameError, ArgumentError
          nil
        end
        found == method ? [method.receiver, method.name].freeze : method
      end

      # @return [Proc, nil] the callable as `registered_types` shows it
      def to_proc(callable)
        case callable
        when nil, Proc then callable
        when Symbol then callable.to_proc
        when Array then callable[0].method(callable[1]).to_proc
        when Method then callable.to_proc
        else callable.method(:call).to_proc
        end
      end

      private

      def callable(value, option)
        return method_object(value) if value.is_a?(Method)
        return value if value.respond_to?(:call)

        raise ::TypeError, "expected :#{option} argument to be a callable object, got: #{value.inspect}"
      end
    end
  end
  private_constant :Callable
end
