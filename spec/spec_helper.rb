# frozen_string_literal: true

# What every spec file starts from. The suite runs in several weathers:
#
#   rspec                          plain
#   MSGPACK_GC_STRESS=1 rspec      a minor GC at every allocation; what is tagged :slow or gc_stress: false is left out
#   MSGPACK_GC_STRESS=full rspec   a full GC at every allocation: for single files
#   MSGPACK_GC_COMPACT=1 rspec     objects move after each example
#
# Order is random; `rspec --seed N` repeats a run. A warning of Ruby about a file of ours is a failure.

$VERBOSE = true
Warning[:deprecated] = true

Warning.singleton_class.prepend(Module.new do
  ours = %r{\A#{Regexp.escape(File.expand_path("..", __dir__))}/(lib|exe|spec)/}
  # Specs may use gems that come with Ruby, which Bundler would like to see in the Gemfile.
  harmless = %r{/spec/.* was loaded from the standard library}

  define_method(:warn) do |message, category: nil, **rest|
    raise "Ruby warns: #{message}" if message.match?(ours) && !message.match?(harmless) && category != :experimental

    category ? super(message, category: category, **rest) : super(message, **rest)
  end
end)

require "msgpack"

Dir[File.join(__dir__, "support", "*.rb")].sort.each { |file| require file }

RSpec.configure do |config|
  config.disable_monkey_patching!
  config.expect_with(:rspec) { |expectations| expectations.syntax = :expect }
  config.mock_with(:rspec) { |mocks| mocks.verify_partial_doubles = true }

  config.order = :random
  Kernel.srand(config.seed)

  config.fail_if_no_examples = true
  config.raise_errors_for_deprecations!

  # A focused example hides all others, so it may not get this far.
  config.define_derived_metadata(focus: true) do |metadata|
    raise "focused example at #{metadata[:location]}: remove the focus, or run it by its line number"
  end
end
