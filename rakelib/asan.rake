# frozen_string_literal: true

# The library with AddressSanitizer, next to the usual one: what reads or writes memory that is freed, or beside
# a block, ends the process with a report. Needs gcc's libasan.

asan = lambda do |*command|
  host = `rustc -vV`[/^host: (.*)/, 1]
  target = File.join(ENV.fetch("CARGO_TARGET_DIR", "target"), "asan")
  # Frames on the machine stack are left out: Ruby jumps over them and swaps stacks, of which the sanitizer is not told.
  flags = "-Zsanitizer=address -Cdebuginfo=1 -Cllvm-args=-asan-stack=0"
  sh({ "RUSTC_BOOTSTRAP" => "1", "RUSTFLAGS" => flags, "RUBY" => RbConfig.ruby, "CARGO_TARGET_DIR" => target },
     *%w[cargo build --quiet --release --package msgpack --target], host)
  lib = File.expand_path("tmp/asan/lib")
  mkdir_p("#{lib}/msgpack", verbose: false)
  cp("#{target}/#{host}/release/libmsgpack.#{RbConfig::CONFIG["SOEXT"]}", "#{lib}/msgpack/msgpack.#{RbConfig::CONFIG["DLEXT"]}", verbose: false)
  sh({ "ASAN_OPTIONS" => "detect_leaks=0:use_sigaltstack=0", "LD_PRELOAD" => `gcc -print-file-name=libasan.so`.chomp, "FUZZ_RUBY" => "-I#{lib}",
       "RUBY_FIBER_MACHINE_STACK_SIZE" => (1 << 20).to_s }, # checks make frames larger
     RbConfig.ruby, "-I#{lib}", "-I#{File.expand_path("lib")}", *command)
end

namespace :spec do
  desc "The specs with AddressSanitizer, but for those that run the C gem, which asks for more than it grants"
  task(:asan) { asan.call("-Ispec", Gem.bin_path("rspec-core", "rspec"), "--tag", "~slow", "--exclude-pattern", "spec/compat/**/*") }
end

namespace :fuzz do
  desc "The fuzzer of calls with AddressSanitizer"
  task(:asan, [:seconds]) { |_, arguments| asan.call("spec/fuzz/run.rb", arguments[:seconds] || "60") }
end
