# frozen_string_literal: true

# MessagePack::Buffer is native.
require "msgpack/native"
