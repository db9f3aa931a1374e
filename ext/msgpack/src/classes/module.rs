//! What stands behind `MessagePack.load` and `dump`, and behind those of factories.

use super::{
    io_arguments::IoArguments,
    packer,
    unpacker::{self, full_unpack},
};
use crate::{
    bridge::{data::Obj, Val},
    codec::{
        one_shot,
        options::{self, Sizes, UnpackOptions, UnpackSettings},
        packer as pack,
        registry::{self, Registry},
    },
};
use magnus::{method as m, prelude::*, Error, RModule};

/// `v` to the IO, or to a String. `to` are an IO and options, each of which may be nil. Jumps.
#[inline(always)]
pub fn dump_with(registry: Obj<Registry>, v: Val, to: &[Val]) -> Val {
    if to.iter().all(|arg| arg.is_nil()) {
        return one_shot::pack(v, registry, false);
    }
    dump_to(registry, v, to)
}

#[inline(never)]
fn dump_to(registry: Obj<Registry>, v: Val, to: &[Val]) -> Val {
    let to = IoArguments::of_packer(to);
    if to.io.is_nil() {
        let compatibility = !to.options.is_nil() && options::compatibility_mode(to.options);
        if !to.options.is_nil() {
            Sizes::DEFAULT.with_options(to.options);
        }
        return one_shot::pack(v, registry, compatibility);
    }
    let pk = packer::new(registry, to);
    pack::write(pk, |e| e.value(v));
    pk.buffer.flush();
    Val::NIL
}

/// The one object of a String or an IO. `param` is nil, options, or for a String an IO behind it. Jumps.
#[inline(always)]
pub fn load_with(registry: Obj<Registry>, source: Val, param: Val) -> Val {
    if source.is_string() && param.is_nil() {
        return one_shot::unpack(source, registry, UnpackOptions::default(), None);
    }
    load_from(registry, source, param)
}

#[inline(never)]
fn load_from(registry: Obj<Registry>, source: Val, param: Val) -> Val {
    if !source.is_string() {
        let u = if param.is_nil() {
            unpacker::new(registry, IoArguments { io: source, options: Val::NIL })
        } else {
            unpacker::new(registry, IoArguments::of_unpacker(&[source, param]))
        };
        return full_unpack(u.val());
    }
    if param.is_hash() {
        let settings = UnpackSettings::from_hash(param, Sizes::DEFAULT);
        return one_shot::unpack(source, registry, settings.options, settings.limits);
    }
    let u = unpacker::new(registry, IoArguments { io: param, options: Val::NIL });
    u.buffer.feed(source);
    full_unpack(u.val())
}

fn dump(_: Val, v: Val, io: Val, options: Val) -> Val {
    dump_with(registry::default(), v, &[io, options])
}

fn load(_: Val, source: Val, param: Val) -> Val {
    load_with(registry::default(), source, param)
}

/// The Ruby layer gives these their public names and optional arguments.
pub fn init(msgpack: RModule) -> Result<(), Error> {
    let singleton = msgpack.singleton_class()?;
    singleton.define_private_method("dump_native", m!(dump, 3))?;
    singleton.define_private_method("load_native", m!(load, 2))?;
    msgpack.define_private_method("dump_native", m!(dump, 3))?;
    msgpack.define_private_method("load_native", m!(load, 2))
}
