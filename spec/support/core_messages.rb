# frozen_string_literal: true

# Texts that Ruby itself makes. The gem has to give the text of the Ruby it runs on, so they are
# written down here for each version.
module CoreMessages
  version = Gem::Version.new(RUBY_VERSION)
  AT_LEAST_3_3 = version >= Gem::Version.new("3.3")
  AT_LEAST_3_4 = version >= Gem::Version.new("3.4")

  module_function

  # A name in the quotes of this Ruby.
  def quoted(name)
    AT_LEAST_3_4 ? "'#{name}'" : "`#{name}'"
  end

  # For an object whose `inspect` is the default one, a Regexp otherwise could not match.
  def undefined_method(name, object)
    receiver = AT_LEAST_3_3 ? "an instance of #{object.class}" : object.inspect
    /\Aundefined method #{Regexp.escape(quoted(name))} for #{Regexp.escape(receiver)}/
  end

  def bignum_too_big(c_type)
    "bignum too big to convert into #{quoted(c_type)}"
  end

  def integer_too_big(value, c_type)
    "integer #{value} too big to convert to #{quoted(c_type)}"
  end

  def integer_too_small(value, c_type)
    "integer #{value} too small to convert to #{quoted(c_type)}"
  end

  # Made by the gem: a backtick on every Ruby.
  def no_signed_char(value)
    "integer #{value} too big to convert to `signed char'"
  end

  def string_for_size_option
    AT_LEAST_3_3 ? "no implicit conversion of String into Integer" : "no implicit conversion from string"
  end

  def nil_for_header_size
    AT_LEAST_3_3 ? "no implicit conversion of nil into Integer" : "no implicit conversion from nil to integer"
  end

  def wrong_argument_type(found, expected)
    "wrong argument type #{found} (expected #{expected})"
  end

  def wrong_number_of_arguments(given, expected)
    "wrong number of arguments (given #{given}, expected #{expected})"
  end
end

RSpec.configure { |config| config.include(CoreMessages) }
