# frozen_string_literal: true

module MessagePack
  # This release of the gem.
  VERSION = "1.9.0"

  # The release of the C gem whose behaviour this one matches.
  COMPATIBLE_VERSION = "1.8.5"
end
