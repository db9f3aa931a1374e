//! The write end.

use super::Buffer;
use crate::bridge::{array, string, tail::Tail, Val};

/// Fed Strings below this length, 8 KiB, are copied into the tail: no dearer than a reference, and one object less.
const COPY: usize = 8192;
/// The consumed part of the tail is dropped when it is at least this long and longer than the rest.
const SHIFT: usize = 4096;

impl Buffer {
    /// The tail, for bytes of the caller's. Memory only.
    #[inline(always)]
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Copies bytes in. Memory only.
    #[inline(always)]
    pub fn append(&self, bytes: &[u8]) {
        self.compact();
        self.tail.append(bytes);
    }

    /// Drops the consumed part of the tail once it is the larger part.
    #[inline(always)]
    pub fn compact(&self) {
        let pos = self.pos.get();
        if pos >= SHIFT && self.front.get().is_none() && pos > self.tail.len() - pos {
            self.tail.drop_front(pos);
            self.pos.set(0);
        }
    }

    /// Takes a String in: by reference when it is longer than `threshold`, by copy else. Memory only.
    pub fn append_string(&self, s: Val, threshold: usize) {
        if string::len(s) > threshold {
            self.push_piece(string::snapshot(s));
        } else {
            string::with_bytes(s, |bytes| self.append(bytes));
        }
    }

    /// As [`Buffer::append_string`], with the threshold for data to be decoded. Memory only.
    #[inline]
    pub fn feed(&self, s: Val) {
        self.append_string(s, COPY);
    }

    /// Appends a frozen String as a piece of its own. Memory only.
    fn push_piece(&self, piece: Val) {
        if string::len(piece) == 0 {
            return;
        }
        if self.front.get().is_none() {
            if self.tail.len() == 0 {
                self.front.set(piece);
                return;
            }
            // `pos` goes on counting in the sealed tail.
            self.front.set(self.tail.seal());
        } else if self.tail.len() > 0 {
            self.enqueue(self.tail.seal());
        }
        self.enqueue(piece);
    }

    fn enqueue(&self, piece: Val) {
        array::push(self.made_queue(), piece);
        self.queued.set(self.queued.get() + string::len(piece));
    }

    pub(super) fn made_queue(&self) -> Val {
        if self.queue.get().is_none() {
            self.queue.set(array::hidden());
        }
        self.queue.get()
    }
}
