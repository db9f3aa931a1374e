//! The read end.

use super::Buffer;
use crate::bridge::{array, string, Val};

impl Buffer {
    /// Runs `f` on the first piece's unread bytes, at most `limit` of them, with the frozen String that they end, or None
    /// when there is none. `f` must run no user code.
    #[inline(always)]
    pub fn with_front<R>(&self, limit: u64, f: impl FnOnce(&[u8], Option<Val>) -> R) -> R {
        let (front, pos) = (self.front.get(), self.pos.get());
        let cut = |bytes: &[u8]| bytes.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
        if front.is_none() {
            self.tail.with_bytes(pos, |bytes| f(&bytes[..cut(bytes)], None))
        } else {
            string::with_bytes(front, |bytes| {
                let bytes = &bytes[pos..];
                let n = cut(bytes);
                f(&bytes[..n], (n == bytes.len()).then_some(front))
            })
        }
    }

    /// Consumes `n` bytes of the first piece.
    #[inline(always)]
    pub fn advance(&self, n: usize) {
        let pos = self.pos.get() + n;
        self.consumed.set(self.consumed.get() + n as u64);
        self.pos.set(pos);
        let front = self.front.get();
        let end = if front.is_none() { self.tail.len() } else { string::len(front) };
        if pos >= end {
            self.next_piece();
        }
    }

    #[inline(never)]
    fn next_piece(&self) {
        self.pos.set(0);
        if self.front.get().is_none() {
            self.tail.clear();
        } else {
            self.front.set(self.dequeue());
        }
    }

    /// The next queued piece, or NONE.
    fn dequeue(&self) -> Val {
        if self.queued.get() == 0 {
            return Val::NONE;
        }
        let piece = array::shift(self.queue.get());
        self.queued.set(self.queued.get() - string::len(piece));
        piece
    }

    /// Makes the first `n` bytes, of at least that many, one piece. Each byte is copied once at most. Memory only.
    pub fn gather(&self, n: usize) {
        debug_assert!(n <= self.len());
        if self.with_front(u64::MAX, |bytes, _| bytes.len() >= n) {
            return;
        }
        let whole = string::with_capacity(n);
        self.take_into(whole, n);
        let rest = self.front.get();
        if !rest.is_none() {
            // What is left of the piece that was cut goes back to the head of the queue.
            let pos = self.pos.get();
            let rest = if pos == 0 { rest } else { array::freeze(string::slice(rest, pos, string::len(rest) - pos)) };
            array::unshift(self.made_queue(), rest);
            self.queued.set(self.queued.get() + string::len(rest));
        } else {
            self.tail.drop_front(self.pos.get());
        }
        self.front.set(array::freeze(whole));
        self.pos.set(0);
        self.consumed.set(self.consumed.get() - n as u64);
    }

    /// Appends the first `n` bytes, of at least that many, to a String, and consumes them. Memory only.
    fn take_into(&self, s: Val, n: usize) {
        let mut left = n;
        while left > 0 {
            let took = self.with_front(left as u64, |bytes, _| {
                string::append(s, bytes);
                bytes.len()
            });
            if took == 0 {
                return;
            }
            self.advance(took);
            left -= took;
        }
    }

    /// The first `n` bytes, of at least that many, consumed, as a fresh binary String; long ones share memory. Memory only.
    pub fn take(&self, n: usize) -> Val {
        let (front, pos) = (self.front.get(), self.pos.get());
        if n >= self.sizes.get().read_reference && !front.is_none() && string::len(front) - pos >= n {
            let s = string::slice_binary(front, pos, n);
            self.advance(n);
            return s;
        }
        let s = string::with_capacity(n);
        self.take_into(s, n);
        s
    }

    /// Consumes `n` bytes, of at least that many.
    pub fn skip(&self, n: usize) {
        let mut left = n;
        while left > 0 {
            let took = self.with_front(left as u64, |bytes, _| bytes.len());
            if took == 0 {
                return;
            }
            self.advance(took);
            left -= took;
        }
    }
}
