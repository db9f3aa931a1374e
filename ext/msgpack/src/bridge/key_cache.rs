//! Map keys seen lately in this Ractor, found by their bytes: a decoded key costs two word compares instead of a
//! look-up in Ruby's table of interned strings (structured records decode 1.7 times as fast). It gives the same
//! objects as that table would, so no one can tell it is there.
//!
//! 1024 entries of 32 bytes, each key in one of four neighbouring places; more entries brought nothing on real
//! documents, 512 missed too often. Keys over 64 bytes pass it by, so that at most 70 KB of keys stay alive.

use super::{ractor, string, Val};
use rb_sys::VALUE;

const ENTRIES: usize = 1024;
const WINDOW: usize = 4;
const MAX_KEY: usize = 64;

#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    /// First eight bytes (or fewer, zero-padded), and the next or last eight.
    a: u64,
    b: u64,
    key: VALUE,
    len: u64,
}

/// All-zero is an empty cache.
#[repr(C)]
pub(super) struct Cache {
    entries: [Entry; ENTRIES + WINDOW],
    used: bool,
    turn: usize,
}

impl Cache {
    /// For the collector. Marking pins, so that keys stay where they are.
    pub(super) fn mark(&self) {
        if !self.used {
            return;
        }
        for e in &self.entries {
            if e.key != 0 {
                // SAFETY: called from a mark function; the key was marked ever since it was stored.
                unsafe { rb_sys::rb_gc_mark(e.key) }
            }
        }
    }
}

/// The two caches of the calling Ractor, looked up when the first key comes.
#[derive(Clone, Copy)]
pub struct Keys {
    cache: *mut Cache,
    symbols: bool,
}

/// A key that is no valid Symbol: the String that Ruby's EncodingError is about.
pub struct Broken(pub Val);

impl Keys {
    #[inline(always)]
    pub fn new(symbols: bool) -> Keys {
        Keys { cache: std::ptr::null_mut(), symbols }
    }

    /// The interned String, or Symbol, of the UTF-8 key that is the first `len` bytes of `rest`. Memory only.
    #[inline(always)]
    pub fn fetch(&mut self, rest: &[u8], len: usize) -> Result<Val, Broken> {
        if len > MAX_KEY {
            return make(&rest[..len], self.symbols);
        }
        if self.cache.is_null() {
            self.cache = ractor::cache(self.symbols);
        }
        let (a, b, spread) = words(rest, len);
        let mixed = a ^ b.rotate_left(29) ^ ((len as u64) << 56) ^ spread;
        let hash = (mixed ^ (mixed >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let home = (hash >> (64 - ENTRIES.trailing_zeros())) as usize;
        // SAFETY: `home` < ENTRIES; the cache belongs to this Ractor, whose thread this is.
        let e = unsafe { &*(&raw const (*self.cache).entries).cast::<Entry>().add(home) };
        if e.a == a && e.b == b && e.len == len as u64 && e.key != 0 && (len <= 16 || self.same(e.key, &rest[..len])) {
            return Ok(Val(e.key));
        }
        self.probe(home, a, b, &rest[..len])
    }

    /// Whether a cached key of the right length and ends has these bytes.
    #[inline(always)]
    fn same(&self, key: VALUE, bytes: &[u8]) -> bool {
        let s = if self.symbols { string::symbol_name(Val(key)) } else { Val(key) };
        string::with_bytes(s, |k| k == bytes)
    }

    #[inline(never)]
    fn probe(&mut self, home: usize, a: u64, b: u64, bytes: &[u8]) -> Result<Val, Broken> {
        // SAFETY: `home + WINDOW` ≤ ENTRIES + WINDOW. No reference is held over `make`, which may collect garbage
        // and so run `mark`.
        unsafe {
            let entries = (&raw mut (*self.cache).entries).cast::<Entry>();
            let mut free = None;
            for i in home..home + WINDOW {
                let e = *entries.add(i);
                if e.key == 0 {
                    free = Some(i);
                    break;
                }
                if e.a == a && e.b == b && e.len == bytes.len() as u64 && (bytes.len() <= 16 || self.same(e.key, bytes))
                {
                    return Ok(Val(e.key));
                }
            }
            let key = make(bytes, self.symbols)?;
            let place = free.unwrap_or_else(|| {
                (*self.cache).turn = (*self.cache).turn.wrapping_add(1);
                home + (*self.cache).turn % WINDOW
            });
            (*self.cache).used = true;
            entries.add(place).write(Entry { a, b, key: key.0, len: bytes.len() as u64 });
            Ok(key)
        }
    }
}

/// An interned key without the cache. Memory only.
#[inline(never)]
fn make(bytes: &[u8], symbols: bool) -> Result<Val, Broken> {
    let s = string::interned_utf8(bytes);
    if !symbols {
        return Ok(s);
    }
    if string::is_broken(s) {
        return Err(Broken(s));
    }
    Ok(string::to_symbol(s))
}

/// A binary key: interned String or Symbol, without the cache. Memory only.
#[cold]
pub fn binary_key(bytes: &[u8], symbols: bool) -> Val {
    if !symbols {
        return string::interned_binary(bytes);
    }
    // Never broken: every byte is valid in binary.
    string::to_symbol(string::interned_binary(bytes))
}

/// Up to 16 bytes of the key as two words, and for longer keys a third from the middle.
#[inline(always)]
fn words(rest: &[u8], len: usize) -> (u64, u64, u64) {
    let word = |at: usize| u64::from_le_bytes(rest[at..at + 8].try_into().expect("eight bytes"));
    if len > 16 {
        return (word(0), word(len - 8), word((len >> 1) - 4).rotate_left(17));
    }
    if rest.len() >= 16 {
        // Two loads and a mask: no branch on the length, which no predictor guesses.
        let [low, high] = MASKS[len];
        return (word(0) & low, word(8) & high, 0);
    }
    let mut padded = [0u8; 16];
    padded[..len].copy_from_slice(&rest[..len]);
    let word = |at: usize| u64::from_le_bytes(padded[at..at + 8].try_into().expect("eight bytes"));
    (word(0), word(8), 0)
}

/// For each length up to 16, which bits of the two words belong to the key.
const MASKS: [[u64; 2]; 17] = {
    let mut masks = [[0u64; 2]; 17];
    let mut len = 0;
    while len <= 16 {
        let low = if len >= 8 { 8 } else { len };
        let high = len - low;
        masks[len] = [bits(low), bits(high)];
        len += 1;
    }
    masks
};

const fn bits(bytes: usize) -> u64 {
    if bytes == 8 {
        u64::MAX
    } else {
        (1 << (bytes * 8)) - 1
    }
}
