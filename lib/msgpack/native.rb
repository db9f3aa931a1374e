# frozen_string_literal: true

# Loads the native part. A precompiled gem has one library for each minor version of Ruby;
# a gem compiled on the spot has one library.
minor = RUBY_VERSION[/\A\d+\.\d+/]
begin
  require "msgpack/#{minor}/msgpack"
rescue LoadError => error
  # A library that is there and does not load is an error worth seeing.
  raise unless error.path == "msgpack/#{minor}/msgpack"

  require "msgpack/msgpack"
end
