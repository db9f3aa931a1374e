//! [`Encoder`]: Ruby values to bytes, by recursion.
//!
//! An encoder stages its bytes in a [`Writer`] of its own. Before any call that may run user code or raise, it
//! hands them to its packer, if it has one ([`Encoder::settle`]): so a callback finds everything in place, writes to
//! the packer itself, and after an exception the packer keeps what was written. A one-shot encode has no packer until
//! an object's `to_msgpack` or a recursive type needs one.
//!
//! Exceptions are jumps out of here: nothing in an encoder has a destructor.

use super::{
    fail,
    packer::{self, PackCore},
    registry::{PackType, Registry},
};
use crate::bridge::{
    array, call,
    data::{self, Obj},
    hash,
    names::names,
    number::{self, Int},
    raise,
    string::{self, Family},
    val::Type,
    writer::{self, Writer, RUN},
    Val,
};
use msgpack_wire::put::Short;

/// Each time so many containers more are open, the encoder asks whether the machine stack has room for as many again:
/// a map level takes up to 1.3 KiB of it, with Ruby's walk about 2.5, and Ruby tells 16 KiB before the end.
const CHECK_EVERY: u32 = 4;
/// Shorter arrays are not worth a run.
const MIN_RUN: usize = 8;
/// Payloads of recursive ext types up to this size are copied from memory that is used again and again, 64 KiB.
const PAYLOAD: usize = 64 << 10;
/// Entries of the maps that are copied to the machine stack first: those that Ruby keeps without a hash table, and what
/// takes a tenth of the stack between two checks.
const TINY_MAP: usize = 8;
const SMALL_MAP: usize = 64;

pub struct Encoder<'a> {
    w: Writer<'a>,
    /// A Registry object.
    registry: Val,
    /// What the registry says about the objects that are usually core formats.
    has_types: bool,
    symbol_type: bool,
    compatibility: bool,
    /// Strings of at least this length are looked at more closely: a packer may take them by reference. 0 with
    /// `compatibility`, which treats every String differently.
    long: usize,
    /// A Packer, or NONE.
    packer: Val,
    depth: u32,
}

#[inline(always)]
fn parts(s: Short) -> writer::Short {
    (s.first, s.rest, s.len)
}

/// The format of a value that is no pointer; None for a Symbol.
#[inline(always)]
fn immediate(v: Val) -> Option<writer::Short> {
    if v.is_fixnum() {
        Some(parts(Short::int(v.fixnum())))
    } else if v.is_flonum() {
        Some(parts(Short::float64(f64::from_bits(v.flonum_bits()))))
    } else if v.is_nil() {
        Some(parts(Short::nil()))
    } else if v == Val::TRUE {
        Some(parts(Short::bool(true)))
    } else if v == Val::FALSE {
        Some(parts(Short::bool(false)))
    } else {
        None
    }
}

/// A size that the format can hold, or ArgumentError.
#[inline(always)]
fn wire_len(what: &str, n: usize) -> u32 {
    match u32::try_from(n) {
        Ok(n) => n,
        Err(_) => fail::too_long(what, n),
    }
}

impl<'a> Encoder<'a> {
    /// For a one-shot encode.
    #[inline(always)]
    pub fn new(w: Writer<'a>, registry: Obj<Registry>, compatibility: bool) -> Self {
        let mut e = Encoder {
            w,
            registry: registry.val(),
            has_types: false,
            symbol_type: false,
            compatibility,
            long: if compatibility { 0 } else { writer::HAND_OVER + 1 },
            packer: Val::NONE,
            depth: 0,
        };
        e.look_at(registry);
        e
    }

    /// For a packer: what is written goes to its buffer.
    #[inline(always)]
    pub fn for_packer(w: Writer<'a>, packer: Obj<PackCore>) -> Self {
        let mut e = Encoder::new(w, packer.registry(), packer.compatibility());
        e.packer = packer.val();
        e.long = packer.buffer.sizes().write_reference.saturating_add(1).min(e.long);
        e
    }

    #[inline(always)]
    fn look_at(&mut self, registry: Obj<Registry>) {
        self.registry = registry.val();
        self.has_types = !registry.packs().is_empty();
        self.symbol_type = self.has_types && registry.exact_pack_type(names().symbol).is_some();
    }

    // ---- beginning and end ----

    /// The bytes of a one-shot encode. Memory only.
    #[inline(always)]
    pub fn finish(mut self) -> Val {
        if self.packer.is_none() {
            return self.w.finish();
        }
        let all = self.w.with_bytes(|bytes| self.core().buffer.take_all_and(bytes));
        self.w.release();
        all
    }

    /// Ends a write to a packer. Memory only.
    #[inline(always)]
    pub fn finish_write(&mut self) {
        self.settle();
        self.w.release();
    }

    fn core(&self) -> Obj<PackCore> {
        data::get::<PackCore>(self.packer)
    }

    /// Hands what was written to the packer. Memory only.
    #[inline(always)]
    fn settle(&mut self) {
        if !self.packer.is_none() {
            let core = self.core();
            core.buffer.compact();
            self.w.drain_into(core.buffer.tail());
        }
    }

    /// The packer, made now if this is a one-shot encode.
    fn packer(&mut self) -> Obj<PackCore> {
        if self.packer.is_none() {
            let registry = data::get::<Registry>(self.registry);
            self.packer = packer::new(registry, self.compatibility).val();
        }
        self.core()
    }

    /// After user code: types may have been registered on the packer.
    #[inline(always)]
    fn refresh(&mut self) {
        if !self.packer.is_none() {
            let registry = self.core().registry();
            if registry.val() != self.registry {
                self.look_at(registry);
            }
        }
    }

    // ---- any value ----

    /// Jumps. What fills most documents is handled where the value is met; the rest is a call.
    #[inline(always)]
    pub fn value(&mut self, v: Val) {
        if v.is_special() {
            match immediate(v) {
                Some(short) => self.w.put(short),
                None => self.symbol(v),
            }
        } else if v.heap_type() == Type::String && self.is_core(v, names().string) {
            self.string(v)
        } else {
            self.compound(v)
        }
    }

    #[inline(never)]
    fn compound(&mut self, v: Val) {
        let n = names();
        match v.heap_type() {
            Type::Hash if self.is_core(v, n.hash) => self.hash(v),
            Type::Array if self.is_core(v, n.array) => self.array(v),
            _ => self.other(v),
        }
    }

    /// Whether no ext type can apply to this String, Array or Hash.
    #[inline(always)]
    fn is_core(&self, v: Val, class: Val) -> bool {
        !self.has_types || v.class_pointer() == class
    }

    #[inline(never)]
    fn other(&mut self, v: Val) {
        match v.heap_type() {
            Type::Float => self.float(v),
            Type::Symbol => self.symbol(v),
            Type::Bignum => self.integer(v),
            core => {
                let found = if self.has_types { data::get::<Registry>(self.registry).pack_type(v) } else { None };
                match (found, core) {
                    (Some(t), _) => self.ext(t, v),
                    (None, Type::String) => self.string(v),
                    (None, Type::Array) => self.array(v),
                    (None, Type::Hash) => self.hash(v),
                    (None, _) => self.object(v),
                }
            }
        }
    }

    /// An object that has to write itself.
    fn object(&mut self, v: Val) {
        self.check_stack();
        let packer = self.packer();
        self.settle();
        call::send(v, names().to_msgpack, &[packer.val()]);
        self.refresh();
    }

    // ---- scalars ----

    pub fn nil(&mut self) {
        self.w.put(parts(Short::nil()));
    }

    pub fn bool(&mut self, b: bool) {
        self.w.put(parts(Short::bool(b)));
    }

    pub fn float(&mut self, v: Val) {
        self.float_bits(number::float_bits(v));
    }

    pub fn float_bits(&mut self, bits: u64) {
        self.w.put(parts(Short::float64(f64::from_bits(bits))));
    }

    pub fn float32(&mut self, f: f32) {
        self.w.put(parts(Short::float32(f)));
    }

    /// An Integer of any size. Jumps.
    pub fn integer(&mut self, v: Val) {
        // With the flag, −2⁶³ goes out as an ext value too, as every release has done it.
        let int = number::int(v);
        if matches!(int, Int::Oversized | Int::Negative(i64::MIN)) {
            if let Some(t) = data::get::<Registry>(self.registry).oversized_integer() {
                return self.ext(t, v);
            }
        }
        match int {
            Int::Unsigned(n) => self.w.put(parts(Short::uint(n))),
            Int::Negative(n) => self.w.put(parts(Short::int(n))),
            Int::Oversized => {
                self.settle();
                number::raise_oversized(v)
            }
        }
    }

    // ---- strings ----

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
    fn body(&mut self, head: Short, s: Val) {
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

    // ---- containers ----

    #[inline(always)]
    fn enter(&mut self) {
        self.depth += 1;
        if self.depth % CHECK_EVERY == 0 {
            self.check_stack();
        }
    }

    #[inline(never)]
    fn check_stack(&mut self) {
        if raise::stack_is_low() {
            self.settle();
            raise::stack_overflow()
        }
    }

    pub fn array_header(&mut self, n: u32) {
        self.w.put(parts(Short::array(n)));
    }

    pub fn map_header(&mut self, n: u32) {
        self.w.put(parts(Short::map(n)));
    }

    /// The length is what it is at the start: elements that vanish meanwhile become nil, new ones are left out. Jumps.
    #[inline(never)]
    pub fn array(&mut self, v: Val) {
        let n = array::len(v);
        let head = parts(Short::array(wire_len("array", n)));
        // Immediates go out in runs: one capacity check for many, no look at the Array's length in between.
        let mut i = 0;
        if array::get(v, 0).is_special() {
            i = array::with_slice(v, 0, RUN, |run| self.w.put_run(Some(head), run, immediate));
            if i == n {
                return;
            }
        } else {
            self.w.put(head);
        }
        self.enter();
        loop {
            self.value(array::get(v, i));
            i += 1;
            if i == n {
                break;
            }
            if n >= MIN_RUN && array::get(v, i).is_special() {
                i += array::with_slice(v, i, RUN.min(n - i), |run| self.w.put_run(None, run, immediate));
                if i == n {
                    break;
                }
            }
        }
        self.depth -= 1;
    }

    /// Jumps. Small maps are written from a copy of their entries, up to the first that user code writes.
    #[inline(never)]
    pub fn hash(&mut self, v: Val) {
        let n = hash::len(v);
        self.map_header(wire_len("array", n));
        if n > 0 {
            self.enter();
        }
        if n > SMALL_MAP {
            self.walked_hash(v, n, &[], None)
        } else if n > TINY_MAP {
            self.copied_hash::<SMALL_MAP>(v, n)
        } else if n > 0 {
            self.copied_hash::<TINY_MAP>(v, n)
        }
    }

    #[inline(never)]
    fn copied_hash<const N: usize>(&mut self, v: Val, n: usize) {
        let mut room = hash::Entries::<N>::new();
        let Some(entries) = room.of(v) else { return self.walked_hash(v, n, &[], None) };
        let mut left = entries.iter();
        while let Some(&(key, value)) = left.next() {
            if !self.leaf(key) && !self.container(key) {
                return self.walked_hash(v, n, &entries[..entries.len() - left.len() - 1], None);
            }
            if !self.leaf(value) && !self.container(value) {
                return self.walked_hash(v, n, &entries[..entries.len() - left.len() - 1], Some(key));
            }
        }
        self.depth -= 1;
    }

    /// Writes a value that is met often and has nothing in it; false if it is none.
    #[inline(always)]
    fn leaf(&mut self, v: Val) -> bool {
        if v.is_special() {
            match immediate(v) {
                Some(short) => self.w.put(short),
                None if self.symbol_type => return false,
                None => self.symbol(v),
            }
            true
        } else if v.heap_type() == Type::String && self.is_core(v, names().string) {
            self.string(v);
            true
        } else {
            false
        }
    }

    /// Writes an Array, Hash or Float; false if it is none, or user code has to write it.
    #[inline(never)]
    fn container(&mut self, v: Val) -> bool {
        if v.is_special() {
            return false;
        }
        match v.heap_type() {
            Type::Hash if self.is_core(v, names().hash) => self.hash(v),
            Type::Array if self.is_core(v, names().array) => self.array(v),
            Type::Float => self.float(v),
            _ => return false,
        }
        true
    }

    /// Packs a Hash while it is walked, but for the entries `done` already, which come first, and the `next` key. Jumps:
    /// RuntimeError when entries are added, or lost before their turn.
    #[inline(never)]
    fn walked_hash(&mut self, v: Val, n: usize, done: &[(Val, Val)], next: Option<Val>) {
        let (mut seen, mut same) = (0, true);
        hash::each(v, &mut |key, value| {
            if seen == n {
                return false;
            }
            let written = done.get(seen).map(|entry| entry.0);
            match written.or(next.filter(|_| seen == done.len())) {
                Some(first) => same = key == first,
                None => self.value(key),
            }
            if written.is_none() && same {
                self.value(value);
            }
            seen += same as usize;
            same
        });
        self.depth -= 1;
        if seen != n {
            self.hash_changed(n, seen)
        }
    }

    #[cold]
    fn hash_changed(&mut self, n: usize, written: usize) -> ! {
        self.settle();
        raise::fmt(
            names().runtime_error,
            format_args!("hash changed while it was packed: {n} entries announced, {written} written"),
        )
    }

    // ---- ext types ----

    /// A value of an ext type, its payload the bytes of a String. Jumps.
    pub fn ext_value(&mut self, type_id: i8, payload: Val) {
        let n = string::len(payload);
        if u32::try_from(n).is_err() {
            self.settle();
        }
        self.body(Short::ext(wire_len("string", n), type_id), payload);
    }

    fn ext(&mut self, t: PackType, v: Val) {
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
