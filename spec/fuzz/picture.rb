# frozen_string_literal: true

require "digest"

# All that can be told about a value, as text: classes, encodings, what is frozen, which strings are the
# interned ones.
module Picture
  LONG = 120
  # Elements of a list that are still shown.
  MANY = 6000

  module_function

  def of(value)
    case value
    when nil, true, false, Integer then value.inspect
    when Float then "f#{[value].pack("G").unpack1("H*")}"
    when String then string(value)
    when Symbol then ":#{value.encoding}:#{short(value.name.b)}"
    when Array then "#{name(value, Array)}[#{join(value.map { |element| of(element) })}]#{frozen(value)}"
    when Hash then hash(value)
    when Module then "#{value.name || "a #{value.class}"}#{frozen(value)}"
    when Struct then "#{value.class}(#{value.to_a.map { |member| of(member) }.join(",")})#{frozen(value)}"
    when Proc then "proc/#{value.arity}#{"/lambda" if value.lambda?}"
    when Exception then "#{value.class}:#{scrub(value.message)}"
    when Time then "Time(#{value.to_r},#{value.utc_offset})"
    when Enumerator then "enumerator(#{value.size.inspect})"
    when Rational, Complex, Range, Regexp, Set then "#{value.class}(#{value.inspect})"
    else object(value)
    end
  end

  def string(value)
    encoding = value.encoding.to_s
    encoding = { "UTF-8" => "u", "ASCII-8BIT" => "b" }.fetch(encoding, encoding)
    # A copy is interned, so that asking does not change the answer.
    interned = value.frozen? && value.instance_of?(String) && value.equal?(-value.dup)
    "#{name(value, String)}#{encoding}\"#{short(value.b)}\"#{frozen(value)}#{"=" if interned}"
  end

  def hash(value)
    pairs = value.map { |key, element| "#{of(key)}=>#{of(element)}" }
    extra = [("default" if value.default || value.default_proc), ("identity" if value.compare_by_identity?)].compact
    "#{name(value, Hash)}{#{join(pairs)}}#{extra.join}#{frozen(value)}"
  end

  # Long ones by their digest.
  def short(bytes)
    bytes.bytesize <= LONG ? bytes.unpack1("H*") : "#{bytes.unpack1("H32")}..#{bytes.bytesize}:#{Digest::MD5.hexdigest(bytes)}"
  end

  def join(parts)
    parts.size <= MANY ? parts.join(",") : "#{parts.size}:#{Digest::MD5.hexdigest(parts.join(","))}"
  end

  def name(value, core)
    value.class.equal?(core) ? "" : value.class.to_s
  end

  def frozen(value)
    value.frozen? ? "!" : ""
  end

  def object(value)
    return "a BasicObject" unless Kernel.instance_method(:respond_to?).bind_call(value, :frozen?)

    variables = /\A(MessagePack|StringIO|Chunks|Reads|Sink|Shovel|Object$|Thread|Fiber)/.match?(value.class.to_s) ? [] : value.instance_variables
    "#<#{value.class}#{variables.map { |name| " #{name}=#{of(value.instance_variable_get(name))}" }.join}>#{frozen(value)}"
  end

  # Without addresses.
  def scrub(text)
    text.b.gsub(/0x\h{8,}/n, "0x…".b).force_encoding(text.encoding)
  end
end
