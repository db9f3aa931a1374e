//! The Ruby classes: one file each, with its methods and, last, their definition.

mod bigint;
mod buffer;
mod callable;
mod core_ext;
mod errors;
mod extension_value;
mod factory;
mod io_arguments;
mod module;
mod packer;
mod timestamp;
mod unpacker;

use crate::{
    bridge::{ractor, Val},
    codec::{
        registry,
        types::{Types, TYPES},
    },
};
use magnus::{prelude::*, Error, RClass, RModule, Ruby};

/// Defines everything under `MessagePack`.
pub fn init(ruby: &Ruby) -> Result<(), Error> {
    let msgpack = ruby.define_module("MessagePack")?;
    registry::load();
    registry::load_default();
    let errors = errors::init(ruby, msgpack)?;
    let extension_value = extension_value::init(msgpack);
    let [packer, unpacker, buffer, factory, timestamp] = ["Packer", "Unpacker", "Buffer", "Factory", "Timestamp"]
        .map(|name| msgpack.define_class(name, ruby.class_object()));
    let (packer, unpacker, buffer, factory, timestamp) = (packer?, unpacker?, buffer?, factory?, timestamp?);
    let types = Types {
        packer: val(packer),
        unpacker: val(unpacker),
        buffer: val(buffer),
        factory: val(factory),
        extension_value,
        malformed_format_error: errors.malformed_format,
        stack_error: errors.stack,
        unexpected_type_error: errors.unexpected_type,
        unknown_ext_type_error: errors.unknown_ext_type,
        unpack_error: errors.unpack,
        limit_error: errors.limit,
    };
    for class in [types.packer, types.unpacker, types.buffer, types.factory, extension_value] {
        ractor::keep_forever(class);
    }
    TYPES.set(types);
    buffer::init(buffer)?;
    packer::init(packer)?;
    unpacker::init(unpacker)?;
    factory::init(msgpack, factory)?;
    timestamp::init(msgpack, timestamp)?;
    bigint::init(msgpack)?;
    callable::init(msgpack)?;
    core_ext::init(ruby, msgpack)?;
    module::init(msgpack)
}

fn val(class: RClass) -> Val {
    Val::from_value(class.as_value())
}

fn module_val(module: RModule) -> Val {
    Val::from_value(module.as_value())
}
