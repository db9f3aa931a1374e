//! [`Decoder`]: bytes to Ruby values, in one loop with an explicit stack of open containers.
//!
//! A run ends at the root value's end, or wherever Ruby code has to run or bytes are missing; it can always be
//! taken up again. A token (a scalar, a whole string, a header) is consumed whole or not at all. Nothing in a run
//! calls user code, so the bytes may be borrowed from Ruby meanwhile.
//!
//! Elements of open containers are on the value stack, one after another; a container that is complete is made from
//! its elements in one go, so no container ever has room for more than has arrived.

use super::fail::Fail;
use super::{limits::Limits, options::UnpackOptions};
use crate::bridge::{
    array, hash,
    key_cache::{self, Broken, Keys},
    number,
    stack::{Pile, Stack},
    string,
    val::Type,
    Val,
};
use msgpack_wire::{
    head::{self, Head, Parsed},
    marker as m,
};

pub use super::fail::MAX_DEPTH;

/// Strings of at least this length may share the memory of the String they were read from, if they end it.
const SHARE: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The one value asked for.
    Root,
    Array,
    Map,
    /// A map one of whose keys may run Ruby code in `hash` or `eql?`: its Hash is on the stack already, and pairs go in
    /// one at a time.
    LiveMap,
}

/// A container that waits for one of its elements to be complete.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Where its elements begin on the value stack. 32 bits make a frame 16 bytes: nested reads pile up on small stacks.
    pub base: u32,
    /// Elements (of maps: keys and values) still to come, the one under way included.
    pub left: u64,
    pub kind: Kind,
}

/// Why a run ended.
#[derive(Clone, Copy)]
pub enum Event {
    /// The root value is complete.
    Done,
    /// The next token needs `n` bytes, counted from where the run ended; what is missing is all `body`, or part of a head.
    Need { n: usize, body: bool },
    /// An ext value, all there: `head` bytes of header, then `len` of payload, none of them consumed.
    Ext { type_id: i8, head: usize, len: usize },
    /// A pair of a [`Kind::LiveMap`] has to be put in: see [`Decoder::pair`].
    Pair,
    /// More containers are open than this decoder has room for; one with more can go on.
    Full,
    /// An error about the last `width` bytes consumed.
    Fail { fail: Fail, width: usize },
}

/// `N`: room for so many open containers.
pub struct Decoder<'a, const N: usize = MAX_DEPTH> {
    pub stack: Stack<'a>,
    /// The containers around the innermost one.
    pub outer: Pile<Frame, N>,
    /// The innermost container.
    pub top: Frame,
    /// Containers that may be open at once.
    limit: usize,
    options: UnpackOptions,
    keys: Keys,
    limits: Option<Limits>,
    /// Objects read so far, if there are limits.
    pub count: u64,
}

pub const ROOT: Frame = Frame { base: 0, left: 1, kind: Kind::Root };

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
fn number(b: u8, s: &[u8]) -> Option<(Val, usize)> {
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

/// A number or short String at the front that needs no [`Decoder`], if it is all there, with the bytes it takes. Memory
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

impl<'a, const N: usize> Decoder<'a, N> {
    /// `depth`: levels that are in use already.
    #[inline(always)]
    pub fn new(stack: Stack<'a>, options: UnpackOptions, depth: usize, limits: Option<Limits>) -> Self {
        Decoder {
            stack,
            outer: Pile::new(),
            top: ROOT,
            limit: MAX_DEPTH.saturating_sub(depth),
            options,
            keys: Keys::new(options.symbolize_keys),
            limits,
            count: 0,
        }
    }

    /// Whether anything of the root value was read.
    pub fn is_begun(&self) -> bool {
        self.outer.len() > 0
    }

    /// Reads on. Returns why it stopped, and how many bytes it consumed. `source` is the frozen or otherwise safely
    /// shareable String that `input` is the end of, if there is one. Memory only.
    #[inline(always)]
    pub fn run(&mut self, input: &[u8], source: Option<Val>) -> (Event, usize) {
        if self.limits.is_none() {
            self.run_any::<false>(input, source)
        } else {
            self.run_limited(input, source)
        }
    }

    #[cold]
    #[inline(never)]
    fn run_limited(&mut self, input: &[u8], source: Option<Val>) -> (Event, usize) {
        self.run_any::<true>(input, source)
    }

    /// `LIMITED`: one token a turn, and each has to be admitted.
    #[inline(always)]
    fn run_any<const LIMITED: bool>(&mut self, input: &[u8], source: Option<Val>) -> (Event, usize) {
        let mut s = input;
        let mut st = self.stack;
        let Frame { base, mut left, mut kind } = self.top;
        let mut base = base as usize;
        let options = self.options;
        macro_rules! leave {
            ($event:expr) => {{
                self.stack = st;
                self.top = Frame { base: base as u32, left, kind };
                return ($event, input.len() - s.len());
            }};
        }
        macro_rules! frozen_if_asked {
            ($v:expr) => {{
                let v = $v;
                if options.freeze {
                    array::freeze(v);
                }
                v
            }};
        }
        loop {
            // ---- complete containers ----
            loop {
                if kind == Kind::LiveMap && st.len() - base == 3 {
                    leave!(Event::Pair)
                }
                if left != 0 {
                    break;
                }
                let v = match kind {
                    Kind::Root => leave!(Event::Done),
                    Kind::Array => array::from_slice(st.from(base)),
                    Kind::Map => hash::from_pairs(st.from(base)),
                    Kind::LiveMap => st.at(base),
                };
                st.fold(base, frozen_if_asked!(v));
                let Some(outer) = self.outer.pop() else { leave!(Event::Done) };
                (base, left, kind) = (outer.base as usize, outer.left - 1, outer.kind);
                if kind == Kind::Map && left & 1 == 1 {
                    kind = enliven(&mut st, base);
                }
            }
            let counted = self.count;
            if let (true, Some(limits)) = (LIMITED, self.limits) {
                let levels = MAX_DEPTH - self.limit + self.outer.len();
                if let Err(fail) = limits.admit(s, levels, &mut self.count) {
                    leave!(Event::Fail { fail, width: 0 })
                }
            }
            // ---- a key, or a run of numbers ----
            let key = (kind == Kind::Map || kind == Kind::LiveMap) && left & 1 == 0;
            if key {
                let Some(&b) = s.first() else { leave!(Event::Need { n: 1, body: false }) };
                let (head, n) = match b {
                    m::FIXSTR..=0xbf => (1, (b & m::FIXSTR_MAX) as usize),
                    m::STR8 if s.len() > 1 => (2, s[1] as usize),
                    _ => (0, 0),
                };
                if head != 0 {
                    if s.len() < head + n {
                        leave!(Event::Need { n: head + n, body: true })
                    }
                    match self.keys.fetch(&s[head..], n) {
                        Ok(k) => st.push(k),
                        Err(Broken(k)) => {
                            s = &s[head + n..];
                            leave!(Event::Fail { fail: Fail::BadSymbol(k), width: head + n })
                        }
                    }
                    s = &s[head + n..];
                    left -= 1;
                    if LIMITED {
                        continue;
                    }
                }
            } else if kind == Kind::Array && !LIMITED {
                st.ensure_room();
                let run = left.min(st.room() as u64) as usize;
                let mut done = 0;
                while done < run {
                    let Some(&b) = s.first() else { break };
                    if let Some(v) = one_byte(b) {
                        st.push(v);
                        s = &s[1..];
                    } else if let Some((v, used)) = number(b, s) {
                        st.push(v);
                        s = &s[used..];
                    } else {
                        break;
                    }
                    done += 1;
                }
                left -= done as u64;
                if left == 0 {
                    continue;
                }
            }
            let key = (kind == Kind::Map || kind == Kind::LiveMap) && left & 1 == 0;
            // ---- any value ----
            let Some(&b) = s.first() else { leave!(Event::Need { n: 1, body: false }) };
            let (v, used) = if let (m::FIXSTR..=0xbf, false) = (b, key) {
                let n = (b & m::FIXSTR_MAX) as usize;
                let Some(bytes) = s.get(1..1 + n) else { leave!(Event::Need { n: 1 + n, body: true }) };
                (value_str(bytes, options.freeze), 1 + n)
            } else if let Some(v) = one_byte(b) {
                (v, 1)
            } else if let Some(found) = number(b, s) {
                found
            } else {
                let (container, n, used) = match b {
                    m::FIXMAP..=0x8f => (Kind::Map, 2 * (b & m::FIXSEQ_MAX) as u64, 1),
                    m::FIXARRAY..=0x9f => (Kind::Array, (b & m::FIXSEQ_MAX) as u64, 1),
                    _ => match rare(b, s, key, source, options) {
                        Rare::Value(v, used) => {
                            st.push(v);
                            left -= 1;
                            s = &s[used..];
                            if key && kind == Kind::Map && is_live_key(v) {
                                kind = enliven(&mut st, base);
                            }
                            continue;
                        }
                        Rare::Open(kind, n, used) => (kind, n, used),
                        Rare::Skip(event, used) => {
                            s = &s[used..];
                            leave!(event)
                        }
                    },
                };
                let token = s;
                s = &s[used..];
                if n == 0 {
                    let v = if container == Kind::Map { hash::new() } else { array::new() };
                    st.push(frozen_if_asked!(v));
                    left -= 1;
                    if key && kind == Kind::Map {
                        kind = enliven(&mut st, base);
                    }
                    continue;
                }
                if self.outer.len() >= self.limit {
                    leave!(Event::Fail { fail: Fail::TooDeep, width: used })
                }
                if !self.outer.push(Frame { base: base as u32, left, kind }) {
                    s = token;
                    self.count = counted;
                    leave!(Event::Full)
                }
                (base, left, kind) = (st.len(), n, container);
                debug_assert!(u32::try_from(base).is_ok());
                continue;
            };
            st.push(v);
            left -= 1;
            s = &s[used..];
            if key && kind == Kind::Map && is_live_key(v) {
                kind = enliven(&mut st, base);
            }
        }
    }

    /// Puts in a value that was made outside of [`Decoder::run`]. Memory only.
    pub fn push(&mut self, v: Val) {
        self.stack.push(v);
        self.top.left -= 1;
        if self.top.kind == Kind::Map && self.top.left & 1 == 1 {
            self.top.kind = enliven(&mut self.stack, self.top.base as usize);
        }
    }

    /// Hash, key and value of [`Event::Pair`], taken off the stack but for the Hash; they live on only in the result.
    pub fn pair(&mut self) -> (Val, Val, Val) {
        let base = self.top.base as usize;
        let trio = (self.stack.at(base), self.stack.at(base + 1), self.stack.at(base + 2));
        self.stack.truncate(base + 1);
        trio
    }

    /// The root value of [`Event::Done`].
    #[inline(always)]
    pub fn result(&self) -> Val {
        self.stack.at(0)
    }
}

/// Whether a Hash may call methods of this key that Ruby code can redefine.
#[inline(always)]
fn is_live_key(v: Val) -> bool {
    !v.is_special() && !matches!(v.heap_type(), Type::String | Type::Symbol)
}

/// Makes the map whose elements begin at `base`, the last of them a key that may run Ruby code, a live one. Memory only.
#[cold]
#[inline(never)]
fn enliven(st: &mut Stack<'_>, base: usize) -> Kind {
    let key = st.at(st.len() - 1);
    let pairs = st.from(base);
    let h = hash::from_pairs(&pairs[..pairs.len() - 1]);
    st.fold(base, h);
    st.push(key);
    Kind::LiveMap
}

/// A str value. Memory only.
#[inline(always)]
fn value_str(bytes: &[u8], freeze: bool) -> Val {
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
enum Rare {
    Value(Val, usize),
    Open(Kind, u64, usize),
    Skip(Event, usize),
}

/// Strings in key position or with longer headers, bin, ext, long containers, float32, numbers near the end of the data.
#[inline(never)]
fn rare(b: u8, s: &[u8], key: bool, source: Option<Val>, options: UnpackOptions) -> Rare {
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
