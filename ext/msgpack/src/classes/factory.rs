//! `MessagePack::Factory`: holds a registry. The default factory's is the one that all Ractors share.

use super::{io_arguments::IoArguments, module, packer, unpacker};
use crate::{
    bridge::{
        array, call,
        data::{self, Data, Descriptor, Marker, Obj, Slot},
        hash, method,
        names::names,
        ractor, raise, string, Val,
    },
    codec::{
        fail, one_shot,
        options::{self, Sizes, UnpackOptions, UnpackSettings, COMPATIBILITY, LIMITED},
        registry::{self, Callable, PackType, Registry, Side, UnpackType},
        types::types,
    },
};
use magnus::{function, method as m, prelude::*, Error, RClass, RModule, Value};

struct Factory {
    /// A Registry object, or NONE for the default factory.
    registry: Slot,
}

static FACTORY: Descriptor<Factory> = Descriptor::frozen_shareable(c"MessagePack::Factory");

impl Data for Factory {
    fn descriptor() -> &'static Descriptor<Self> {
        &FACTORY
    }

    fn mark(&self, marker: &Marker) {
        marker.mark(&self.registry);
    }

    fn memory(&self) -> usize {
        0
    }
}

impl method::Allocate for Factory {
    fn allocate(class: Val) -> Val {
        data::wrap(class, Factory { registry: Slot::new(registry::empty().val()) }).val()
    }
}

impl Factory {
    fn is_default(&self) -> bool {
        self.registry.get().is_none()
    }

    #[inline(always)]
    fn registry(&self) -> Obj<Registry> {
        if self.is_default() {
            registry::default()
        } else {
            data::get::<Registry>(self.registry.get())
        }
    }

    fn set_registry(&self, r: Obj<Registry>) {
        if self.is_default() {
            registry::set_default(r)
        } else {
            self.registry.set(r.val())
        }
    }
}

#[inline(always)]
fn get(this: Val) -> Obj<Factory> {
    data::get::<Factory>(this)
}

/// Whether `packer` and `unpacker` are those of this file: only a subclass or a singleton class can have others.
#[inline(always)]
fn is_plain(this: Val) -> bool {
    this.class_pointer() == types().factory
}

fn initialize(this: Val, args: &[Value]) -> Val {
    if !args.is_empty() {
        raise::fmt(names().arg_error, format_args!("wrong number of arguments ({} for 0)", args.len()))
    }
    this
}

/// Ractors copy an object by this method: only what both may use goes along.
fn initialize_copy(this: Val, other: Val) -> Val {
    let types = get(other).registry();
    if !types.is_shareable() {
        raise::class_name_in(names().type_error, "can not copy ", other, " object.")
    }
    take_types(this, other)
}

/// Takes over the types of another factory.
fn take_types(this: Val, other: Val) -> Val {
    raise::check_frozen(this, c"can't modify frozen MessagePack::Factory");
    if get(this).is_default() {
        raise::with(names().type_error, "can not copy other types into MessagePack::DefaultFactory")
    }
    let types = get(other).registry();
    get(this).set_registry(types);
    this
}

fn freeze(this: Val) -> Val {
    if get(this).is_default() && !ractor::is_main() {
        raise::with(names().isolation_error, "can not freeze MessagePack::DefaultFactory from a non-main Ractor")
    }
    registry::freeze(get(this).registry());
    array::freeze(this)
}

// ---- packers and unpackers ----

fn make_packer(this: Val, args: &[Value]) -> Val {
    packer::new(get(this).registry(), IoArguments::of_packer(method::vals(args))).val()
}

fn make_unpacker(this: Val, args: &[Value]) -> Val {
    unpacker::new(get(this).registry(), IoArguments::of_unpacker(method::vals(args))).val()
}

/// `dump(v, *rest)`: rest is an Array.
fn dump(this: Val, v: Val, rest: Val) -> Val {
    raise::check_array(rest);
    let n = array::len(rest);
    if n > 2 {
        method::wrong_arity(n + 1, 1, 3);
    }
    let (io, options) = (array::get(rest, 0), array::get(rest, 1));
    if is_plain(this) {
        return module::dump_with(get(this).registry(), v, &[io, options]);
    }
    let pk = call::send_public(this, names().packer, &[io, options][..n]);
    call::send(pk, names().write, &[v]);
    call::send(pk, names().full_pack, &[])
}

fn load(this: Val, source: Val, param: Val) -> Val {
    if is_plain(this) {
        return module::load_with(get(this).registry(), source, param);
    }
    let unpacker = |args: &[Val]| call::send_public(this, names().unpacker, args);
    let u = if source.is_string() {
        let u = unpacker(&[param]);
        call::send(u, names().feed, &[source]);
        u
    } else if param.is_nil() {
        unpacker(&[source])
    } else {
        unpacker(&[source, param])
    };
    call::send(u, names().full_unpack, &[])
}

/// One-shot dump and load with flags from [`option_flags`], for pools.
fn dump_with(this: Val, v: Val, flags: i64) -> Val {
    one_shot::pack(v, get(this).registry(), flags & COMPATIBILITY != 0)
}

fn load_with(this: Val, source: Val, flags: i64) -> Val {
    let source = string::coerce(source);
    one_shot::unpack(source, get(this).registry(), UnpackOptions::from_bits(flags), None)
}

/// The options that one-shot calls need, as bits; those that need an unpacker only as one bit more. Jumps.
fn option_flags(hash: Val) -> i64 {
    raise::check_hash(hash);
    let compatibility = if options::compatibility_mode(hash) { COMPATIBILITY } else { 0 };
    let settings = UnpackSettings::from_hash(hash, Sizes::DEFAULT);
    let limited = if settings.limits.is_some() { LIMITED } else { 0 };
    settings.options.to_bits() | compatibility | limited
}

// ---- ext types ----

fn register_type_internal(this: Val, type_id: Val, class: Val, given: Val) -> Val {
    raise::check_frozen(this, c"can't modify frozen MessagePack::Factory");
    let factory = get(this);
    if factory.is_default() && !ractor::is_main() {
        raise::with(
            names().isolation_error,
            "can not register ext types on MessagePack::DefaultFactory from a non-main Ractor",
        )
    }
    raise::check_integer(type_id);
    let type_id = fail::ext_type_id(type_id);
    if !class.is_module() {
        raise::class_name_in(names().arg_error, "expected Module/Class but found ", class, ".")
    }
    let n = names();
    let on = |name| hash::get(given, name).truthy();
    let oversized = on(n.sym_oversized_integer_extension);
    if oversized && class != n.integer {
        raise::with(n.arg_error, "oversized_integer_extension: true is only for Integer class")
    }
    let recursive = on(n.sym_recursive);
    let optimized_symbol = class == n.symbol && on(n.sym_optimized_symbols_parsing);
    let packs = Callable::from_ruby(hash::get(given, n.sym_packer));
    let unpacks = Callable::from_ruby(hash::get(given, n.sym_unpacker));
    let pack = PackType { class, type_id, side: Side::new(packs), recursive, oversized };
    let unpack = UnpackType { class, type_id, side: Side::new(unpacks), recursive, optimized_symbol };
    factory.set_registry(registry::extended(factory.registry(), Some(pack), Some(unpack)));
    Val::NIL
}

fn registered_types_internal(this: Val) -> Val {
    let registry = get(this).registry();
    let types = array::from_slice(&[packer::pack_types(registry.packs()), unpacker::unpack_types(registry.unpacks())]);
    registry.keep();
    types
}

pub fn init(msgpack: RModule, class: RClass) -> Result<(), Error> {
    method::define_allocator::<Factory>(super::val(class));
    class.define_private_method("initialize", m!(initialize, -1))?;
    class.define_private_method("initialize_copy", m!(initialize_copy, 1))?;
    class.define_private_method("take_types", m!(take_types, 1))?;
    class.define_method("freeze", m!(freeze, 0))?;
    class.define_method("packer", m!(make_packer, -1))?;
    class.define_method("unpacker", m!(make_unpacker, -1))?;
    class.define_private_method("dump_native", m!(dump, 2))?;
    class.define_private_method("load_native", m!(load, 2))?;
    class.define_method("dump_with", m!(dump_with, 2))?;
    class.define_method("load_with", m!(load_with, 2))?;
    class.define_singleton_method("option_flags", function!(option_flags, 1))?;
    class.define_private_method("register_type_internal", m!(register_type_internal, 3))?;
    class.define_private_method("registered_types_internal", m!(registered_types_internal, 0))?;
    let default = data::wrap(super::val(class), Factory { registry: Slot::empty() });
    ractor::share(default);
    msgpack.const_set("DefaultFactory", default.val().to_value())
}
