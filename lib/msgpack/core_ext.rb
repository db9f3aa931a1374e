# frozen_string_literal: true

require "msgpack/extension_value"

# Packers write core objects without calling any of these methods.

class NilClass
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_nil
    packer
  end
end

class TrueClass
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_true
    packer
  end
end

class FalseClass
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_false
    packer
  end
end

class Integer
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_int(self)
    packer
  end
end

class Float
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_float(self)
    packer
  end
end

class String
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_string(self)
    packer
  end
end

class Symbol
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_symbol(self)
    packer
  end
end

class Array
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_array(self)
    packer
  end
end

class Hash
  include MessagePack::CoreExt

  private

  def to_msgpack_with_packer(packer)
    packer.write_hash(self)
    packer
  end
end
