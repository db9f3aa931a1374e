//! Writing heads and scalars, always in their shortest form.
//!
//! Source: MessagePack specification, sections "Formats" and "Serialization".
//!
//! Nothing here can fail: sizes are `u32`, the widest the format has, so whoever holds a longer
//! string has to refuse it before it gets here.

use crate::marker::{
    ARRAY16, ARRAY32, BIN16, BIN32, BIN8, EXT16, EXT32, EXT8, FALSE, FIXARRAY, FIXEXT1, FIXEXT16, FIXEXT2, FIXEXT4,
    FIXEXT8, FIXMAP, FIXSTR, FLOAT32, FLOAT64, INT16, INT32, INT64, INT8, MAP16, MAP32, NIL, STR16, STR32, STR8, TRUE,
    UINT16, UINT32, UINT64, UINT8,
};
use bytes::BufMut;

/// An encoded head or scalar of 1..=9 bytes.
///
/// ```text
/// byte      0       1        2            8
///        +-------+--------+--------+ - +--------+
///        | first | rest most significant byte … |     the first `len` of these count
///        +-------+--------+--------+ - +--------+
/// ```
///
/// Bytes of `rest` beyond `len` are 0. So a writer that has 9 bytes of room may store `first`, then
/// all of `rest` in big-endian order, and advance by `len`: no copy of variable length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Short {
    /// The marker.
    pub first: u8,
    /// The bytes behind the marker, left-aligned.
    pub rest: u64,
    /// How many bytes count, marker included: 1..=9.
    pub len: u8,
}

/// How an integer is written whose magnitude has so many bits.
#[derive(Clone, Copy)]
struct Form {
    marker: u8,
    /// All bits set if the marker is the low byte of the value itself.
    low: u8,
    len: u8,
    /// Moves the value to the left end of `rest`.
    shift: u8,
    /// All bits set (−1) if there is a `rest`.
    wide: i8,
}

/// By the bits of n (1..=63) for n >= 0, and at 64 more by those of −1 − n for n < 0.
const FORMS: [Form; 128] = {
    const fn wide(marker: u8, bytes: u8) -> Form {
        Form { marker, low: 0, len: 1 + bytes, shift: 64 - 8 * bytes, wide: -1 }
    }
    let fixint = Form { marker: 0, low: 0xff, len: 1, shift: 0, wide: 0 };
    let mut forms = [fixint; 128];
    let mut bits = 0;
    while bits < 64 {
        forms[bits] = match bits {
            0..8 => fixint,
            8 => wide(UINT8, 1),
            9..17 => wide(UINT16, 2),
            17..33 => wide(UINT32, 4),
            _ => wide(UINT64, 8),
        };
        forms[64 + bits] = match bits {
            0..6 => fixint,
            6..8 => wide(INT8, 1),
            8..16 => wide(INT16, 2),
            16..32 => wide(INT32, 4),
            _ => wide(INT64, 8),
        };
        bits += 1;
    }
    forms
};

impl Short {
    /// A marker alone.
    #[inline(always)]
    const fn one(first: u8) -> Short {
        Short { first, rest: 0, len: 1 }
    }

    /// A marker and the low `width` (1..=8) bytes of `value`. The shift drops the sign bytes above
    /// them, so negative numbers need no mask.
    #[inline(always)]
    const fn wide(first: u8, value: u64, width: u32) -> Short {
        Short { first, rest: value << (64 - 8 * width), len: 1 + width as u8 }
    }

    /// `c0`.
    #[inline(always)]
    pub const fn nil() -> Short {
        Short::one(NIL)
    }

    /// `c3` for true, `c2` for false.
    #[inline(always)]
    pub const fn bool(value: bool) -> Short {
        Short::one(if value { TRUE } else { FALSE })
    }

    /// A non-negative integer: positive fixint, else uint 8/16/32/64.
    #[inline(always)]
    pub const fn uint(value: u64) -> Short {
        if value <= 0x7f {
            Short::one(value as u8)
        } else if value <= 0xff {
            Short::wide(UINT8, value, 1)
        } else if value <= 0xffff {
            Short::wide(UINT16, value, 2)
        } else if value <= 0xffff_ffff {
            Short::wide(UINT32, value, 4)
        } else {
            Short::wide(UINT64, value, 8)
        }
    }

    /// An integer: [`uint`](Short::uint) from 0 on, negative fixint, else int 8/16/32/64.
    ///
    /// ```
    /// use msgpack_wire::put::Short;
    /// assert_eq!(Short::int(-33).to_array()[..2], [0xd0, 0xdf]);
    /// assert_eq!(Short::int(128), Short::uint(128));
    /// ```
    #[inline(always)]
    pub const fn int(value: i64) -> Short {
        // No branch on the size: what branch predictors can't learn is mixed sizes.
        let sign = value >> 63;
        let bits = 64 - ((value ^ sign) as u64 | 1).leading_zeros();
        let form = FORMS[(sign & 64) as usize + bits as usize];
        Short {
            first: form.marker | value as u8 & form.low,
            rest: (value as u64) << form.shift & form.wide as i64 as u64,
            len: form.len,
        }
    }

    /// `ca` and the four bytes of `value`, bit for bit.
    #[inline(always)]
    pub const fn float32(value: f32) -> Short {
        Short::wide(FLOAT32, value.to_bits() as u64, 4)
    }

    /// `cb` and the eight bytes of `value`, bit for bit.
    #[inline(always)]
    pub const fn float64(value: f64) -> Short {
        Short::wide(FLOAT64, value.to_bits(), 8)
    }

    /// Head of a str of `len` bytes: fixstr, else str 8/16/32.
    #[inline(always)]
    pub const fn str(len: u32) -> Short {
        if len <= 0x1f {
            Short::one(FIXSTR | len as u8)
        } else if len <= 0xff {
            Short::wide(STR8, len as u64, 1)
        } else {
            Short::str_wide(len)
        }
    }

    /// Head of a raw of `len` bytes, for readers older than str 8 and bin (specification, section
    /// "Upgrading MessagePack specification"): as [`str`](Short::str), but 32..=255 take str 16.
    #[inline(always)]
    pub const fn str_raw(len: u32) -> Short {
        if len <= 0x1f {
            Short::one(FIXSTR | len as u8)
        } else {
            Short::str_wide(len)
        }
    }

    #[inline(always)]
    const fn str_wide(len: u32) -> Short {
        if len <= 0xffff {
            Short::wide(STR16, len as u64, 2)
        } else {
            Short::wide(STR32, len as u64, 4)
        }
    }

    /// Head of a bin of `len` bytes: bin 8/16/32.
    #[inline(always)]
    pub const fn bin(len: u32) -> Short {
        if len <= 0xff {
            Short::wide(BIN8, len as u64, 1)
        } else if len <= 0xffff {
            Short::wide(BIN16, len as u64, 2)
        } else {
            Short::wide(BIN32, len as u64, 4)
        }
    }

    /// Head of an array of `len` elements: fixarray, else array 16/32.
    #[inline(always)]
    pub const fn array(len: u32) -> Short {
        if len <= 0x0f {
            Short::one(FIXARRAY | len as u8)
        } else if len <= 0xffff {
            Short::wide(ARRAY16, len as u64, 2)
        } else {
            Short::wide(ARRAY32, len as u64, 4)
        }
    }

    /// Head of a map of `len` pairs: fixmap, else map 16/32.
    #[inline(always)]
    pub const fn map(len: u32) -> Short {
        if len <= 0x0f {
            Short::one(FIXMAP | len as u8)
        } else if len <= 0xffff {
            Short::wide(MAP16, len as u64, 2)
        } else {
            Short::wide(MAP32, len as u64, 4)
        }
    }

    /// Head of an extension of `len` payload bytes: fixext for 1, 2, 4, 8 and 16, else ext 8/16/32.
    ///
    /// The type id is the last byte of the head, behind the size.
    ///
    /// ```
    /// use msgpack_wire::put::Short;
    /// assert_eq!(Short::ext(3, -1).to_array()[..3], [0xc7, 0x03, 0xff]);
    /// ```
    #[inline(always)]
    pub const fn ext(len: u32, type_id: i8) -> Short {
        let id = type_id as u8 as u64;
        match len {
            1 => Short::wide(FIXEXT1, id, 1),
            2 => Short::wide(FIXEXT2, id, 1),
            4 => Short::wide(FIXEXT4, id, 1),
            8 => Short::wide(FIXEXT8, id, 1),
            16 => Short::wide(FIXEXT16, id, 1),
            0..=0xff => Short::wide(EXT8, (len as u64) << 8 | id, 2),
            0x100..=0xffff => Short::wide(EXT16, (len as u64) << 8 | id, 3),
            _ => Short::wide(EXT32, (len as u64) << 8 | id, 5),
        }
    }

    /// All nine bytes; those from `len` on are 0.
    #[inline(always)]
    pub const fn to_array(self) -> [u8; 9] {
        let [a, b, c, d, e, f, g, h] = self.rest.to_be_bytes();
        [self.first, a, b, c, d, e, f, g, h]
    }

    /// Appends the `len` bytes that count.
    ///
    /// # Panics
    ///
    /// If `out` has no room for them, as every [`BufMut`] does.
    #[inline]
    pub fn put(self, out: &mut impl BufMut) {
        out.put_slice(&self.to_array()[..usize::from(self.len)]);
    }
}
