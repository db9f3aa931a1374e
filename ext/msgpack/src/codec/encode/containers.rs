//! Arrays and Hashes.

use super::{immediate, parts, wire_len, Encoder};
use crate::bridge::{array, hash, names::names, raise, val::Type, writer::RUN, Val};
use msgpack_wire::put::Short;

/// Each time so many containers more are open, the encoder asks whether the machine stack has room for as many again:
/// a map level takes up to 1.3 KiB of it, with Ruby's walk about 2.5, and Ruby tells 16 KiB before the end.
const CHECK_EVERY: u32 = 4;
/// Shorter arrays are not worth a run.
const MIN_RUN: usize = 8;
/// Entries of the maps that are copied to the machine stack first: those that Ruby keeps without a hash table, and what
/// takes a tenth of the stack between two checks.
const TINY_MAP: usize = 8;
const SMALL_MAP: usize = 64;

impl Encoder<'_> {
    #[inline(always)]
    fn enter(&mut self) {
        self.depth += 1;
        if self.depth % CHECK_EVERY == 0 {
            self.check_stack();
        }
    }

    pub fn array_header(&mut self, n: u32) {
        self.w.put(parts(Short::array(n)));
    }

    pub fn map_header(&mut self, n: u32) {
        self.w.put(parts(Short::map(n)));
    }

    /// The length is what it is at the start: elements that vanish meanwhile become nil, new ones are left out. Jumps.
    #[inline(never)]
    pub fn array(&mut self, v: Val) {
        let n = array::len(v);
        let head = parts(Short::array(wire_len("array", n)));
        // Immediates go out in runs: one capacity check for many, no look at the Array's length in between.
        let mut i = 0;
        if array::get(v, 0).is_special() {
            i = array::with_slice(v, 0, RUN, |run| self.w.put_run(Some(head), run, immediate));
            if i == n {
                return;
            }
        } else {
            self.w.put(head);
        }
        self.enter();
        loop {
            self.value(array::get(v, i));
            i += 1;
            if i == n {
                break;
            }
            if n >= MIN_RUN && array::get(v, i).is_special() {
                i += array::with_slice(v, i, RUN.min(n - i), |run| self.w.put_run(None, run, immediate));
                if i == n {
                    break;
                }
            }
        }
        self.depth -= 1;
    }

    /// Jumps. Small maps are written from a copy of their entries, up to the first that user code writes.
    #[inline(never)]
    pub fn hash(&mut self, v: Val) {
        let n = hash::len(v);
        self.map_header(wire_len("array", n));
        if n > 0 {
            self.enter();
        }
        if n > SMALL_MAP {
            self.walked_hash(v, n, &[], None)
        } else if n > TINY_MAP {
            self.copied_hash::<SMALL_MAP>(v, n)
        } else if n > 0 {
            self.copied_hash::<TINY_MAP>(v, n)
        }
    }

    #[inline(never)]
    fn copied_hash<const N: usize>(&mut self, v: Val, n: usize) {
        let mut room = hash::Entries::<N>::new();
        let Some(entries) = room.of(v) else { return self.walked_hash(v, n, &[], None) };
        let mut left = entries.iter();
        while let Some(&(key, value)) = left.next() {
            if !self.leaf(key) && !self.container(key) {
                return self.walked_hash(v, n, &entries[..entries.len() - left.len() - 1], None);
            }
            if !self.leaf(value) && !self.container(value) {
                return self.walked_hash(v, n, &entries[..entries.len() - left.len() - 1], Some(key));
            }
        }
        self.depth -= 1;
    }

    /// Writes a value that is met often and has nothing in it; false if it is none.
    #[inline(always)]
    fn leaf(&mut self, v: Val) -> bool {
        if v.is_special() {
            match immediate(v) {
                Some(short) => self.w.put(short),
                None if self.symbol_type => return false,
                None => self.symbol(v),
            }
            true
        } else if v.heap_type() == Type::String && self.is_core(v, names().string) {
            self.string(v);
            true
        } else {
            false
        }
    }

    /// Writes an Array, Hash or Float; false if it is none, or user code has to write it.
    #[inline(never)]
    fn container(&mut self, v: Val) -> bool {
        if v.is_special() {
            return false;
        }
        match v.heap_type() {
            Type::Hash if self.is_core(v, names().hash) => self.hash(v),
            Type::Array if self.is_core(v, names().array) => self.array(v),
            Type::Float => self.float(v),
            _ => return false,
        }
        true
    }

    /// Packs a Hash while it is walked, but for the entries `done` already, which come first, and the `next` key. Jumps:
    /// RuntimeError when entries are added, or lost before their turn.
    #[inline(never)]
    fn walked_hash(&mut self, v: Val, n: usize, done: &[(Val, Val)], next: Option<Val>) {
        let (mut seen, mut same) = (0, true);
        hash::each(v, &mut |key, value| {
            if seen == n {
                return false;
            }
            let written = done.get(seen).map(|entry| entry.0);
            match written.or(next.filter(|_| seen == done.len())) {
                Some(first) => same = key == first,
                None => self.value(key),
            }
            if written.is_none() && same {
                self.value(value);
            }
            seen += same as usize;
            same
        });
        self.depth -= 1;
        if seen != n {
            self.hash_changed(n, seen)
        }
    }

    #[cold]
    fn hash_changed(&mut self, n: usize, written: usize) -> ! {
        self.settle();
        raise::fmt(
            names().runtime_error,
            format_args!("hash changed while it was packed: {n} entries announced, {written} written"),
        )
    }
}
