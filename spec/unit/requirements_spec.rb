# frozen_string_literal: true

require "fileutils"
require "open3"
require "tmpdir"

# What ext/msgpack/extconf.rb looks at before it builds. Each failure is one sentence.
RSpec.describe "the requirements of a build" do
  around { |example| Dir.mktmpdir { |dir| Dir.chdir(dir) { example.run } } }

  before { FileUtils.cp(%w[requirements.rb ruby_api.txt Cargo.toml].map { |name| File.join(__dir__, "../../ext/msgpack", name) }, ".") }

  # Puts a program on a PATH of its own.
  def cargo(script)
    Dir.mkdir("bin")
    File.write("bin/cargo", "#!/bin/sh\n#{script}\n")
    File.chmod(0o755, "bin/cargo")
    { "PATH" => "#{Dir.pwd}/bin:#{ENV.fetch("PATH")}" }
  end

  # @return what it said, and whether it went well
  def check(environment = cargo("echo cargo 1.999.0"), code = "")
    output, status = Open3.capture2e(Child::PLAIN.merge("CARGO" => nil, "LIBCLANG_PATH" => "x").merge(environment), RbConfig.ruby,
                                     "-r./requirements", "-e", "#{code}; Requirements.check")
    [output, status.success?]
  end

  it "are there" do
    expect(check).to eq(["", true])
  end

  it "name Rust where there is none" do
    said, well = check({ "PATH" => "/nonexistent" })
    expect(said).to match(/\Amsgpack can't be built: there is no cargo on PATH; install Rust 1\.85 or newer, by rustup .*\.\n\z/)
    expect(well).to be(false)
  end

  it "name Rust where it is too old" do
    expect(check(cargo("echo cargo 1.84.1"))).to match([/: the cargo here is 1\.84\.1; install Rust 1\.85 or newer, .*\.\n\z/, false])
  end

  it "tell what a cargo says that does not run" do
    expect(check(cargo("echo 'error: no toolchain' >&2; exit 1"))).to match([/: `cargo --version` says "error: no toolchain"; install Rust/, false])
  end

  it "name the Ruby that is too old" do
    said = check(cargo("echo cargo 1.999.0"), "RUBY_VERSION = '3.0.9'")
    expect(said[0].lines.last).to eq("msgpack can't be built: it needs Ruby 3.1 or newer, and this is 3.0.9.\n")
    expect(said[1]).to be(false)
  end

  it "say that a Ruby is newer than the gem, and go on" do
    File.write("ruby_api.txt", "VALUE rb_ary_push(VALUE, VALUE)\n")
    said, well = check(cargo("echo cargo 1.999.0"), "RUBY_VERSION = '99.0.0'")
    expect(said.lines.last).to start_with("msgpack: Ruby 99.0.0 is newer than 4.0")
    expect(well).to be(true)
  end

  it "name the C compiler where there is none" do
    cargo("echo cargo 1.999.0")
    expect(check({ "PATH" => "#{Dir.pwd}/bin" })).to match([/\Amsgpack can't be built: the C compiler .*gcc ruby-dev\)\.\n\z/, false])
  end

  {
    "a C function that is missing" => ["VALUE rb_there_is_none(VALUE)\n", "rb_there_is_none"],
    "a C function that takes other parameters" => ["VALUE rb_ary_push(VALUE)\nVALUE rb_ary_shift(VALUE)\n", "rb_ary_push"],
    "a C function that gives something else" => ["long rb_utf8_encindex(void)\n", "rb_utf8_encindex"]
  }.each do |what, (lines, name)|
    it "name #{what}" do
      File.write("ruby_api.txt", lines)
      expect(check).to eq(["msgpack can't be built: Ruby #{RUBY_VERSION} lacks or has changed C functions that msgpack calls: #{name}. " \
                           "Look for a newer msgpack.\n", false])
    end
  end

  it "want no function that comes with a newer Ruby" do
    File.write("ruby_api.txt", "VALUE rb_there_is_none(VALUE) // since 99.0\nVALUE rb_ary_push(VALUE, VALUE)\n")
    expect(check).to eq(["", true])
  end
end
