# frozen_string_literal: true

desc "Measure the library that `rake compile` left; see bench/run.rb"
task(:bench) { sh(RbConfig.ruby, "bench/run.rb", verbose: false) }
