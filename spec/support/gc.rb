# frozen_string_literal: true

# The weathers, see spec_helper.rb.
RSpec.configure do |config|
  if ENV["MSGPACK_GC_STRESS"] == "1"
    config.filter_run_excluding(:slow)

    config.around do |example|
      GC.stress = true
      example.run
    ensure
      GC.stress = false
    end
  end

  if ENV["MSGPACK_GC_COMPACT"] == "1"
    if GC.respond_to?(:compact)
      config.after { GC.compact }
    else
      warn "MSGPACK_GC_COMPACT: this Ruby can not move objects, the suite runs plain"
    end
  end
end
