# frozen_string_literal: true

# Everything but the `to_msgpack` methods of the core classes, which msgpack/core_ext adds.
require "msgpack/version"
require "msgpack/native"
require "msgpack/errors"
require "msgpack/functions"
require "msgpack/extension_value"
require "msgpack/buffer"
require "msgpack/packer"
require "msgpack/unpacker"
require "msgpack/factory"
require "msgpack/symbol"
require "msgpack/timestamp"
require "msgpack/time"
