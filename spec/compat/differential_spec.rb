# frozen_string_literal: true

require_relative "differential"

# Some programs of the many that `rake spec:differential` runs; always the same, so that it is the gem that makes it fail.
RSpec.describe "the C gem" do
  it "agrees on random programs" do
    flags = Differential.peer_flags
    skip "there is no C gem for this Ruby; bin/rubies peers fetches one" unless flags

    output = StringIO.new
    agreed = Differential::Run.new(flags: flags, count: 1000, seed: 1, out: output).call
    expect(agreed).to be(true), output.string
  end
end
