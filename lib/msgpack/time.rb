# frozen_string_literal: true

# MessagePack::Time is defined beside the Timestamp that it stands on.
require "msgpack/timestamp"
