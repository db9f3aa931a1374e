//! What a Packer object holds, and how it is written to.

use super::{buffer::Buffer, encode::Encoder, registry::Registry, types::types};
use crate::bridge::{
    data::{self, Data, Descriptor, Marker, Obj, Slot},
    string,
    string::Family,
    writer::Block,
    Val,
};
use std::cell::Cell;

pub struct PackCore {
    pub buffer: Buffer,
    registry: Slot,
    compatibility: Cell<bool>,
    /// Memory for the payload of the next recursive ext type, or NONE.
    pub spare: Slot,
    /// The Buffer object that looks at `buffer`, or NONE.
    pub view: Slot,
}

static PACKER: Descriptor<PackCore> = Descriptor::new(c"MessagePack::Packer");

impl Data for PackCore {
    const EMBEDDED: bool = true;

    fn descriptor() -> &'static Descriptor<Self> {
        &PACKER
    }

    fn mark(&self, marker: &Marker) {
        self.buffer.mark(marker);
        marker.mark(&self.registry);
        marker.mark(&self.spare);
        marker.mark(&self.view);
    }

    fn memory(&self) -> usize {
        self.buffer.memory()
    }
}

/// The staging block of one write: small, since writes nest when an object's `to_msgpack` calls back.
const BLOCK: usize = 512;

/// A packer with an IO sends what it has from this size on, 8 KiB.
const SEND: usize = 8 << 10;

/// A new packer object of `class`. Memory only.
pub fn allocate(class: Val, registry: Obj<Registry>, compatibility: bool) -> Obj<PackCore> {
    let packer = data::wrap(
        class,
        PackCore {
            buffer: Buffer::new(),
            registry: Slot::new(registry.val()),
            compatibility: Cell::new(compatibility),
            spare: Slot::empty(),
            view: Slot::empty(),
        },
    );
    registry.keep();
    packer
}

/// A Packer without IO. Memory only.
pub fn new(registry: Obj<Registry>, compatibility: bool) -> Obj<PackCore> {
    allocate(types().packer, registry, compatibility)
}

impl PackCore {
    #[inline(always)]
    pub fn registry(&self) -> Obj<Registry> {
        data::get::<Registry>(self.registry.get())
    }

    pub fn set_registry(&self, registry: Obj<Registry>) {
        self.registry.set(registry.val());
    }

    #[inline(always)]
    pub fn compatibility(&self) -> bool {
        self.compatibility.get()
    }

    pub fn set_compatibility(&self, on: bool) {
        self.compatibility.set(on);
    }

    /// Takes a String over the reference threshold. A binary one goes to the IO, if there is one, in a call of its own,
    /// after everything before it. Jumps.
    pub fn append_long(&self, s: Val) {
        if !self.buffer.port.io().is_nil() && string::family(s) == Family::Binary {
            self.buffer.flush();
            self.buffer.port.write(s);
        } else {
            self.buffer.append_string(s, self.buffer.sizes().write_reference);
        }
    }
}

/// Runs `f` with an encoder that writes to the packer. Jumps as `f` does.
#[inline(always)]
pub fn write(packer: Obj<PackCore>, f: impl FnOnce(&mut Encoder<'_>)) {
    let mut block = Block::<BLOCK>::new();
    let mut e = Encoder::for_packer(block.writer(), packer);
    f(&mut e);
    e.finish_write();
    if packer.buffer.len() >= SEND && !packer.buffer.port.io().is_nil() {
        packer.buffer.flush();
    }
}
