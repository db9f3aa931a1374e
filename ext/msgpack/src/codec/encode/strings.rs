//! Strings and Symbols.

use super::{super::registry::Registry, parts, wire_len, Encoder};
use crate::bridge::{
    data,
    names::names,
    string::{self, Family},
    writer, Val,
};
use msgpack_wire::put::Short;

impl Encoder<'_> {
    /// The format that the encoding asks for. Jumps: sizes, transcoding.
    #[inline(always)]
    pub fn string(&mut self, v: Val) {
        let n = string::len(v);
        if n >= self.long {
            return self.unusual_string(v);
        }
        let head = match string::family(v) {
            Family::Text => Short::str(n as u32),
            Family::Binary => Short::bin(n as u32),
            Family::Foreign => return self.foreign_string(v),
        };
        string::with_bytes(v, |bytes| self.w.put_with_body(parts(head), bytes));
    }

    #[cold]
    #[inline(never)]
    fn foreign_string(&mut self, v: Val) {
        self.settle();
        let utf8 = string::transcode_to_utf8(v);
        // What Ruby can't convert, it leaves as it is if it is pure ASCII; so no second round is needed.
        let n = string::len(utf8);
        self.body(Short::str(wire_len("string", n)), utf8);
    }

    /// A long String, or one in the old raw format.
    #[cold]
    #[inline(never)]
    fn unusual_string(&mut self, v: Val) {
        let n = string::len(v);
        if u32::try_from(n).is_err() {
            self.settle();
        }
        if self.compatibility {
            return self.body(Short::str_raw(wire_len("string", n)), v);
        }
        if n > writer::HAND_OVER {
            // A packer refers to it, so that its bytes are copied once, into a result of the right size.
            self.packer();
        }
        match string::family(v) {
            Family::Text => self.body(Short::str(wire_len("string", n)), v),
            Family::Binary => self.body(Short::bin(wire_len("string", n)), v),
            Family::Foreign => self.foreign_string(v),
        }
    }

    /// `write_bin`: converts to binary first. Jumps.
    pub fn binary(&mut self, v: Val) {
        self.settle();
        let bytes = string::transcode_to_binary(v);
        let n = wire_len("string", string::len(bytes));
        let head = if self.compatibility { Short::str_raw(n) } else { Short::bin(n) };
        self.body(head, bytes);
    }

    /// A head and the bytes of a String, which a packer may take by reference. Jumps (a packer's IO).
    pub(super) fn body(&mut self, head: Short, s: Val) {
        if self.packer.is_none() || string::len(s) <= self.core().buffer.sizes().write_reference {
            return string::with_bytes(s, |bytes| self.w.put_with_body(parts(head), bytes));
        }
        self.w.put(parts(head));
        self.settle();
        self.core().append_long(s);
    }

    pub fn bin_header(&mut self, n: u32) {
        self.w.put(parts(Short::bin(n)));
    }

    /// Jumps.
    #[inline(never)]
    pub fn symbol(&mut self, v: Val) {
        if self.symbol_type {
            if let Some(t) = data::get::<Registry>(self.registry).exact_pack_type(names().symbol) {
                return self.ext(t, v);
            }
        }
        self.string(string::symbol_name(v));
    }
}
