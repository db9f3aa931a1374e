//! [`Buffer`]: bytes written at one end and read at the other.
//!
//! ```text
//!  read end                                        write end
//!  front (a frozen String, from `pos` on)   queue (frozen Strings)   tail (growing)
//! ```
//!
//! Small writes go to the tail; long Strings become pieces of their own, without a copy. When there is no front, `pos` counts
//! in the tail. All memory belongs to Ruby Strings, so consumed pieces are the collector's; nothing is shared between
//! buffers but frozen Strings. All state is in cells: user code may come back to a buffer from any call out of it.

use super::{
    fail::Fail,
    options::Sizes,
    port,
    port::{Plug, Port},
};
use crate::bridge::{
    array,
    call::{self, Jump},
    data::{Marker, Slot},
    names::names,
    string,
    tail::{Aside, Tail},
    Val,
};
use std::cell::Cell;

/// Fed Strings below this length are copied into the tail, 1 KiB: cheaper than a reference.
const COPY: usize = 1024;
/// The consumed part of the tail is dropped when it is at least this long and longer than the rest.
const SHIFT: usize = 4096;

pub struct Buffer {
    front: Slot,
    pos: Cell<usize>,
    queue: Slot,
    queued: Cell<usize>,
    tail: Tail,
    /// Bytes ever consumed: the position of the read end.
    consumed: Cell<u64>,
    pub port: Port,
    sizes: Cell<Sizes>,
}

/// A buffer's bytes and IO, set aside while a recursive ext type packs its payload.
#[derive(Clone, Copy)]
pub struct SetAside {
    front: Val,
    pos: usize,
    queue: Val,
    queued: usize,
    tail: Aside,
    io: Plug,
}

impl Buffer {
    pub const fn new() -> Buffer {
        Buffer {
            front: Slot::empty(),
            pos: Cell::new(0),
            queue: Slot::empty(),
            queued: Cell::new(0),
            tail: Tail::new(),
            consumed: Cell::new(0),
            port: Port::new(),
            sizes: Cell::new(Sizes::DEFAULT),
        }
    }

    pub fn mark(&self, marker: &Marker) {
        marker.mark(&self.front);
        marker.mark(&self.queue);
        self.tail.mark(marker);
        self.port.mark(marker);
    }

    /// Bytes of memory behind the buffer, shared ones included.
    pub fn memory(&self) -> usize {
        let front = if self.front.get().is_none() { 0 } else { string::len(self.front.get()) };
        front + self.queued.get() + self.tail.capacity()
    }

    pub fn sizes(&self) -> Sizes {
        self.sizes.get()
    }

    pub fn set_sizes(&self, sizes: Sizes) {
        self.sizes.set(sizes);
    }

    /// Bytes buffered.
    #[inline(always)]
    pub fn len(&self) -> usize {
        let front = self.front.get();
        let ends =
            if front.is_none() { self.tail.len() } else { string::len(front) + self.queued.get() + self.tail.len() };
        ends - self.pos.get()
    }

    /// Position of the read end since the buffer was made.
    #[inline(always)]
    pub fn consumed(&self) -> u64 {
        self.consumed.get()
    }

    /// Memory only.
    pub fn clear(&self) {
        self.consumed.set(self.consumed.get() + self.len() as u64);
        self.front.set(Val::NONE);
        self.queue.set(Val::NONE);
        self.queued.set(0);
        self.pos.set(0);
        self.tail.clear();
    }

    // ---- the write end ----

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
        if self.queue.get().is_none() {
            self.queue.set(array::hidden());
        }
        array::push(self.queue.get(), piece);
        self.queued.set(self.queued.get() + string::len(piece));
    }

    // ---- the read end ----

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
            if self.queue.get().is_none() {
                self.queue.set(array::hidden());
            }
            array::unshift(self.queue.get(), rest);
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

    // ---- views ----

    /// All bytes, as a fresh binary String. Memory only.
    pub fn to_s(&self) -> Val {
        let (front, pos) = (self.front.get(), self.pos.get());
        if front.is_none() {
            return self.tail.with_bytes(pos, string::binary);
        }
        let s = string::with_capacity(self.len());
        string::with_bytes(front, |bytes| string::append(s, &bytes[pos..]));
        self.each_queued(|piece| string::with_bytes(piece, |bytes| string::append(s, bytes)));
        self.tail.with_bytes(0, |bytes| string::append(s, bytes));
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
        let s = self.to_s();
        self.clear();
        s
    }

    // ---- the IO ----

    /// Sends every piece by `write`, in order, dropping each once it is sent. Returns the bytes sent. Jumps; after a jump
    /// the piece that failed and those behind it are still there.
    fn drain(&self, write: impl Fn(Val)) -> u64 {
        let mut sent = 0;
        while self.len() > 0 {
            if self.front.get().is_none() {
                self.front.set(self.tail.seal());
            }
            let (front, pos, at) = (self.front.get(), self.pos.get(), self.consumed.get());
            let n = string::len(front) - pos;
            write(string::slice_binary(front, pos, n));
            sent += n as u64;
            // The call may have read or cleared some of it itself.
            let left = (at + n as u64).saturating_sub(self.consumed.get());
            self.skip(left as usize);
        }
        sent
    }

    /// Sends everything to the IO, if there is one. Jumps.
    pub fn flush(&self) {
        if !self.port.io().is_nil() {
            self.drain(|piece| self.port.write(piece));
        }
    }

    /// Sends everything to `io.write`. Returns the bytes sent. Jumps.
    pub fn write_to(&self, io: Val) -> u64 {
        self.drain(|piece| port::write_to(io, piece))
    }

    /// One read of at most `n` bytes (and at most the read-ahead size) from the IO, appended. Jumps.
    pub fn refill(&self, n: usize) -> Result<(), Fail> {
        let got = self.port.read(n.min(self.sizes.get().io_buffer))?;
        string::with_bytes(got, |bytes| self.append(bytes));
        Ok(())
    }

    /// As [`Buffer::refill`], with jumps caught.
    pub fn refill_protected(&self, n: usize) -> Result<(), Fail> {
        let mut end = None;
        let read = call::protect(|| {
            end = self.refill(n).err();
            Val::NIL
        });
        match (read, end) {
            (Err(jump), _) if is_eof(jump) => Err(Fail::EofOfIo(jump)),
            (Err(jump), _) => Err(Fail::Jump(jump)),
            (Ok(_), Some(fail)) => Err(fail),
            (Ok(_), None) => Ok(()),
        }
    }

    // ---- recursive packing ----

    /// The length of what is buffered, if it is all in the tail.
    pub fn len_in_tail(&self) -> Option<usize> {
        (self.front.get().is_none() && self.pos.get() == 0).then(|| self.tail.len())
    }

    /// Takes bytes and IO out, leaving an empty buffer; [`Buffer::restore`] puts them back. The result must stay on the
    /// machine stack till then.
    pub fn set_aside(&self) -> SetAside {
        let aside = SetAside {
            front: self.front.take(),
            pos: self.pos.replace(0),
            queue: self.queue.take(),
            queued: self.queued.replace(0),
            tail: self.tail.set_aside(),
            io: self.port.take(),
        };
        std::hint::black_box(&aside);
        aside
    }

    pub fn restore(&self, aside: &SetAside) {
        std::hint::black_box(aside);
        self.front.set(aside.front);
        self.pos.set(aside.pos);
        self.queue.set(aside.queue);
        self.queued.set(aside.queued);
        self.tail.restore(aside.tail);
        self.port.put_back(aside.io);
    }
}

/// Whether a jump is an EOFError.
pub fn is_eof(jump: Jump) -> bool {
    let e = jump.exception();
    !e.is_nil() && call::kind_of(e, names().eof_error)
}
