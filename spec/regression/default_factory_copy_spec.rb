# frozen_string_literal: true

# The default factory's types are every Ractor's. Copied into it by a private method behind dup and clone, another
# Ractor's own types, callables that can't be shared, became the main one's.
RSpec.describe "copying types into MessagePack::DefaultFactory" do
  def registered_ids
    MessagePack::DefaultFactory.registered_types.map { |type| type[:type] }
  end

  # What the block's factory meets, and what is registered then.
  def try(method, others)
    error = Ractors.error { MessagePack::DefaultFactory.send(method, others) }
    [error&.first, error&.last.to_s[/\Acan not copy/], registered_ids]
  end

  def own_types
    MessagePack::Factory.new.tap do |factory|
      kept = []
      factory.register_type(9, Samples::Wrap, packer: ->(_) { "p" }, unpacker: ->(_) { kept })
    end
  end

  def shareable_types
    MessagePack::Factory.new.tap { |factory| factory.register_type(9, Samples::Wrap, packer: Ractors::PACK, unpacker: Ractors::UNPACK) }
  end

  # initialize_copy is also how Ruby copies an object to another Ractor.
  %i[initialize_copy take_types].each do |method|
    describe "by #{method}" do
      { "of its own" => :own_types, "that all may use" => :shareable_types }.each do |name, make|
        it "is refused in the main Ractor, for types #{name}" do
          expect(Child.run { try(method, public_send(make)) }).to eq([TypeError, "can not copy", registered_ids])
        end

        it "is refused in another Ractor, for types #{name}" do
          results = Child.run do
            error = Ractors.run(method, make) do |method, make|
              factory = MessagePack::Factory.new
              kept = []
              callables = make == :own_types ? [->(_) { "p" }, ->(_) { kept }] : [Ractors::PACK, Ractors::UNPACK]
              factory.register_type(9, Samples::Wrap, packer: callables[0], unpacker: callables[1])
              Ractors.error { MessagePack::DefaultFactory.send(method, factory) }
            end
            [error&.first, error&.last.to_s[/\Acan not copy/], registered_ids, Ractors.error { MessagePack.unpack(hex("d4 09 7a")) }&.first]
          end
          expect(results).to eq([TypeError, "can not copy", registered_ids, MessagePack::UnknownExtTypeError])
        end
      end

      it "leaves the types that it has" do
        results = Child.run do
          MessagePack::DefaultFactory.register_type(9, Samples::Wrap, packer: ->(_) { "p" }, unpacker: ->(_) { :registered })
          [try(method, MessagePack::Factory.new), MessagePack.unpack(hex("d4 09 7a"))]
        end
        expect(results).to eq([[TypeError, "can not copy", [9]], :registered])
      end
    end
  end

  it "is not what dup does: the copy has types of its own" do
    results = Child.run do
      MessagePack::DefaultFactory.register_type(9, Samples::Wrap, packer: ->(_) { "p" }, unpacker: ->(_) { :registered })
      copy = MessagePack::DefaultFactory.dup
      copy.register_type(10, Samples::SubString, packer: ->(_) { "q" })
      [copy.load(hex("d4 09 7a")), registered_ids]
    end
    expect(results).to eq([:registered, [9]])
  end
end
