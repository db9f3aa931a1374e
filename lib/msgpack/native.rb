# frozen_string_literal: true

# Loads the native part. A precompiled gem has one library for each minor version of Ruby, in a folder of that name;
# a gem compiled on the spot has one library.
#
# The folder is looked for: to require what is not there makes RubyGems search all gems for it.
minor = RUBY_VERSION.rpartition(".").first
require File.directory?("#{__dir__}/#{minor}") ? "msgpack/#{minor}/msgpack" : "msgpack/msgpack"
