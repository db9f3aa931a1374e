//! `MessagePack::Bigint`: the callables of an ext type for big integers.

use crate::{
    bridge::{call, names::names, number, string, Val},
    codec::bigint,
};
use magnus::{method as m, prelude::*, Error, RModule};

fn to_msgpack_ext(_: Val, n: Val) -> Val {
    if n.is_integer() {
        return bigint::payload(n);
    }
    // What has not the methods of an Integer is refused in Ruby's words; a delegator has them.
    call::send_public(n, names().bit_length, &[]);
    bigint::payload(number::to_integer(n))
}

fn from_msgpack_ext(_: Val, payload: Val) -> Val {
    if payload.is_string() {
        return bigint::read(payload);
    }
    call::send_public(payload, names().bytesize, &[]);
    bigint::read(string::coerce(payload))
}

/// Makes the module, which only `require "msgpack/bigint"` asks for.
fn define(msgpack: RModule) -> Result<(), Error> {
    let bigint = msgpack.define_module("Bigint")?;
    bigint.define_module_function("to_msgpack_ext", m!(to_msgpack_ext, 1))?;
    bigint.define_module_function("from_msgpack_ext", m!(from_msgpack_ext, 1))
}

pub fn init(msgpack: RModule) -> Result<(), Error> {
    msgpack.singleton_class()?.define_private_method("define_bigint", m!(define, 0))
}
