# frozen_string_literal: true

# An example that expects nothing passes whatever the code does, so it fails here.
module MustExpect
  class << self
    attr_accessor :count
  end

  # Counts at `expect`, not at `to`: a frame around `to` would be what every failure points at.
  def expect(*, &)
    MustExpect.count += 1
    super
  end
end

RSpec.configure do |config|
  config.include(MustExpect)
  config.before { MustExpect.count = 0 }

  config.after do |example|
    next if MustExpect.count.positive? || example.exception || example.skipped?

    raise RuntimeError, "nothing was expected in this example", [example.location]
  end
end
