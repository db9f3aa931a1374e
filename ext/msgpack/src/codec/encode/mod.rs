//! [`Encoder`]: Ruby values to bytes, by recursion.
//!
//! An encoder stages its bytes in a [`Writer`] of its own. Before any call that may run user code or raise, it
//! hands them to its packer, if it has one ([`Encoder::settle`]): so a callback finds everything in place, writes to
//! the packer itself, and after an exception the packer keeps what was written. A one-shot encode has no packer until
//! an object's `to_msgpack` or a recursive type needs one.
//!
//! Exceptions are jumps out of here: nothing in an encoder has a destructor.

mod containers;
mod ext;
mod strings;

use super::{
    fail,
    packer::{self, PackCore},
    registry::Registry,
};
use crate::bridge::{
    call,
    data::{self, Obj},
    names::names,
    number::{self, Int},
    raise,
    val::Type,
    writer::{self, Writer},
    Val,
};
use msgpack_wire::put::Short;

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

    /// SystemStackError where little is left of the machine stack. Jumps.
    #[inline(never)]
    fn check_stack(&mut self) {
        if raise::stack_is_low() {
            self.settle();
            raise::stack_overflow()
        }
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
}
