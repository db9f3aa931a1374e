# frozen_string_literal: true

# Fuzzers, for as many seconds as their argument says.

desc "Mistreat the gem with random programs; see spec/fuzz/run.rb"
task :fuzz, [:seconds] do |_, arguments|
  sh(RbConfig.ruby, "spec/fuzz/run.rb", arguments[:seconds] || "60", verbose: false)
end

namespace :wire do
  desc "Fuzz the wire crate's reading, skipping and writing; needs cargo-fuzz and g++"
  task :fuzz, [:seconds] do |_, arguments|
    abort "no cargo-fuzz here: cargo install cargo-fuzz" unless system("cargo", "fuzz", "--version", out: File::NULL, err: File::NULL)

    require_relative "../spec/fuzz/wire"
    Dir.chdir("ext/msgpack/wire") do
      %w[head skip round_trip].each do |target|
        corpus = File.join("fuzz", "corpus", target)
        mkdir_p(corpus, verbose: false)
        # Objects to start from; `skip` has five bytes in front of them.
        before = target == "skip" ? "\x80\x01\x02\x07\xff".b : "".b
        200.times { |number| File.binwrite(File.join(corpus, "seed-#{number}"), before + Wire.new(Dice.new(number)).any) }
        # Without a sanitizer: the crate has no unsafe code, and a stable compiler will do.
        sh("cargo", "fuzz", "run", "-s", "none", target, "--", "-max_total_time=#{arguments[:seconds] || 60}", "-max_len=4096", "-print_final_stats=1")
      end
    end
  end
end
