//! [`Decoder`]: bytes to Ruby values, in one loop with an explicit stack of open containers.
//!
//! A run ends at the root value's end, or wherever Ruby code has to run or bytes are missing; it can always be
//! taken up again. A token (a scalar, a whole string, a header) is consumed whole or not at all. Nothing in a run
//! calls user code, so the bytes may be borrowed from Ruby meanwhile.
//!
//! Elements of open containers are on the value stack, one after another; a container that is complete is made from
//! its elements in one go, so no container ever has room for more than has arrived.

mod token;

pub use super::fail::MAX_DEPTH;
pub use token::{lone, one_byte};

use super::{fail::Fail, limits::Limits, options::UnpackOptions};
use crate::bridge::{
    array, hash,
    key_cache::{Broken, Keys},
    stack::{Pile, Stack},
    val::Type,
    Val,
};
use msgpack_wire::marker as m;
use token::{number, rare, value_str, Rare};

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
