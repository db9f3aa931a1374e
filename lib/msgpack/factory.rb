# frozen_string_literal: true

require "msgpack/registration"
require "msgpack/pool"

module MessagePack
  # A registry of ext types, and the maker of packers and unpackers that know them.
  #
  # Packers and unpackers are snapshots: what is registered later does not reach them.
  # Once frozen, a factory can be shared with other Ractors if its callables can.
  #
  # @example
  #   factory = MessagePack::Factory.new
  #   factory.register_type(1, Point, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext)
  #   factory.load(factory.dump(Point.new(1, 2)))
  class Factory
    # The methods that {#register_type} takes if it is given no options.
    DEFAULT_CALLABLES = { packer: :to_msgpack_ext, unpacker: :from_msgpack_ext }.freeze
    private_constant :DEFAULT_CALLABLES

    # Registers an ext type.
    #
    # An object is packed by the type of its own class, else by the first type, in the order
    # of registration, of one of its ancestors. nil, true, false, Integer, Float and plain
    # String, Array and Hash always take their own format.
    #
    # @param type [Integer] id of the type, -128..127; the format itself uses -1 (timestamp)
    # @param klass [Module]
    # @param options [Hash, nil] without it the methods `to_msgpack_ext` and
    #   `from_msgpack_ext` are taken; unknown keys are ignored
    # @option options [Symbol, String, Proc, Method, #call, nil] :packer a method of the
    #   object, or a callable with the object as its argument; returns the payload, a String
    # @option options [Symbol, String, Proc, Method, #call, nil] :unpacker a method of
    #   `klass`, or a callable; its argument is the payload, a binary String, and what it
    #   returns takes the place of the ext value
    # @option options [Boolean] :recursive (false) the packer is called with the object and
    #   the Packer, and what it writes there is the payload; the unpacker is called with the
    #   Unpacker and reads all of the payload from it
    # @option options [Boolean] :optimized_symbols_parsing (false) only for Symbol: payloads
    #   become Symbols without a call of the unpacker
    # @option options [Boolean] :oversized_integer_extension (false) only for Integer: the
    #   type takes the Integers that do not fit the format's 64 bits
    # @return [nil]
    # @raise [FrozenError] if the factory is frozen
    # @raise [::TypeError] if the id is not an Integer, or an option not a callable
    # @raise [RangeError] if the id is out of range
    # @raise [ArgumentError] if `klass` is not a Module
    # @raise [NameError] if `klass` has no method of the name given as `:unpacker`
    # @raise [Ractor::IsolationError] for {DefaultFactory} in another Ractor than the main one
    # @example A type that holds other objects
    #   factory.register_type(2, Set, recursive: true,
    #                         packer: ->(set, packer) { packer.write(set.to_a) },
    #                         unpacker: ->(unpacker) { unpacker.read.to_set })
    def register_type(type, klass, options = DEFAULT_CALLABLES)
      raise FrozenError.new("can't modify frozen #{Factory}", receiver: self) if frozen?

      options = {} if options.nil? || foreign_default?
      raise ::TypeError, "wrong argument type #{options.class} (expected Hash)" unless options.is_a?(Hash)

      register_type_internal(
        type, klass,
        packer: Callable.packer(options[:packer]),
        unpacker: Callable.unpacker(options[:unpacker], klass),
        recursive: options[:recursive] ? true : false,
        optimized_symbols_parsing: options[:optimized_symbols_parsing] ? true : false,
        oversized_integer_extension: options[:oversized_integer_extension] ? true : false
      )
    end

    # @!method initialize()
    #   A factory without types.

    # @!method packer(io = nil, options = nil)
    #   @param io [#write, #<<, nil] and options as {Packer#initialize}
    #   @return [Packer] a new one, with the types registered by now

    # @!method unpacker(io = nil, options = nil)
    #   @param io [#readpartial, #read, nil] and options as {Unpacker#initialize}
    #   @return [Unpacker] a new one, with the types registered by now

    # @!method freeze()
    #   Ends registration. If all callables are shareable, so is the factory then.
    #   @return [self]
    #   @raise [Ractor::IsolationError] for {DefaultFactory} in another Ractor than the main one

    # @!method dump_with(object, flags)
    #   What {Pool#dump} calls.
    #   @api private

    # @!method load_with(data, flags)
    #   What {Pool#load} calls.
    #   @api private

    # @!method self.option_flags(options)
    #   The options that {#dump_with} and {#load_with} know, as bits.
    #   @api private

    # Packs an object; arguments as {MessagePack.pack}. It goes through {#packer}.
    #
    # @return [String, nil] binary; nil with an io
    def dump(v, *rest)
      dump_native(v, rest)
    end
    alias pack dump

    # Unpacks one object; arguments as {MessagePack.unpack}. It goes through {#unpacker}.
    #
    # @return [Object]
    def load(src, param = nil)
      load_native(src, param)
    end
    alias unpack load

    # @param selector [:both, :packer, :unpacker]
    # @return [Array<Hash{Symbol => Object}>] a copy of what is registered, sorted by type:
    #   `{ type: Integer, class: Module, packer: Proc or nil, unpacker: Proc or nil }`; with
    #   another selector than `:both` only the entries that have that callable, and only that
    # @raise [ArgumentError] if the selector is another one
    def registered_types(selector = :both)
      types = entries(selector).map do |entry|
        entry.to_h { |key, value| [key, %i[packer unpacker].include?(key) ? Callable.to_proc(value) : value] }
      end
      types.sort_by.with_index { |entry, index| [entry[:type], index] }
    end

    # @param klass_or_type [Module, Integer]
    # @param selector [:both, :packer, :unpacker] which callable has to be there; `:both`
    #   takes entries without any as well
    # @return [Boolean] whether that id is registered, or that class or one of its ancestors
    # @raise [ArgumentError] if an argument is none of these
    def type_registered?(klass_or_type, selector = :both)
      case klass_or_type
      when Integer then entries(selector).any? { |entry| entry[:type] == klass_or_type }
      when Module then entries(selector).any? { |entry| klass_or_type <= entry[:class] }
      else raise ArgumentError, "class or type id"
      end
    end

    # @return [Factory] an unfrozen factory of the same class with the same types;
    #   `initialize` is not called and instance variables are not copied
    def dup
      copy = self.class.allocate
      copy.__send__(:take_types, self)
      copy
    end

    # @param freeze [Boolean, nil] nil: frozen if this one is
    # @return [Factory] as {#dup}
    # @raise [ArgumentError] if `freeze` is something else
    def clone(freeze: nil)
      unless [nil, true, false].include?(freeze)
        raise ArgumentError, "unexpected value for freeze: #{freeze.class}"
      end

      copy = dup
      copy.freeze if freeze.nil? ? frozen? : freeze
      copy
    end

    # Makes a pool of packers and unpackers of this factory, or of a frozen copy if this one
    # is not frozen. Use one pool for many small messages.
    #
    # @param size [Integer, #to_int, String] idle members to keep; not a limit to those in use
    # @param options [Hash] the options of both {Packer} and {Unpacker}
    # @return [Pool]
    # @raise [ArgumentError, ::TypeError] if the size is not a number
    # @example
    #   POOL = factory.freeze.pool(4, symbolize_keys: true)
    #   POOL.load(POOL.dump({ a: 1 }))
    def pool(size = 1, **options)
      Pool.new(self, size, options)
    end

    private

    # {DefaultFactory} out of the main Ractor, which the native part refuses to change.
    def foreign_default?
      equal?(DefaultFactory) && !Ractor.current.equal?(Ractor.main)
    end

    # What is registered, with callables as the native part keeps them.
    def entries(selector)
      packers, unpackers = registered_types_internal
      case selector
      when :both then paired_entries(packers, unpackers)
      when :packer
        packers.filter_map { |klass, (type, packer)| { type: type, class: klass, packer: packer } if packer }
      when :unpacker
        unpackers.filter_map { |type, (klass, unpacker)| { type: type, class: klass, unpacker: unpacker } if unpacker }
      else raise ArgumentError, "invalid selector #{selector}"
      end
    end

    # One entry for each packer, with the unpacker of its id if that is of the same class;
    # then one for each unpacker that is left.
    def paired_entries(packers, unpackers)
      unpackers = unpackers.dup
      list = packers.map do |klass, (type, packer)|
        unpacker = unpackers.delete(type)[1] if unpackers[type] && unpackers[type][0].equal?(klass)
        { type: type, class: klass, packer: packer, unpacker: unpacker }
      end
      unpackers.each { |type, (klass, unpacker)| list << { type: type, class: klass, packer: nil, unpacker: unpacker } }
      list
    end
  end
end
