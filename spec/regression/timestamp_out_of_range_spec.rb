# frozen_string_literal: true

# msgpack-python 696: a time that does not fit came out as another one, without a word.
RSpec.describe "a timestamp that does not fit" do
  { [2**63, 0] => "sec 9223372036854775808", [-(2**63) - 1, 0] => "sec -9223372036854775809", [0, 2**30] => "nsec 1073741824", [-1, 2**32] => "nsec 4294967296",
    [0, -1] => "nsec -1" }.each do |(sec, nsec), name|
    it "is refused for #{name}" do
      expect { MessagePack::Timestamp.to_msgpack_ext(sec, nsec) }.to raise_error(RangeError, "#{name} is out of range")
    end
  end
end
