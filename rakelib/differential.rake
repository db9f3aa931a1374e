# frozen_string_literal: true

namespace :spec do
  desc "Compare with the C gem on random programs; see spec/compat/differential.rb"
  task :differential do
    require_relative "../spec/compat/differential"
    flags = Differential.peer_flags
    next puts("skipped: there is no C gem for Ruby #{RUBY_VERSION} here; bin/rubies peers fetches one, MSGPACK_PEER names another") unless flags

    seed = Integer(ENV.fetch("DIFFERENTIAL_SEED") { Random.new_seed & 0xffff_ffff })
    count = Integer(ENV.fetch("DIFFERENTIAL_COUNT", 200_000))
    Differential::Run.new(flags: flags, count: count, seed: seed).call || abort
  end
end
