# frozen_string_literal: true

require "fileutils"
require "tmpdir"

# Each require in a process of its own.
RSpec.describe "require" do
  {
    "msgpack" => "MessagePack.unpack([1].to_msgpack) == [1]",
    "msgpack/core" => "MessagePack.unpack(MessagePack.pack([1])) == [1]",
    "msgpack/version" => "MessagePack::VERSION.is_a?(String)",
    "msgpack/native" => "MessagePack::Packer.new.write([1]).to_s == %(\\x91\\x01).b",
    "msgpack/errors" => "MessagePack::UnpackError.new.offset.nil?",
    "msgpack/registration" => "MessagePack::Packer.new.registered_types == []",
    "msgpack/msgpack" => "MessagePack::Packer.new.write([1]).to_s == %(\\x91\\x01).b",
    "msgpack/buffer" => "(MessagePack::Buffer.new << 'ab').size == 2",
    "msgpack/packer" => "MessagePack::Packer.new.registered_types == []",
    "msgpack/unpacker" => "MessagePack::Unpacker.new.registered_types == []",
    "msgpack/factory" => "MessagePack::Factory.new.pool.dump(1) == %(\\x01)",
    "msgpack/pool" => "MessagePack::Factory::Pool::MemberPool.is_a?(Class)",
    "msgpack/symbol" => ":a.to_msgpack_ext == 'a'",
    "msgpack/core_ext" => "1.to_msgpack == %(\\x01)",
    "msgpack/extension_value" => "MessagePack::ExtensionValue.new(1, 'a').to_msgpack == %(\\xd4\\x01a).b",
    "msgpack/timestamp" => "MessagePack::Timestamp.new(1, 2).sec == 1",
    "msgpack/time" => "MessagePack::Time::Packer.call(Time.at(1)) == %(\\0\\0\\0\\1)",
    "msgpack/bigint" => "MessagePack::Bigint.to_msgpack_ext(0) == %(\\0)"
  }.each do |feature, check|
    it "#{feature} works on its own, and without a warning" do
      expect(Child.ruby("require #{feature.dump}; puts(#{check})", "-w")).to eq("true\n")
    end
  end

  it "of every file there is gives no warning" do
    lib = File.expand_path("../../lib", __dir__)
    features = Dir["#{lib}/**/*.rb"].sort.map { |path| path.delete_prefix("#{lib}/").delete_suffix(".rb") }
    expect(features).to include("msgpack", "msgpack/bigint", "msgpack/cli/stat")
    expect(Child.ruby("require 'msgpack'; #{features.inspect}.each { |feature| require feature }", "-w", "-W:deprecated")).to eq("")
  end

  it "msgpack/core gives to_msgpack to no core class" do
    expect(Child.ruby('require "msgpack/core"; p [nil, 1, "a", :a, [], {}].map { |object| object.respond_to?(:to_msgpack) }.uniq'))
      .to eq("[false]\n")
  end

  it "msgpack/core packs and unpacks what msgpack does" do
    expect(Child.ruby('require "msgpack/core"; p MessagePack.pack([nil, { "a" => :b }, 1.5, MessagePack::ExtensionValue.new(1, "x")]).unpack1("H*")'))
      .to eq("\"94c081a161a162cb3ff8000000000000d40178\"\n")
  end

  it "msgpack does not load bigint" do
    expect(Child.ruby('require "msgpack"; p defined?(MessagePack::Bigint)')).to eq("nil\n")
  end

  it "msgpack twice loads once" do
    expect(Child.ruby('p require("msgpack"), require("msgpack"), require("msgpack/core_ext")')).to eq("true\nfalse\nfalse\n")
  end

  it "loads the native part as msgpack/msgpack" do
    expect(Child.ruby('require "msgpack"; p $LOADED_FEATURES.any? { |path| path.match?(%r{msgpack/msgpack\.\w+\z}) }')).to eq("true\n")
  end

  # RubyGems looks through all installed gems for a file that is not there.
  it "tries no file that is not there" do
    expect(Child.ruby('raised = []; TracePoint.new(:raise) { |point| raised << point.raised_exception }.enable { require "msgpack" }; p raised'))
      .to eq("[]\n")
  end

  it "loads the library of a folder for this Ruby, where a precompiled gem has it" do
    Dir.mktmpdir do |folder|
      FileUtils.cp_r(File.join(File.expand_path("../../lib", __dir__), "."), folder)
      FileUtils.mkdir(own = File.join(folder, "msgpack", RUBY_VERSION[/\A\d+\.\d+/]))
      FileUtils.mv(Dir[File.join(folder, "msgpack", "msgpack.#{RbConfig::CONFIG["DLEXT"]}")], own)
      code = "$LOAD_PATH.unshift(#{folder.dump}); require 'msgpack'; p MessagePack.unpack([1].to_msgpack), $LOADED_FEATURES.count { |path| path.start_with?(#{own.dump}) }"
      expect(Child.ruby(code)).to eq("[1]\n1\n")
    end
  end

  describe "MessagePack::VERSION" do
    it "is frozen" do
      expect(MessagePack::VERSION.frozen?).to be(true)
    end

    ["~> 1.2", ">= 1.3.1, < 2.0.0", ">= 1.7.0"].each do |requirement|
      it "satisfies #{requirement}" do
        expect(Gem::Requirement.new(requirement.split(", ")).satisfied_by?(Gem::Version.new(MessagePack::VERSION))).to be(true)
      end
    end
  end
end
