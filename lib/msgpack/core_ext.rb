# frozen_string_literal: true

require "msgpack/core"

# Packers write core objects without calling any of these methods.
[NilClass, TrueClass, FalseClass, Integer, Float, String, Symbol, Array, Hash].each do |core|
  core.include(MessagePack::CoreExt)
  core.define_method(:to_msgpack_with_packer, MessagePack.instance_method(:write_core_object))
  core.__send__(:private, :to_msgpack_with_packer)
end
