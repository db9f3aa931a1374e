# frozen_string_literal: true

# All of it measures on Ruby 3.3 with YJIT, or on RUBY=3.1, through bin/bench, which see.

bench = ->(*arguments) { sh("bin/bench", *arguments.take_while { |a| a =~ /\A[a-z]/ }, *(["--ruby", ENV["BENCH_RUBY"]] if ENV["BENCH_RUBY"]), *arguments.drop_while { |a| a =~ /\A[a-z]/ }) }
