//! The first byte of an object: as constants, and as an enum that names all 256 of them.
//!
//! Source: MessagePack specification, section "Formats", overview.

/// `nil`.
pub const NIL: u8 = 0xc0;
/// The one byte that starts no object ("never used").
pub const RESERVED: u8 = 0xc1;
/// `false`.
pub const FALSE: u8 = 0xc2;
/// `true`.
pub const TRUE: u8 = 0xc3;
/// bin 8: one size byte follows.
pub const BIN8: u8 = 0xc4;
/// bin 16: two size bytes follow.
pub const BIN16: u8 = 0xc5;
/// bin 32: four size bytes follow.
pub const BIN32: u8 = 0xc6;
/// ext 8: one size byte and the type id follow.
pub const EXT8: u8 = 0xc7;
/// ext 16: two size bytes and the type id follow.
pub const EXT16: u8 = 0xc8;
/// ext 32: four size bytes and the type id follow.
pub const EXT32: u8 = 0xc9;
/// float 32: four bytes of IEEE 754 follow.
pub const FLOAT32: u8 = 0xca;
/// float 64: eight bytes of IEEE 754 follow.
pub const FLOAT64: u8 = 0xcb;
/// uint 8.
pub const UINT8: u8 = 0xcc;
/// uint 16.
pub const UINT16: u8 = 0xcd;
/// uint 32.
pub const UINT32: u8 = 0xce;
/// uint 64.
pub const UINT64: u8 = 0xcf;
/// int 8.
pub const INT8: u8 = 0xd0;
/// int 16.
pub const INT16: u8 = 0xd1;
/// int 32.
pub const INT32: u8 = 0xd2;
/// int 64.
pub const INT64: u8 = 0xd3;
/// fixext 1: the type id and 1 byte follow.
pub const FIXEXT1: u8 = 0xd4;
/// fixext 2: the type id and 2 bytes follow.
pub const FIXEXT2: u8 = 0xd5;
/// fixext 4: the type id and 4 bytes follow.
pub const FIXEXT4: u8 = 0xd6;
/// fixext 8: the type id and 8 bytes follow.
pub const FIXEXT8: u8 = 0xd7;
/// fixext 16: the type id and 16 bytes follow.
pub const FIXEXT16: u8 = 0xd8;
/// str 8: one size byte follows.
pub const STR8: u8 = 0xd9;
/// str 16: two size bytes follow.
pub const STR16: u8 = 0xda;
/// str 32: four size bytes follow.
pub const STR32: u8 = 0xdb;
/// array 16: two size bytes follow.
pub const ARRAY16: u8 = 0xdc;
/// array 32: four size bytes follow.
pub const ARRAY32: u8 = 0xdd;
/// map 16: two size bytes follow.
pub const MAP16: u8 = 0xde;
/// map 32: four size bytes follow.
pub const MAP32: u8 = 0xdf;

/// fixmap: the first of 16 markers, the number of pairs is in the low 4 bits.
pub const FIXMAP: u8 = 0x80;
/// fixarray: the first of 16 markers, the number of elements is in the low 4 bits.
pub const FIXARRAY: u8 = 0x90;
/// fixstr: the first of 32 markers, the number of bytes is in the low 5 bits.
pub const FIXSTR: u8 = 0xa0;
/// Negative fixint: the first of 32 markers, the byte read as `i8` is the value (-32..=-1).
pub const NEG_FIXINT: u8 = 0xe0;

/// Largest positive fixint.
pub const FIXPOS_MAX: u8 = 0x7f;
/// Largest size a fixmap or fixarray can have.
pub const FIXSEQ_MAX: u8 = 0x0f;
/// Largest size in bytes a fixstr can have.
pub const FIXSTR_MAX: u8 = 0x1f;

/// A first byte, named. Every `u8` has exactly one `Marker` and the other way round, as long as the
/// payload of the five `Fix…` variants is in its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants without a comment are the names of the specification
pub enum Marker {
    /// `00`-`7f`; the value, 0..=127.
    FixPos(u8),
    /// `80`-`8f`; number of pairs, 0..=15.
    FixMap(u8),
    /// `90`-`9f`; number of elements, 0..=15.
    FixArray(u8),
    /// `a0`-`bf`; number of bytes, 0..=31.
    FixStr(u8),
    Nil,
    /// `c1`, which starts no object.
    Reserved,
    False,
    True,
    Bin8,
    Bin16,
    Bin32,
    Ext8,
    Ext16,
    Ext32,
    Float32,
    Float64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Int8,
    Int16,
    Int32,
    Int64,
    FixExt1,
    FixExt2,
    FixExt4,
    FixExt8,
    FixExt16,
    Str8,
    Str16,
    Str32,
    Array16,
    Array32,
    Map16,
    Map32,
    /// `e0`-`ff`; the value, -32..=-1.
    FixNeg(i8),
}

impl Marker {
    /// The marker a first byte stands for. Total: every byte has one.
    ///
    /// ```
    /// use msgpack_wire::marker::Marker;
    /// assert_eq!(Marker::from_u8(0x93), Marker::FixArray(3));
    /// assert_eq!(Marker::from_u8(0xff), Marker::FixNeg(-1));
    /// ```
    pub const fn from_u8(byte: u8) -> Marker {
        match byte {
            0x00..=FIXPOS_MAX => Marker::FixPos(byte),
            FIXMAP..=0x8f => Marker::FixMap(byte & FIXSEQ_MAX),
            FIXARRAY..=0x9f => Marker::FixArray(byte & FIXSEQ_MAX),
            FIXSTR..=0xbf => Marker::FixStr(byte & FIXSTR_MAX),
            NIL => Marker::Nil,
            RESERVED => Marker::Reserved,
            FALSE => Marker::False,
            TRUE => Marker::True,
            BIN8 => Marker::Bin8,
            BIN16 => Marker::Bin16,
            BIN32 => Marker::Bin32,
            EXT8 => Marker::Ext8,
            EXT16 => Marker::Ext16,
            EXT32 => Marker::Ext32,
            FLOAT32 => Marker::Float32,
            FLOAT64 => Marker::Float64,
            UINT8 => Marker::Uint8,
            UINT16 => Marker::Uint16,
            UINT32 => Marker::Uint32,
            UINT64 => Marker::Uint64,
            INT8 => Marker::Int8,
            INT16 => Marker::Int16,
            INT32 => Marker::Int32,
            INT64 => Marker::Int64,
            FIXEXT1 => Marker::FixExt1,
            FIXEXT2 => Marker::FixExt2,
            FIXEXT4 => Marker::FixExt4,
            FIXEXT8 => Marker::FixExt8,
            FIXEXT16 => Marker::FixExt16,
            STR8 => Marker::Str8,
            STR16 => Marker::Str16,
            STR32 => Marker::Str32,
            ARRAY16 => Marker::Array16,
            ARRAY32 => Marker::Array32,
            MAP16 => Marker::Map16,
            MAP32 => Marker::Map32,
            NEG_FIXINT..=0xff => Marker::FixNeg(byte as i8),
        }
    }

    /// The first byte of this marker. Total: bits of a `Fix…` payload that are outside its range
    /// are dropped, they never turn one marker into another.
    pub const fn to_u8(self) -> u8 {
        match self {
            Marker::FixPos(value) => value & FIXPOS_MAX,
            Marker::FixMap(size) => FIXMAP | (size & FIXSEQ_MAX),
            Marker::FixArray(size) => FIXARRAY | (size & FIXSEQ_MAX),
            Marker::FixStr(size) => FIXSTR | (size & FIXSTR_MAX),
            Marker::Nil => NIL,
            Marker::Reserved => RESERVED,
            Marker::False => FALSE,
            Marker::True => TRUE,
            Marker::Bin8 => BIN8,
            Marker::Bin16 => BIN16,
            Marker::Bin32 => BIN32,
            Marker::Ext8 => EXT8,
            Marker::Ext16 => EXT16,
            Marker::Ext32 => EXT32,
            Marker::Float32 => FLOAT32,
            Marker::Float64 => FLOAT64,
            Marker::Uint8 => UINT8,
            Marker::Uint16 => UINT16,
            Marker::Uint32 => UINT32,
            Marker::Uint64 => UINT64,
            Marker::Int8 => INT8,
            Marker::Int16 => INT16,
            Marker::Int32 => INT32,
            Marker::Int64 => INT64,
            Marker::FixExt1 => FIXEXT1,
            Marker::FixExt2 => FIXEXT2,
            Marker::FixExt4 => FIXEXT4,
            Marker::FixExt8 => FIXEXT8,
            Marker::FixExt16 => FIXEXT16,
            Marker::Str8 => STR8,
            Marker::Str16 => STR16,
            Marker::Str32 => STR32,
            Marker::Array16 => ARRAY16,
            Marker::Array32 => ARRAY32,
            Marker::Map16 => MAP16,
            Marker::Map32 => MAP32,
            Marker::FixNeg(value) => NEG_FIXINT | value as u8,
        }
    }
}
