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

mod aside;
mod io;
mod read;
mod views;
mod write;

use super::{options::Sizes, port::Port};
use crate::bridge::{
    data::{Marker, Slot},
    string,
    tail::Tail,
    Val,
};
use std::cell::Cell;

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
}
