# frozen_string_literal: true

require "msgpack/native"

# The methods of an ext type for Symbols, which is not registered by default.
#
# @example
#   factory.register_type(0, Symbol)
class Symbol
  # @!method to_msgpack_ext()
  #   @return [String] the name, frozen

  # @!method self.from_msgpack_ext(data)
  #   @param data [String] unfrozen: its encoding is set
  #   @return [Symbol] in UTF-8, or binary if the data is not valid UTF-8
  #   @raise [FrozenError] if the data is frozen
end
