# frozen_string_literal: true

# An example that expects nothing passes whatever the code does, so it fails here.
module MustExpect
  class << self
    attr_accessor :count
  end

  # Counts every `expect(…).to`, `not_to` and `to receive`.
  module Count
    def to(*, **, &)
      MustExpect.count += 1
      super
    end

    def not_to(*, **, &)
      MustExpect.count += 1
      super
    end
    alias to_not not_to
  end

  RSpec::Expectations::ExpectationTarget.prepend(Count)
end

RSpec.configure do |config|
  # A failure points at the example, not at Count.
  config.backtrace_exclusion_patterns << /#{Regexp.escape(__FILE__)}/

  config.before { MustExpect.count = 0 }

  config.after do |example|
    next if MustExpect.count.positive? || example.exception || example.skipped?

    raise "nothing was expected in this example"
  end
end
