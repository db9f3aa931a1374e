# frozen_string_literal: true

# msgpack-ruby 126, 136 and 152: a subclass took the callable of another type than its own.
RSpec.describe "a subclass with a type of its own" do
  [[Samples::Wrap, Samples::WrapChild], [Samples::WrapChild, Samples::Wrap]].each do |order|
    it "takes it when #{order[0]} was registered first" do
      factory = MessagePack::Factory.new
      order.each { |klass| factory.register_type(klass == Samples::Wrap ? 1 : 2, klass) }
      expect(factory.dump([Samples::Wrap.new("p"), Samples::WrapChild.new("c"), Samples::Wrap.new("q")]))
        .to be_bytes("93 d4 01 70 d4 02 63 d4 01 71")
    end
  end

  it "without one takes its parent's" do
    factory = MessagePack::Factory.new
    factory.register_type(1, Samples::Wrap)
    expect(factory.dump(Samples::WrapChild.new("c"))).to be_bytes("d4 01 63")
  end
end
