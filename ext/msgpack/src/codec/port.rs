//! The IO behind a [`Buffer`](super::buffer::Buffer): which of its methods to call, and how.

use super::fail::Fail;
use crate::bridge::{
    call,
    data::{Marker, Slot},
    names::{names, Id},
    raise, string, Val,
};
use std::cell::Cell;

pub struct Port {
    io: Slot,
    /// The String that the first read gave, handed back as out buffer from then on.
    spare: Slot,
    reader: Cell<Option<Id>>,
    writer: Cell<Option<Id>>,
}

/// An IO that was taken off, with all that was known of it.
#[derive(Clone, Copy)]
pub struct Plug {
    io: Val,
    spare: Val,
    reader: Option<Id>,
    writer: Option<Id>,
}

impl Port {
    pub const fn new() -> Port {
        Port { io: Slot::new(Val::NIL), spare: Slot::empty(), reader: Cell::new(None), writer: Cell::new(None) }
    }

    pub fn mark(&self, marker: &Marker) {
        marker.mark(&self.io);
        marker.mark(&self.spare);
    }

    /// The IO, or nil.
    #[inline(always)]
    pub fn io(&self) -> Val {
        self.io.get()
    }

    /// Chooses the methods to call, once and for all, by what the object answers to. Jumps (`respond_to_missing?`).
    pub fn attach(&self, io: Val) {
        let n = names();
        if !io.is_nil() {
            let reader = if call::responds_to(io, n.readpartial) { n.readpartial } else { n.read };
            let writer =
                if !call::responds_to(io, n.write) && call::responds_to(io, n.lshift) { n.lshift } else { n.write };
            self.reader.set(Some(reader));
            self.writer.set(Some(writer));
        }
        self.spare.set(Val::NONE);
        self.io.set(io);
    }

    /// Takes the IO off; give it back to [`Port::put_back`].
    pub fn take(&self) -> Plug {
        let plug =
            Plug { io: self.io.get(), spare: self.spare.get(), reader: self.reader.get(), writer: self.writer.get() };
        self.io.set(Val::NIL);
        self.spare.set(Val::NONE);
        plug
    }

    pub fn put_back(&self, plug: Plug) {
        self.io.set(plug.io);
        self.spare.set(plug.spare);
        self.reader.set(plug.reader);
        self.writer.set(plug.writer);
    }

    /// Reads at most `n` bytes; Err at the end of the file when the IO says so by nil or "". Jumps.
    pub fn read(&self, n: usize) -> Result<Val, Fail> {
        let size = crate::bridge::number::from_usize(n);
        let method = self.reader.get().unwrap_or(names().read);
        let spare = self.spare.get();
        let got = if spare.is_none() {
            call::send(self.io.get(), method, &[size])
        } else {
            call::send(self.io.get(), method, &[size, spare])
        };
        if got.is_nil() {
            return Err(Fail::EndOfIo);
        }
        let got = string::coerce(got);
        if spare.is_none() && !got.is_frozen() {
            self.spare.set(got);
        }
        if string::len(got) == 0 {
            return Err(Fail::EndOfIo);
        }
        Ok(got)
    }

    /// Hands one String over. Jumps.
    pub fn write(&self, s: Val) {
        let method = self.writer.get().unwrap_or(names().write);
        call::send(self.io.get(), method, &[s]);
    }

    /// `io.close`, or nil without IO. Jumps.
    pub fn close(&self) -> Val {
        if self.io.get().is_nil() {
            return Val::NIL;
        }
        call::send(self.io.get(), names().close, &[])
    }
}

/// `io.write(s)` of any object. Jumps.
pub fn write_to(io: Val, s: Val) {
    call::send(io, names().write, &[s]);
}

/// ArgumentError `expected Hash but found X.` unless it is one. Jumps.
pub fn check_options(v: Val) {
    if !v.is_hash() {
        raise::class_name_in(names().arg_error, "expected Hash but found ", v, ".")
    }
}
