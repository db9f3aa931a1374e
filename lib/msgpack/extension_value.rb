# frozen_string_literal: true

# ExtensionValue is native; its `to_msgpack` is in msgpack/core.
require "msgpack/core"
