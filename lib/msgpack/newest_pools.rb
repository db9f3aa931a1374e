# frozen_string_literal: true

module MessagePack
  class Factory
    class Pool
      module SharedPools
        # Stands in for a map with weak keys where Ruby has none: its WeakMap is not safe in several
        # Ractors at once, so a Ractor keeps the members of its newest pools.
        class NewestPools
          LIMIT = 16

          def initialize
            @members = {}.compare_by_identity
          end

          def [](pool)
            @members[pool]
          end

          def []=(pool, members)
            @members.shift if @members.size >= LIMIT
            @members[pool] = members
          end
        end
        private_constant :NewestPools
      end
    end
  end
end
