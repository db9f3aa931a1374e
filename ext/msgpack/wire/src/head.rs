//! Reading one head: what an object is and how big its body claims to be.
//!
//! Source: MessagePack specification, section "Formats".

use crate::marker::{
    ARRAY16, ARRAY32, BIN16, BIN32, BIN8, EXT16, EXT32, EXT8, FALSE, FIXARRAY, FIXEXT1, FIXEXT16, FIXEXT2, FIXEXT4,
    FIXEXT8, FIXMAP, FIXPOS_MAX, FIXSEQ_MAX, FIXSTR, FIXSTR_MAX, FLOAT32, FLOAT64, INT16, INT32, INT64, INT8, MAP16,
    MAP32, NEG_FIXINT, NIL, RESERVED, STR16, STR32, STR8, TRUE, UINT16, UINT32, UINT64, UINT8,
};

/// The longest head: a marker and eight value bytes.
pub const MAX_LEN: usize = 9;

/// What a head says. Scalars are complete; for the rest the body follows.
///
/// The form is not kept: `7f` and `cc 7f` are both `Uint(127)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Head {
    /// `c0`.
    Nil,
    /// `c2`, `c3`.
    Bool(bool),
    /// Positive fixint and uint 8/16/32/64.
    Uint(u64),
    /// Negative fixint and int 8/16/32/64; positive values occur, if the sender chose that form.
    Int(i64),
    /// `ca`.
    Float32(f32),
    /// `cb`.
    Float64(f64),
    /// Number of bytes that follow; not promised to be UTF-8.
    Str(u32),
    /// Number of bytes that follow.
    Bin(u32),
    /// Number of objects that follow.
    Array(u32),
    /// Number of pairs that follow: twice as many objects, key before value.
    Map(u32),
    /// An extension.
    Ext {
        /// The application's type id; negative ones belong to the specification.
        type_id: i8,
        /// Number of payload bytes that follow.
        len: u32,
    },
}

impl Head {
    /// Number of bytes behind the head of a str, bin or ext; 0 for everything else.
    #[inline]
    pub fn body_len(self) -> u64 {
        match self {
            Head::Str(len) | Head::Bin(len) | Head::Ext { len, .. } => u64::from(len),
            _ => 0,
        }
    }

    /// Number of objects behind the head of an array (n) or map (2n); 0 for everything else.
    #[inline]
    pub fn children(self) -> u64 {
        match self {
            Head::Array(len) => u64::from(len),
            Head::Map(len) => 2 * u64::from(len),
            _ => 0,
        }
    }
}

/// Outcome of [`parse`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Parsed {
    /// A whole head.
    Head {
        /// What it says.
        head: Head,
        /// Its length in bytes, 1..=[`MAX_LEN`]; the body starts here.
        used: usize,
    },
    /// The head is cut off. The number is how many bytes it has in all, counted from its first
    /// byte; 1 if there was not even that.
    NeedMore(usize),
    /// The first byte is `c1`.
    Reserved,
}

#[inline(always)]
fn done(head: Head, used: usize) -> Parsed {
    Parsed::Head { head, used }
}

/// A head of 1 + `N` bytes.
#[inline(always)]
fn fields<const N: usize>(rest: &[u8], head: impl FnOnce([u8; N]) -> Head) -> Parsed {
    match rest.first_chunk::<N>() {
        Some(bytes) => done(head(*bytes), 1 + N),
        None => Parsed::NeedMore(1 + N),
    }
}

#[inline(always)]
fn fixext(rest: &[u8], len: u32) -> Parsed {
    fields(rest, |[id]| Head::Ext { type_id: id as i8, len })
}

/// Reads the head at the start of `bytes`; what follows it is not looked at.
///
/// ```
/// use msgpack_wire::head::{parse, Head, Parsed};
/// assert_eq!(parse(&[0xda, 0x01, 0x00]), Parsed::Head { head: Head::Str(256), used: 3 });
/// assert_eq!(parse(&[0xda, 0x01]), Parsed::NeedMore(3));
/// assert_eq!(parse(&[]), Parsed::NeedMore(1));
/// ```
#[inline]
pub fn parse(bytes: &[u8]) -> Parsed {
    let Some((&first, rest)) = bytes.split_first() else {
        return Parsed::NeedMore(1);
    };
    match first {
        0x00..=FIXPOS_MAX => done(Head::Uint(u64::from(first)), 1),
        FIXMAP..=0x8f => done(Head::Map(u32::from(first & FIXSEQ_MAX)), 1),
        FIXARRAY..=0x9f => done(Head::Array(u32::from(first & FIXSEQ_MAX)), 1),
        FIXSTR..=0xbf => done(Head::Str(u32::from(first & FIXSTR_MAX)), 1),
        NIL => done(Head::Nil, 1),
        RESERVED => Parsed::Reserved,
        FALSE => done(Head::Bool(false), 1),
        TRUE => done(Head::Bool(true), 1),
        BIN8 => fields(rest, |[n]| Head::Bin(u32::from(n))),
        BIN16 => fields(rest, |n| Head::Bin(u32::from(u16::from_be_bytes(n)))),
        BIN32 => fields(rest, |n| Head::Bin(u32::from_be_bytes(n))),
        EXT8 => fields(rest, |[n, id]| Head::Ext { type_id: id as i8, len: u32::from(n) }),
        EXT16 => fields(rest, |[a, b, id]| Head::Ext { type_id: id as i8, len: u32::from(u16::from_be_bytes([a, b])) }),
        EXT32 => {
            fields(rest, |[a, b, c, d, id]| Head::Ext { type_id: id as i8, len: u32::from_be_bytes([a, b, c, d]) })
        }
        FLOAT32 => fields(rest, |v| Head::Float32(f32::from_be_bytes(v))),
        FLOAT64 => fields(rest, |v| Head::Float64(f64::from_be_bytes(v))),
        UINT8 => fields(rest, |[v]| Head::Uint(u64::from(v))),
        UINT16 => fields(rest, |v| Head::Uint(u64::from(u16::from_be_bytes(v)))),
        UINT32 => fields(rest, |v| Head::Uint(u64::from(u32::from_be_bytes(v)))),
        UINT64 => fields(rest, |v| Head::Uint(u64::from_be_bytes(v))),
        INT8 => fields(rest, |v| Head::Int(i64::from(i8::from_be_bytes(v)))),
        INT16 => fields(rest, |v| Head::Int(i64::from(i16::from_be_bytes(v)))),
        INT32 => fields(rest, |v| Head::Int(i64::from(i32::from_be_bytes(v)))),
        INT64 => fields(rest, |v| Head::Int(i64::from_be_bytes(v))),
        FIXEXT1 => fixext(rest, 1),
        FIXEXT2 => fixext(rest, 2),
        FIXEXT4 => fixext(rest, 4),
        FIXEXT8 => fixext(rest, 8),
        FIXEXT16 => fixext(rest, 16),
        STR8 => fields(rest, |[n]| Head::Str(u32::from(n))),
        STR16 => fields(rest, |n| Head::Str(u32::from(u16::from_be_bytes(n)))),
        STR32 => fields(rest, |n| Head::Str(u32::from_be_bytes(n))),
        ARRAY16 => fields(rest, |n| Head::Array(u32::from(u16::from_be_bytes(n)))),
        ARRAY32 => fields(rest, |n| Head::Array(u32::from_be_bytes(n))),
        MAP16 => fields(rest, |n| Head::Map(u32::from(u16::from_be_bytes(n)))),
        MAP32 => fields(rest, |n| Head::Map(u32::from_be_bytes(n))),
        NEG_FIXINT..=0xff => done(Head::Int(i64::from(first as i8)), 1),
    }
}
