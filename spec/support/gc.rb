# frozen_string_literal: true

# The weathers, see spec_helper.rb.
RSpec.configure do |config|
  if (stress = ENV["MSGPACK_GC_STRESS"])
    config.filter_run_excluding(:slow, gc_stress: false)

    # A full GC at every allocation takes hours, since each marks all of RSpec. Minor ones find what is not
    # marked and which write barriers are missing as well; they take minutes. "full" is for a few examples.
    flags = stress == "full" ? true : 0x01 # no major GC

    # What is there before the examples becomes old, so that minor collections pass it by.
    config.before(:suite) { 4.times { GC.start } }

    config.around do |example|
      GC.stress = flags
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
