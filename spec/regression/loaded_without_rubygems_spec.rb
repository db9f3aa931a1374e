# frozen_string_literal: true

# bootsnap 488: the gem was not found when it was loaded outside of Bundler. It needs its own folder on the load path and
# nothing else, not even RubyGems.
RSpec.describe "loading without RubyGems" do
  it "works" do
    expect(Child.ruby('require "msgpack"; require "msgpack/bigint"; p defined?(Gem), MessagePack.unpack([1].to_msgpack)')).to eq("nil\n[1]\n")
  end
end
