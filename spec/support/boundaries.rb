# frozen_string_literal: true

# Where the format changes its form, written once and by hand from the specification. Both
# directions use these tables: a packer has to write exactly these bytes, an unpacker to read them.
module Boundaries
  # value => the bytes a packer writes
  INTEGERS = {
    0 => "00",
    1 => "01",
    0x7f => "7f",
    0x80 => "cc 80",
    0xff => "cc ff",
    0x100 => "cd 01 00",
    0xffff => "cd ff ff",
    0x1_0000 => "ce 00 01 00 00",
    0xffff_ffff => "ce ff ff ff ff",
    0x1_0000_0000 => "cf 00 00 00 01 00 00 00 00",
    0x3fff_ffff_ffff_ffff => "cf 3f ff ff ff ff ff ff ff", # the last Integer without heap memory
    0x4000_0000_0000_0000 => "cf 40 00 00 00 00 00 00 00",
    0x7fff_ffff_ffff_ffff => "cf 7f ff ff ff ff ff ff ff",
    0x8000_0000_0000_0000 => "cf 80 00 00 00 00 00 00 00",
    0xffff_ffff_ffff_ffff => "cf ff ff ff ff ff ff ff ff",
    -1 => "ff",
    -0x20 => "e0",
    -0x21 => "d0 df",
    -0x80 => "d0 80",
    -0x81 => "d1 ff 7f",
    -0x8000 => "d1 80 00",
    -0x8001 => "d2 ff ff 7f ff",
    -0x8000_0000 => "d2 80 00 00 00",
    -0x8000_0001 => "d3 ff ff ff ff 7f ff ff ff",
    -0x4000_0000_0000_0000 => "d3 c0 00 00 00 00 00 00 00",
    -0x4000_0000_0000_0001 => "d3 bf ff ff ff ff ff ff ff",
    -0x8000_0000_0000_0000 => "d3 80 00 00 00 00 00 00 00"
  }.freeze

  # bytes of a longer form than needed => value
  LONG_INTEGERS = {
    "cc 00" => 0,
    "cc 7f" => 0x7f,
    "cd 00 00" => 0,
    "cd 00 ff" => 0xff,
    "ce 00 00 00 00" => 0,
    "ce 00 00 ff ff" => 0xffff,
    "cf 00 00 00 00 00 00 00 00" => 0,
    "cf 00 00 00 00 ff ff ff ff" => 0xffff_ffff,
    "d0 00" => 0,
    "d0 7f" => 0x7f,
    "d0 e0" => -0x20,
    "d0 ff" => -1,
    "d1 00 00" => 0,
    "d1 7f ff" => 0x7fff,
    "d1 ff 80" => -0x80,
    "d2 00 00 00 00" => 0,
    "d2 7f ff ff ff" => 0x7fff_ffff,
    "d2 ff ff 80 00" => -0x8000,
    "d3 00 00 00 00 00 00 00 00" => 0,
    "d3 7f ff ff ff ff ff ff ff" => 0x7fff_ffff_ffff_ffff,
    "d3 ff ff ff ff 80 00 00 00" => -0x8000_0000,
    "d3 ff ff ff ff ff ff ff ff" => -1
  }.freeze

  # value => the bytes a packer writes, all float 64. NaN is not here: it equals nothing.
  FLOATS = {
    0.0 => "cb 00 00 00 00 00 00 00 00",
    1.0 => "cb 3f f0 00 00 00 00 00 00",
    -1.0 => "cb bf f0 00 00 00 00 00 00",
    0.1 => "cb 3f b9 99 99 99 99 99 9a",
    Float::MAX => "cb 7f ef ff ff ff ff ff ff",
    Float::MIN => "cb 00 10 00 00 00 00 00 00",
    5e-324 => "cb 00 00 00 00 00 00 00 01",
    Float::INFINITY => "cb 7f f0 00 00 00 00 00 00",
    -Float::INFINITY => "cb ff f0 00 00 00 00 00 00"
  }.freeze

  # bytes of float 32 => value
  FLOATS32 = {
    "ca 00 00 00 00" => 0.0,
    "ca 3f 80 00 00" => 1.0,
    "ca bf 80 00 00" => -1.0,
    "ca 3d cc cc cd" => 0.10000000149011612,
    "ca 7f 7f ff ff" => 3.4028234663852886e+38,
    "ca 00 00 00 01" => 1.401298464324817e-45,
    "ca 7f 80 00 00" => Float::INFINITY,
    "ca ff 80 00 00" => -Float::INFINITY
  }.freeze

  # bytes of body => head
  STR = {
    0 => "a0",
    1 => "a1",
    31 => "bf",
    32 => "d9 20",
    255 => "d9 ff",
    256 => "da 01 00",
    65_535 => "da ff ff",
    65_536 => "db 00 01 00 00"
  }.freeze

  # The same for readers that know neither str 8 nor bin.
  RAW = STR.merge(32 => "da 00 20", 255 => "da 00 ff").freeze

  BIN = {
    0 => "c4 00",
    1 => "c4 01",
    255 => "c4 ff",
    256 => "c5 01 00",
    65_535 => "c5 ff ff",
    65_536 => "c6 00 01 00 00"
  }.freeze

  # elements => head
  ARRAY = {
    0 => "90",
    1 => "91",
    15 => "9f",
    16 => "dc 00 10",
    65_535 => "dc ff ff",
    65_536 => "dd 00 01 00 00"
  }.freeze

  # pairs => head
  MAP = {
    0 => "80",
    1 => "81",
    15 => "8f",
    16 => "de 00 10",
    65_535 => "de ff ff",
    65_536 => "df 00 01 00 00"
  }.freeze

  # bytes of payload => head, for type id 5
  EXT = {
    0 => "c7 00 05",
    1 => "d4 05",
    2 => "d5 05",
    3 => "c7 03 05",
    4 => "d6 05",
    5 => "c7 05 05",
    7 => "c7 07 05",
    8 => "d7 05",
    9 => "c7 09 05",
    15 => "c7 0f 05",
    16 => "d8 05",
    17 => "c7 11 05",
    255 => "c7 ff 05",
    256 => "c8 01 00 05",
    65_535 => "c8 ff ff 05",
    65_536 => "c9 00 01 00 00 05"
  }.freeze

  # type id => its byte
  EXT_IDS = { 0 => "00", 1 => "01", 127 => "7f", -1 => "ff", -128 => "80" }.freeze

  # How many containers that are not empty an unpacker accepts inside each other.
  DEPTH = 128
end
