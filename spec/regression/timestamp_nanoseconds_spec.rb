# frozen_string_literal: true

# fluentd 2015: nanoseconds were lost on the way.
RSpec.describe "the nanoseconds of a Time" do
  [Time.at(1, 1, :nsec), Time.at(2**34, 999_999_999, :nsec), Time.at(-1, 1, :nsec), Time.at(0, 123_456_789, :nsec)].each do |time|
    it "of #{time.utc.strftime('%F %T.%9N')} come back" do
      factory = MessagePack::Factory.new
      factory.register_type(-1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
      expect(factory.load(factory.dump(time)).nsec).to eq(time.nsec)
    end
  end
end
