# frozen_string_literal: true

# The native library, at lib/msgpack/msgpack.so: with the rb_sys gem, as RubyGems builds it on a
# user's machine, or with cargo alone where that gem is missing.
#
# The library may be in use while it is built, by a benchmark say: it is never written over, only
# replaced by another file of its name.

begin
  require "rake/extensiontask"
  require "rb_sys/extensiontask"
  RbSys::ExtensionTask.new("msgpack", GEMSPEC) { |ext| ext.lib_dir = "lib/msgpack" }
rescue LoadError
  cargo_build = lambda do |*profile|
    target = ENV["CARGO_TARGET_DIR"] || "target"
    crate = File.join(target, profile.empty? ? "debug" : "release", "libmsgpack.#{RbConfig::CONFIG["SOEXT"]}")
    library = "lib/msgpack/msgpack.#{RbConfig::CONFIG["DLEXT"]}"
    sh({ "RUBY" => RbConfig.ruby }, "cargo", "build", "--package", "msgpack", *profile)
    cp crate, "#{library}.new"
    mv "#{library}.new", library
  end

  desc "Compile the native library"
  task(:compile) { cargo_build.call("--release") }

  desc "Compile the native library without optimisation, for the edit loop"
  task("compile:dev") { cargo_build.call }
end
