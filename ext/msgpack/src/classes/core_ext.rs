//! What core classes get from this library: how each packs itself, and the ext type of Symbols.

use super::val;
use crate::bridge::{call, method, names::names, string, Val};
use magnus::{method as m, prelude::*, Error, RModule, Ruby};

/// Asks the packer to write a core object by the method of its format, and gives the packer back.
fn write_core_object(v: Val, packer: Val) -> Val {
    let n = names();
    let (name, arguments) = match v {
        Val::NIL => (n.write_nil, 0),
        Val::TRUE => (n.write_true, 0),
        Val::FALSE => (n.write_false, 0),
        v if v.is_integer() => (n.write_int, 1),
        v if v.is_float() => (n.write_float, 1),
        v if v.is_symbol() => (n.write_symbol, 1),
        v if v.is_string() => (n.write_string, 1),
        v if v.is_array() => (n.write_array, 1),
        _ => (n.write_hash, 1),
    };
    call::send_public(packer, name, &[v][..arguments]);
    packer
}

fn symbol_from_msgpack_ext(_: Val, name: Val) -> Val {
    let name = string::text(name, &[names().force_encoding]);
    string::check_mutable(name);
    string::set_utf8(name);
    if string::is_broken(name) {
        string::set_binary(name);
    }
    string::to_symbol(name)
}

/// msgpack/core_ext makes `write_core_object` a method of each core class.
pub fn init(ruby: &Ruby, msgpack: RModule) -> Result<(), Error> {
    msgpack.define_private_method("write_core_object", m!(write_core_object, 1))?;
    let symbol = ruby.class_symbol();
    method::alias(val(symbol), c"to_msgpack_ext", c"name");
    symbol.define_singleton_method("from_msgpack_ext", m!(symbol_from_msgpack_ext, 1))
}
