//! The values of single tokens.

use super::{super::options::UnpackOptions, Event, Fail, Kind};
use crate::bridge::{
    key_cache::{self, Broken, Keys},
    number, string, Val,
};
use msgpack_wire::{
    head::{self, Head, Parsed},
    marker as m,
};

/// Strings of at least this length may share the memory of the String they were read from, if they end it.
const SHARE: usize = 256;

/// One-byte values by their byte; GAP for all others.
const ONE_BYTE: [Val; 256] = {
    let mut table = [Val::GAP; 256];
    let mut b = 0;
    while b < 256 {
        if b <= m::FIXPOS_MAX as usize {
            table[b] = Val::small_int(b as i64);
        } else if b >= m::NEG_FIXINT as usize {
            table[b] = Val::small_int(b as i64 - 256);
        }
        b += 1;
    }
    table[m::NIL as usize] = Val::NIL;
    table[m::TRUE as usize] = Val::TRUE;
    table[m::FALSE as usize] = Val::FALSE;
    table
};

/// The value that one byte stands for, if it does. Never raises.
#[inline(always)]
pub fn one_byte(b: u8) -> Option<Val> {
    let v = ONE_BYTE[b as usize];
    (v != Val::GAP).then_some(v)
}

/// A number of a marker (other than float32) and at least nine bytes, with the bytes it takes. No branch on the width of
/// integers: mixed widths are what a branch predictor can't learn.
#[inline(always)]
pub fn number(b: u8, s: &[u8]) -> Option<(Val, usize)> {
    if !(m::FLOAT64..=m::INT64).contains(&b) {
        return None;
    }
    let rest: &[u8; 8] = s.get(1..9)?.try_into().ok()?;
    let word = u64::from_be_bytes(*rest);
    if b == m::FLOAT64 {
        return Some((number::from_f64_bits(word), 9));
    }
    let wide = (b - m::UINT8) & 3;
    let bytes = 1usize << wide;
    let shift = 64 - 8 * bytes as u32;
    let signed = b >= m::INT8;
    let v = match (signed, wide == 3) {
        (true, true) => number::from_i64(word as i64),
        (false, true) => number::from_u64(word),
        (true, false) => number::from_i32_range(word as i64 >> shift),
        (false, false) => number::from_i32_range((word >> shift) as i64),
    };
    Some((v, 1 + bytes))
}

/// A number or short String at the front that needs no [`super::Decoder`], if it is all there, with the bytes it takes. Memory
/// only.
#[inline(never)]
pub fn lone(s: &[u8], freeze: bool) -> Option<(Val, usize)> {
    match *s.first()? {
        b @ m::FIXSTR..=0xbf => {
            let n = (b & m::FIXSTR_MAX) as usize;
            s.get(1..1 + n).map(|bytes| (value_str(bytes, freeze), 1 + n))
        }
        m::FLOAT32..=m::INT64 => match head::parse(s) {
            Parsed::Head { head, used } => scalar(head).map(|v| (v, used)),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a head that has no body. Memory only.
#[inline(always)]
fn scalar(head: Head) -> Option<Val> {
    Some(match head {
        Head::Uint(n) => number::from_u64(n),
        Head::Int(n) => number::from_i64(n),
        Head::Float32(f) => number::from_f64_bits((f as f64).to_bits()),
        Head::Float64(f) => number::from_f64_bits(f.to_bits()),
        Head::Nil => Val::NIL,
        Head::Bool(b) => Val::from_bool(b),
        _ => return None,
    })
}

/// A str value. Memory only.
#[inline(always)]
pub fn value_str(bytes: &[u8], freeze: bool) -> Val {
    if freeze {
        string::interned_utf8(bytes)
    } else {
        string::utf8(bytes)
    }
}

/// A str or bin value that may be long: it shares the memory of its source where it ends it. Memory only.
fn long_value(rest: &[u8], from: usize, n: usize, text: bool, source: Option<Val>, freeze: bool) -> Val {
    let bytes = &rest[from..from + n];
    match (freeze, text) {
        (true, true) => return string::interned_utf8(bytes),
        (true, false) => return string::interned_binary(bytes),
        _ => {}
    }
    match source {
        Some(source) if n >= SHARE && from + n == rest.len() => {
            let v = string::slice(source, string::len(source) - n, n);
            if text {
                string::set_utf8(v)
            } else {
                string::set_binary(v)
            }
            v
        }
        _ if text => string::utf8(bytes),
        _ => string::binary(bytes),
    }
}

/// What a token is that the loop does not handle itself.
pub enum Rare {
    Value(Val, usize),
    Open(Kind, u64, usize),
    Skip(Event, usize),
}

/// Strings in key position or with longer headers, bin, ext, long containers, float32, numbers near the end of the data.
#[inline(never)]
pub fn rare(b: u8, s: &[u8], key: bool, source: Option<Val>, options: UnpackOptions) -> Rare {
    let (found, used) = match head::parse(s) {
        Parsed::Head { head, used } => (head, used),
        Parsed::NeedMore(n) => return Rare::Skip(Event::Need { n, body: false }, 0),
        Parsed::Reserved => return Rare::Skip(Event::Fail { fail: Fail::InvalidByte, width: 1 }, 1),
    };
    debug_assert!(one_byte(b).is_none());
    let whole = used.saturating_add(usize::try_from(found.body_len()).unwrap_or(usize::MAX));
    if whole > s.len() {
        return Rare::Skip(Event::Need { n: whole, body: true }, 0);
    }
    let n = whole - used;
    if let Some(v) = scalar(found) {
        return Rare::Value(v, used);
    }
    match found {
        Head::Str(_) if key => match Keys::new(options.symbolize_keys).fetch(&s[used..], n) {
            Ok(k) => Rare::Value(k, whole),
            Err(Broken(k)) => Rare::Skip(Event::Fail { fail: Fail::BadSymbol(k), width: whole }, whole),
        },
        Head::Bin(_) if key => Rare::Value(key_cache::binary_key(&s[used..whole], options.symbolize_keys), whole),
        Head::Str(_) => Rare::Value(long_value(s, used, n, true, source, options.freeze), whole),
        Head::Bin(_) => Rare::Value(long_value(s, used, n, false, source, options.freeze), whole),
        Head::Array(n) => Rare::Open(Kind::Array, n as u64, used),
        Head::Map(n) => Rare::Open(Kind::Map, 2 * n as u64, used),
        Head::Ext { type_id, .. } => Rare::Skip(Event::Ext { type_id, head: used, len: n }, 0),
        // What `scalar` has taken.
        _ => Rare::Skip(Event::Fail { fail: Fail::InvalidByte, width: 1 }, 1),
    }
}
