//! Values of ext types.

use super::{
    super::{fail, registry::PackType},
    parts, wire_len, Encoder,
};
use crate::bridge::{call, string, Val};
use msgpack_wire::put::Short;

/// Payloads of recursive ext types up to this size are copied from memory that is used again and again, 64 KiB.
const PAYLOAD: usize = 64 << 10;

impl Encoder<'_> {
    /// A value of an ext type, its payload the bytes of a String. Jumps.
    pub fn ext_value(&mut self, type_id: i8, payload: Val) {
        let n = string::len(payload);
        if u32::try_from(n).is_err() {
            self.settle();
        }
        self.body(Short::ext(wire_len("string", n), type_id), payload);
    }

    pub(super) fn ext(&mut self, t: PackType, v: Val) {
        if !t.side.usable_here() {
            self.settle();
            fail::unshareable(t.type_id, t.class, "packed", "packer")
        }
        if t.recursive {
            return self.recursive_ext(t, v);
        }
        self.settle();
        let payload = string::coerce(t.side.callable.call_packing(v, None));
        self.refresh();
        self.ext_value(t.type_id, payload);
    }

    /// The callable writes the payload to the packer, which is empty and without IO meanwhile.
    fn recursive_ext(&mut self, t: PackType, v: Val) {
        self.check_stack();
        let packer = self.packer();
        self.settle();
        let buffer = &packer.buffer;
        let aside = buffer.set_aside();
        buffer.tail().reuse(packer.spare.take());
        let done = call::protect(|| {
            t.side.callable.call_packing(v, Some(packer.val()));
            Val::NIL
        });
        if let Err(jump) = done {
            buffer.clear();
            buffer.restore(&aside);
            jump.resume()
        }
        match buffer.len_in_tail() {
            Some(n) if n <= PAYLOAD.min(buffer.sizes().write_reference) => {
                let payload = buffer.tail().set_aside();
                buffer.restore(&aside);
                self.refresh();
                let head = parts(Short::ext(n as u32, t.type_id));
                payload.with_bytes(|bytes| self.w.put_with_body(head, bytes));
                packer.spare.set(payload.memory());
            }
            _ => {
                let payload = buffer.take_all();
                buffer.restore(&aside);
                self.refresh();
                self.ext_value(t.type_id, payload)
            }
        }
    }
}
