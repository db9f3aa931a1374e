//! The bytes as Strings, copied or taken out.

use super::Buffer;
use crate::bridge::{array, string, Val};

impl Buffer {
    /// All bytes, as a fresh binary String. Memory only.
    pub fn to_s(&self) -> Val {
        self.to_s_and(&[])
    }

    /// The same, with more bytes behind them.
    fn to_s_and(&self, more: &[u8]) -> Val {
        let (front, pos) = (self.front.get(), self.pos.get());
        if front.is_none() && more.is_empty() {
            return self.tail.with_bytes(pos, string::binary);
        }
        let s = string::with_capacity(self.len() + more.len());
        let append = |bytes: &[u8]| string::append(s, bytes);
        if front.is_none() {
            self.tail.with_bytes(pos, append);
        } else {
            string::with_bytes(front, |bytes| append(&bytes[pos..]));
            self.each_queued(|piece| string::with_bytes(piece, append));
            self.tail.with_bytes(0, append);
        }
        append(more);
        s
    }

    fn each_queued(&self, mut f: impl FnMut(Val)) {
        let queue = self.queue.get();
        if !queue.is_none() {
            (0..array::len(queue)).for_each(|i| f(array::get(queue, i)));
        }
    }

    /// The pieces, in order; one empty String when there are none. Memory only.
    pub fn to_a(&self) -> Val {
        let (front, pos) = (self.front.get(), self.pos.get());
        let pieces = array::new();
        if !front.is_none() {
            array::push(pieces, string::slice_binary(front, pos, string::len(front) - pos));
            self.each_queued(|piece| array::push(pieces, string::slice_binary(piece, 0, string::len(piece))));
        }
        let from = if front.is_none() { pos } else { 0 };
        if self.tail.len() > from || array::len(pieces) == 0 {
            array::push(pieces, self.tail.with_bytes(from, string::binary));
        }
        pieces
    }

    /// All bytes, taken out, as a fresh binary String. Memory only.
    pub fn take_all(&self) -> Val {
        if self.front.get().is_none() && self.pos.get() == 0 {
            self.consumed.set(self.consumed.get() + self.tail.len() as u64);
            return self.tail.take();
        }
        self.take_all_and(&[])
    }

    /// The same, with more bytes behind them.
    pub fn take_all_and(&self, more: &[u8]) -> Val {
        let s = self.to_s_and(more);
        self.clear();
        s
    }
}
