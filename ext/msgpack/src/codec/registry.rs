//! Ext types. A [`Registry`] never changes: registering makes a new one, so packers, unpackers and pools share the
//! one they were made with, and frozen ones whose callables are shareable go to any Ractor.

use crate::bridge::{
    array, call,
    data::{self, Data, Descriptor, Marker, Obj},
    names::{names, Fixed, Id},
    ractor::{self, Shared},
    Val,
};

/// What packs or unpacks an ext type.
#[derive(Clone, Copy)]
pub enum Callable {
    None,
    /// Packing only: this method of the packed object.
    Send(Id),
    /// This method of the receiver.
    Method(Val, Id),
    Proc(Val),
    /// `call` of any other object.
    Object(Val),
}

impl Callable {
    /// From the forms that the Ruby layer passes: nil, a Symbol, `[receiver, name]`, a Proc, an object. Jumps.
    pub fn from_ruby(v: Val) -> Callable {
        if v.is_nil() {
            Callable::None
        } else if v.is_symbol() {
            Callable::Send(call::id_of(v))
        } else if v.is_array() && array::len(v) == 2 {
            Callable::Method(array::get(v, 0), call::id_of(array::get(v, 1)))
        } else if call::kind_of(v, names().proc_) {
            Callable::Proc(v)
        } else {
            Callable::Object(v)
        }
    }

    /// The form that [`Callable::from_ruby`] takes. Memory only.
    pub fn to_ruby(self) -> Val {
        match self {
            Callable::None => Val::NIL,
            Callable::Send(id) => call::symbol_of(id),
            Callable::Method(recv, id) => array::freeze(array::from_slice(&[recv, call::symbol_of(id)])),
            Callable::Proc(v) | Callable::Object(v) => v,
        }
    }

    fn value(self) -> Val {
        match self {
            Callable::None | Callable::Send(_) => Val::NIL,
            Callable::Method(v, _) | Callable::Proc(v) | Callable::Object(v) => v,
        }
    }

    pub fn is_none(self) -> bool {
        matches!(self, Callable::None)
    }

    /// Calls it with the payload (unpacking). Jumps.
    #[inline]
    pub fn call(self, args: &[Val]) -> Val {
        match self {
            Callable::None | Callable::Send(_) => Val::NIL,
            Callable::Method(recv, id) => call::send(recv, id, args),
            Callable::Proc(p) => call::call_proc(p, args),
            Callable::Object(o) => call::send(o, names().call, args),
        }
    }

    /// Calls it with the object to pack, and with the packer if it is given. Jumps.
    #[inline]
    pub fn call_packing(self, object: Val, packer: Option<Val>) -> Val {
        match (self, packer) {
            (Callable::Send(id), None) => call::send(object, id, &[]),
            (Callable::Send(id), Some(pk)) => call::send(object, id, &[pk]),
            (_, None) => self.call(&[object]),
            (_, Some(pk)) => self.call(&[object, pk]),
        }
    }
}

/// A callable with where it came from.
#[derive(Clone, Copy)]
pub struct Side {
    pub callable: Callable,
    /// Registered by the main Ractor: another one may call it only if it is shareable.
    from_main: bool,
}

impl Side {
    /// Memory only.
    pub fn new(callable: Callable) -> Side {
        Side { callable, from_main: ractor::is_main() }
    }

    /// Whether this Ractor may call it. Memory only.
    #[inline]
    pub fn usable_here(&self) -> bool {
        let callable = self.callable.value();
        !self.from_main || ractor::is_known_shareable(callable) || ractor::is_main() || ractor::is_shareable(callable)
    }
}

/// How objects of a class are packed.
#[derive(Clone, Copy)]
pub struct PackType {
    pub class: Val,
    pub type_id: i8,
    pub side: Side,
    pub recursive: bool,
    /// Takes Integers that no integer format holds.
    pub oversized: bool,
}

/// What becomes of the payloads with an id.
#[derive(Clone, Copy)]
pub struct UnpackType {
    pub class: Val,
    pub type_id: i8,
    pub side: Side,
    pub recursive: bool,
    /// The payload is a Symbol's name.
    pub optimized_symbol: bool,
}

#[derive(Default)]
pub struct Registry {
    /// In order of registration; a class stands here once.
    packs: Vec<PackType>,
    unpacks: Vec<UnpackType>,
}

static REGISTRY: Descriptor<Registry> = Descriptor::frozen_shareable(c"msgpack/registry").never_written();

impl Data for Registry {
    const EMBEDDED: bool = true;

    fn descriptor() -> &'static Descriptor<Self> {
        &REGISTRY
    }

    fn mark(&self, marker: &Marker) {
        for t in &self.packs {
            marker.mark_value(t.class);
            marker.mark_value(t.side.callable.value());
        }
        for t in &self.unpacks {
            marker.mark_value(t.class);
            marker.mark_value(t.side.callable.value());
        }
    }

    fn memory(&self) -> usize {
        self.packs.capacity() * std::mem::size_of::<PackType>()
            + self.unpacks.capacity() * std::mem::size_of::<UnpackType>()
    }
}

static EMPTY: Fixed<Val> = Fixed::new();

/// Makes the empty registry. Once, while the library loads.
pub fn load() {
    let o = finished(Registry::default());
    ractor::keep_forever(o.val());
    freeze(o);
    ractor::is_shareable(o.val());
    EMPTY.set(o.val());
}

/// The registry of objects that have no types of their own.
pub fn empty() -> Obj<Registry> {
    data::get::<Registry>(*EMPTY.get())
}

/// Not frozen: that costs as much as making it, and only a registry that Ractors share needs it ([`freeze`]).
fn finished(r: Registry) -> Obj<Registry> {
    data::wrap(names().hidden, r)
}

/// A registry with these types added to those of `old`. Memory only.
pub fn extended(old: Obj<Registry>, pack: Option<PackType>, unpack: Option<UnpackType>) -> Obj<Registry> {
    let mut packs: Vec<PackType> = Vec::with_capacity(old.packs.len() + pack.is_some() as usize);
    packs.extend_from_slice(&old.packs);
    let mut unpacks: Vec<UnpackType> = Vec::with_capacity(old.unpacks.len() + unpack.is_some() as usize);
    unpacks.extend_from_slice(&old.unpacks);
    if let Some(new) = pack {
        match packs.iter_mut().find(|t| t.class == new.class) {
            Some(t) => *t = new,
            None => packs.push(new),
        }
    }
    if let Some(new) = unpack {
        match unpacks.iter_mut().find(|t| t.type_id == new.type_id) {
            Some(t) => *t = new,
            None => unpacks.push(new),
        }
    }
    let new = finished(Registry { packs, unpacks });
    old.keep();
    new
}

/// The types of the default factory. The main Ractor replaces it, all read it.
static DEFAULT: Shared = Shared::new();

/// Makes the empty default registry. Once, while the library loads.
pub fn load_default() {
    DEFAULT.register();
    DEFAULT.set(*EMPTY.get());
}

#[inline(always)]
pub fn default() -> Obj<Registry> {
    data::get::<Registry>(DEFAULT.get())
}

pub fn set_default(r: Obj<Registry>) {
    freeze(r);
    DEFAULT.set(r.val());
}

/// Makes a registry one that can be shared, if its callables can. It never changes anyway.
pub fn freeze(r: Obj<Registry>) {
    array::freeze(r.val());
}

impl Registry {
    pub fn packs(&self) -> &[PackType] {
        &self.packs
    }

    pub fn unpacks(&self) -> &[UnpackType] {
        &self.unpacks
    }

    /// The type of an object that is no core object (or one with a class of its own): its singleton class, then its
    /// class, then the first type registered for an ancestor. Never raises.
    pub fn pack_type(&self, object: Val) -> Option<PackType> {
        let (own, class) = (object.class_pointer(), call::class_of(object));
        let exact = |wanted: Val| self.packs.iter().find(|t| t.class == wanted && !t.side.callable.is_none());
        if own != class {
            if let Some(t) = exact(own) {
                return Some(*t);
            }
        }
        if let Some(t) = exact(class) {
            return Some(*t);
        }
        let first = self.packs.iter().find(|t| call::kind_of(object, t.class))?;
        (!first.side.callable.is_none()).then_some(*first)
    }

    /// The type registered for exactly this class, if it has a packer. Never raises.
    pub fn exact_pack_type(&self, class: Val) -> Option<PackType> {
        self.packs.iter().find(|t| t.class == class && !t.side.callable.is_none()).copied()
    }

    /// The type for Integers that no integer format holds.
    pub fn oversized_integer(&self) -> Option<PackType> {
        self.exact_pack_type(names().integer).filter(|t| t.oversized)
    }

    #[inline]
    pub fn unpack_type(&self, type_id: i8) -> Option<&UnpackType> {
        self.unpacks.iter().find(|t| t.type_id == type_id)
    }

    /// Whether every Ractor may call all of it. Memory only.
    pub fn is_shareable(&self) -> bool {
        let sides = self.packs.iter().map(|t| t.side).chain(self.unpacks.iter().map(|t| t.side));
        sides.into_iter().all(|side| ractor::is_shareable(side.callable.value()))
    }

    pub fn unpacks_recursively(&self) -> bool {
        self.unpacks.iter().any(|t| t.recursive)
    }
}
