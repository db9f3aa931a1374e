//! `MessagePack::Unpacker`.

use super::{buffer, io_arguments::IoArguments};
use crate::{
    bridge::{
        array, call,
        data::{self, Obj},
        hash, method,
        names::names,
        raise, string, Val,
    },
    codec::{
        fail::{self, Fail},
        options::{UnpackOptions, UnpackSettings},
        registry::{self, Callable, Registry, Side, UnpackType},
        types::types,
        unpacker::{self, or_raise, UnpackCore},
    },
};
use magnus::{method as m, prelude::*, Error, RClass, Value};

struct Unpacker;

impl method::Allocate for Unpacker {
    fn allocate(class: Val) -> Val {
        unpacker::allocate(class, registry::empty(), UnpackOptions::default()).val()
    }
}

#[inline(always)]
fn core(unpacker: Val) -> Obj<UnpackCore> {
    data::get::<UnpackCore>(unpacker)
}

fn configure(u: Obj<UnpackCore>, args: IoArguments) {
    if !args.options.is_nil() {
        u.configure(UnpackSettings::from_hash(args.options, u.buffer.sizes()));
    }
    if !args.io.is_nil() {
        u.buffer.port.attach(args.io);
    }
}

/// An unpacker with the types of a registry. Jumps.
pub fn new(registry: Obj<Registry>, args: IoArguments) -> Obj<UnpackCore> {
    let u = unpacker::allocate(types().unpacker, registry, UnpackOptions::default());
    configure(u, args);
    u
}

fn initialize(this: Val, args: &[Value]) -> Val {
    configure(core(this), IoArguments::of_unpacker(method::vals(args)));
    this
}

/// Ractors copy an object by this method.
fn initialize_copy(this: Val, _: Val) -> Val {
    raise::class_name_in(names().type_error, "can not copy ", this, " object.")
}

fn symbolize_keys(this: Val) -> bool {
    core(this).options().symbolize_keys
}

fn freeze_option(this: Val) -> bool {
    core(this).options().freeze
}

fn allow_unknown_ext(this: Val) -> bool {
    core(this).options().allow_unknown_ext
}

// ---- reading ----

/// Runs a reading call; its failure is raised. Jumps.
#[inline(always)]
fn attempt<T>(this: Val, f: impl FnOnce(Obj<UnpackCore>) -> Result<T, Fail>) -> T {
    let u = core(this);
    or_raise(u, f(u))
}

fn feed(this: Val, data: Val) -> Val {
    core(this).buffer.feed(string::coerce(data));
    this
}

fn read(this: Val) -> Val {
    attempt(this, unpacker::read)
}

fn skip(this: Val) -> Val {
    attempt(this, unpacker::skip);
    Val::NIL
}

fn skip_nil(this: Val) -> bool {
    attempt(this, unpacker::skip_nil)
}

fn read_array_header(this: Val) -> u32 {
    attempt(this, |u| unpacker::read_header(u, false))
}

fn read_map_header(this: Val) -> u32 {
    attempt(this, |u| unpacker::read_header(u, true))
}

/// Reads one object; more bytes behind it are an error. Jumps.
pub fn full_unpack(this: Val) -> Val {
    attempt(this, unpacker::full_unpack)
}

fn each(this: Val) -> Val {
    if !call::block_given() {
        return call::enumerator(this, names().each, &[]);
    }
    yield_all(this)
}

fn feed_each(this: Val, data: Val) -> Val {
    if !call::block_given() {
        return call::enumerator(this, names().feed_each, &[data]);
    }
    let data = string::coerce(data);
    let u = core(this);
    or_raise(u, u.check_caller());
    u.buffer.feed(data);
    yield_all(this)
}

fn yield_all(this: Val) -> Val {
    let u = core(this);
    while let Some(v) = or_raise(u, unpacker::read_next(u)) {
        call::yield_value(v);
    }
    Val::NIL
}

fn reset(this: Val) -> Val {
    core(this).reset();
    Val::NIL
}

fn view(this: Val) -> Val {
    buffer::view(this, &core(this).view)
}

// ---- ext types ----

fn register_type_internal(this: Val, type_id: Val, class: Val, callable: Val) -> Val {
    raise::check_frozen(this, c"can't modify frozen MessagePack::Unpacker");
    let type_id = fail::ext_type_id(type_id);
    let callable = match Callable::from_ruby(callable) {
        // A Symbol names a method of the class.
        Callable::Send(id) => Callable::Method(class, id),
        other => other,
    };
    let side = Side::new(callable);
    let new = UnpackType { class, type_id, side, recursive: false, optimized_symbol: false };
    let u = core(this);
    u.set_registry(registry::extended(u.registry(), None, Some(new)));
    Val::NIL
}

/// `{type => [class, callable, flags]}`.
pub fn unpack_types(unpacks: &[UnpackType]) -> Val {
    let h = hash::new();
    for t in unpacks {
        let callable = if t.side.usable_here() { t.side.callable.to_ruby() } else { Val::NIL };
        let flags = t.recursive as i64 | (t.optimized_symbol as i64) << 2;
        hash::set(h, Val::small_int(t.type_id as i64), array::from_slice(&[t.class, callable, Val::small_int(flags)]));
    }
    h
}

fn registered_types_internal(this: Val) -> Val {
    let registry = core(this).registry();
    let types = unpack_types(registry.unpacks());
    registry.keep();
    types
}

pub fn init(class: RClass) -> Result<(), Error> {
    method::define_allocator::<Unpacker>(super::val(class));
    method::undefine(super::val(class), c"dup");
    method::undefine(super::val(class), c"clone");
    class.define_private_method("initialize", m!(initialize, -1))?;
    class.define_private_method("initialize_copy", m!(initialize_copy, 1))?;
    class.define_method("symbolize_keys?", m!(symbolize_keys, 0))?;
    class.define_method("freeze?", m!(freeze_option, 0))?;
    class.define_method("allow_unknown_ext?", m!(allow_unknown_ext, 0))?;
    class.define_method("feed", m!(feed, 1))?;
    class.define_alias("feed_reference", "feed")?;
    class.define_method("read", m!(read, 0))?;
    class.define_alias("unpack", "read")?;
    class.define_method("skip", m!(skip, 0))?;
    class.define_method("skip_nil", m!(skip_nil, 0))?;
    class.define_method("read_array_header", m!(read_array_header, 0))?;
    class.define_method("read_map_header", m!(read_map_header, 0))?;
    class.define_method("full_unpack", m!(full_unpack, 0))?;
    class.define_method("each", m!(each, 0))?;
    class.define_method("feed_each", m!(feed_each, 1))?;
    class.define_method("reset", m!(reset, 0))?;
    class.define_method("buffer", m!(view, 0))?;
    class.define_private_method("register_type_internal", m!(register_type_internal, 3))?;
    class.define_private_method("registered_types_internal", m!(registered_types_internal, 0))?;
    Ok(())
}
