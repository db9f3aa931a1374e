# frozen_string_literal: true

# The weathers, see spec_helper.rb.
RSpec.configure do |config|
  if ENV["MSGPACK_GC_STRESS"] == "1"
    config.filter_run_excluding(:slow)

    # 1: minor collections, which free what is young and not rooted, and what an old object refers to
    # without a write barrier. Full ones, `true`, take fifty times as long, mostly in RSpec's own objects.
    config.around do |example|
      GC.stress = 1
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
