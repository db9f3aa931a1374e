# frozen_string_literal: true

require "msgpack/native"

module MessagePack
  class Factory
    # Packers and unpackers of one frozen factory, kept for reuse. Safe for use by several
    # threads. After `Ractor.make_shareable` also by several Ractors, each of which keeps
    # idle members of its own.
    #
    # Made by {Factory#pool}.
    class Pool
      # Flags from this on ask for limits, which take an unpacker.
      LIMITED = 16
      private_constant :LIMITED

      # @param factory [Factory] if it is not frozen, a frozen copy is taken
      # @param size [Integer, #to_int, String] idle members to keep; 0 or less keeps none
      # @param options [Hash, nil] the options of both {Packer} and {Unpacker}
      # @raise [ArgumentError, ::TypeError] if the size is not a number
      def initialize(factory, size, options = nil)
        @factory = factory.frozen? ? factory : factory.dup.freeze
        options = options.dup.freeze
        @flags = Factory.option_flags(options || {})
        # Without a Packer or Unpacker a call takes half the time, but a subclass that makes
        # these in its own way means them to be used.
        @dumps_at_once = @factory.method(:packer).owner.equal?(Factory)
        @loads_at_once = @factory.method(:unpacker).owner.equal?(Factory) && @flags < LIMITED
        size = Integer(size)
        @packers = MemberPool.new(size, @factory, :packer, options)
        @unpackers = MemberPool.new(size, @factory, :unpacker, options)
      end

      # @param object [Object]
      # @return [String] binary, the object's MessagePack form
      # @raise as {Packer#write}
      def dump(object)
        return @packers.with { |packer| packer.write(object).full_pack } unless @dumps_at_once

        @factory.dump_with(object, @flags)
      end

      # @param data [String, #to_str] exactly one object
      # @return [Object]
      # @raise [::TypeError] if the argument is not a String
      # @raise [EOFError] if the data ends before the object does
      # @raise [UnpackError] as {Unpacker#full_unpack}
      def load(data)
        return @unpackers.with { |unpacker| unpacker.feed(data).full_unpack } unless @loads_at_once

        @factory.load_with(data, @flags)
      end

      # Lends a packer to the block. It is frozen and empty, and reset when it comes back.
      #
      # @yieldparam packer [Packer]
      # @return what the block returns
      # @raise [LocalJumpError] without a block
      # @example
      #   pool.packer { |packer| packer.write(1).write(2).full_pack }  # => "\x01\x02"
      def packer(&block)
        @packers.with(&block)
      end

      # Lends an unpacker to the block. It is frozen and empty, and reset when it comes back.
      #
      # @yieldparam unpacker [Unpacker]
      # @return what the block returns
      # @raise [LocalJumpError] without a block
      # @example
      #   pool.unpacker { |unpacker| unpacker.feed("\x01\x02"); [unpacker.read, unpacker.read] }
      def unpacker(&block)
        @unpackers.with(&block)
      end

      # The idle members of one kind. Whoever finds none makes a new one, so that a nested
      # use gets another member and nobody waits.
      #
      # Members belong to the Ractor that made them. Before it is shared, the pool holds its
      # idle members; `Ractor.make_shareable` freezes it, and from then on they are kept by
      # each Ractor.
      class MemberPool
        # @param size [Integer] idle members to keep
        # @param factory [Factory] frozen
        # @param kind [:packer, :unpacker]
        # @param options [Hash, nil] frozen
        # @api private
        def initialize(size, factory, kind, options)
          @size = size
          @factory = factory
          @kind = kind
          @options = options
          @idle = []
        end

        # @yieldparam member [Packer, Unpacker] frozen and empty
        # @return what the block returns
        # @raise [LocalJumpError] without a block
        def with
          idle = @idle || SharedPools.idle_members(self)
          member = idle.pop || @factory.public_send(@kind, @options).freeze
          begin
            yield member
          ensure
            member.reset
            # In this order a thread switch can lose an idle member, never keep too many.
            idle.push(member)
            idle.pop if idle.size > @size
          end
        end

        # Gives up the idle members, which no other Ractor may use.
        #
        # @return [self]
        def freeze
          @idle = nil unless frozen?
          super
        end
      end

      # The idle members that a Ractor keeps for the pools it shares with others. They go
      # with the Ractor, and with the pool.
      #
      # @api private
      module SharedPools
        SLOT = :"MessagePack::Factory::Pool"

        # Ruby 3.1 and 3.2 have no map with weak keys only.
        require "msgpack/newest_pools" unless defined?(ObjectSpace::WeakKeyMap)
        MAP = defined?(ObjectSpace::WeakKeyMap) ? ObjectSpace::WeakKeyMap : NewestPools

        # @param pool [MemberPool]
        # @return [Array] the current Ractor's own
        def self.idle_members(pool)
          map = (Ractor.current[SLOT] ||= MAP.new)
          map[pool] || (map[pool] = [])
        end
      end
      private_constant :SharedPools
    end
  end
end
