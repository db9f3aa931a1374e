# frozen_string_literal: true

# The wire crate, which needs no Ruby.

namespace :wire do
  desc "Test the wire crate"
  task(:test) { sh("cargo", "test", "--package", "msgpack-wire") }
end
