# frozen_string_literal: true

RSpec.describe MessagePack::CoreExt do
  samples = {
    nil => "c0", true => "c3", false => "c2", 1 => "01", 1.5 => "cb 3f f8 00 00 00 00 00 00",
    "a" => "a1 61", :a => "a1 61", [1] => "91 01", { 1 => 2 } => "81 01 02",
    MessagePack::ExtensionValue.new(1, "a") => "d4 01 61"
  }

  samples.each do |object, bytes|
    describe "#{object.class}#to_msgpack" do
      it "returns a binary String" do
        expect(object.to_msgpack).to be_bytes(bytes)
      end

      it "writes to a packer and returns it" do
        packer = MessagePack::Packer.new
        expect(object.to_msgpack(packer)).to equal(packer)
        expect(packer.to_s).to be_bytes(bytes)
      end

      it "writes to an io and returns nil" do
        io = StringIO.new(String.new)
        expect(object.to_msgpack(io)).to be_nil
        expect(io.string).to be_bytes(bytes)
      end

      it "has one parameter" do
        expect(object.method(:to_msgpack).parameters).to eq([%i[opt packer_or_io]])
      end

      it "stands on a private to_msgpack_with_packer that returns the packer" do
        packer = MessagePack::Packer.new
        expect(object.respond_to?(:to_msgpack_with_packer)).to be(false)
        expect(object.__send__(:to_msgpack_with_packer, packer)).to equal(packer)
      end
    end
  end

  describe "#to_msgpack" do
    it "takes nil for no argument" do
      expect(1.to_msgpack(nil)).to be_bytes("01")
    end

    it "takes false for no argument" do
      expect(1.to_msgpack(false)).to be_bytes("01")
    end

    it "takes options" do
      expect("a".b.to_msgpack(compatibility_mode: true)).to be_bytes("a1 61")
    end

    it "appends to what has << alone" do
      array = []
      expect(1.to_msgpack(array)).to be_nil
      expect(array.join).to be_bytes("01")
    end

    it "refuses an object that can not be written to" do
      expect { 1.to_msgpack(Object.new) }.to raise_error(NoMethodError, /write/)
    end

    it "refuses two arguments" do
      expect { 1.to_msgpack(nil, nil) }.to raise_error(ArgumentError)
    end

    it "returns a packer of a subclass" do
      packer = Class.new(MessagePack::Packer).new
      expect([1].to_msgpack(packer)).to equal(packer)
    end

    it "returns the packer although its methods return something else" do
      packer = Class.new(MessagePack::Packer) { def write_int(number) = super && nil }.new
      expect(1.to_msgpack(packer)).to equal(packer)
    end

    it "uses the packer's types for the elements" do
      packer = MessagePack::Packer.new
      packer.register_type(1, Samples::Wrap, :value)
      expect([Samples::Wrap.new("x")].to_msgpack(packer).to_s).to be_bytes("91 d4 01 78")
    end

    { Samples::SubArray[1] => "91 01", Samples::SubString.new("s") => "a1 73", Samples::SubHash[1, 2] => "81 01 02" }.each do |object, bytes|
      it "does not use the packer's types for the #{object.class} itself" do
        packer = MessagePack::Packer.new
        packer.register_type(1, object.class) { "x" }
        expect(object.to_msgpack(packer).to_s).to be_bytes(bytes)
      end
    end

    it "is not a method of Object" do
      expect(Object.method_defined?(:to_msgpack)).to be(false)
    end
  end

  it "is not asked by a packer" do
    string = +"x"
    def string.to_msgpack(*) = raise("asked")
    expect(MessagePack.pack([string])).to be_bytes("91 a1 78")
  end

  it "is included in these classes alone" do
    ancestors = Module.instance_method(:ancestors) # some class has an include? of another kind
    classes = ObjectSpace.each_object(Class).select { |klass| ancestors.bind_call(klass).include?(described_class) && !klass.singleton_class? && klass.name }
    roots = classes.reject { |klass| classes.include?(klass.superclass) }
    expect(roots).to contain_exactly(*samples.keys.map(&:class))
  end

  it "can be included in a class of one's own" do
    klass = Class.new do
      include MessagePack::CoreExt

      private

      def to_msgpack_with_packer(packer) = packer.write(7)
    end
    expect(klass.new.to_msgpack).to be_bytes("07")
    expect(MessagePack.pack([klass.new])).to be_bytes("91 07")
  end
end
