# frozen_string_literal: true

desc "Mistreat the gem with random programs, for 60 or `fuzz[N]` seconds; see spec/fuzz/run.rb"
task :fuzz, [:seconds] do |_, arguments|
  sh(RbConfig.ruby, "spec/fuzz/run.rb", arguments[:seconds] || "60", verbose: false)
end
