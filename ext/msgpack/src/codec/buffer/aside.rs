//! A buffer lent to the callable of a recursive ext type, which finds it empty.

use super::{super::port::Plug, Buffer};
use crate::bridge::{tail::Aside, Val};

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
