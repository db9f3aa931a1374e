# frozen_string_literal: true

# MessagePack for Ruby: a compact binary form of nil, booleans, numbers, strings, arrays,
# maps and application-defined extension types.
#
# @example
#   require "msgpack"
#   MessagePack.pack({ "a" => 1 })       # => "\x81\xA1a\x01"
#   MessagePack.unpack("\x81\xA1a\x01")  # => { "a" => 1 }
#   [1, nil].to_msgpack                  # => "\x92\x01\xC0"
#
# `require "msgpack/core"` loads the same without adding `to_msgpack` to the core classes;
# `require "msgpack/bigint"` adds helpers for integers beyond 64 bits.
#
# The module functions `pack`/`dump` and `load`/`unpack` use the types registered on
# {DefaultFactory}.
module MessagePack
end

require "msgpack/core"
require "msgpack/core_ext"
