//! `MessagePack::Bigint`: the callables of an ext type for big integers.

use crate::{
    bridge::{call, names::names, number, string, Val},
    codec::bigint,
};
use magnus::{method as m, prelude::*, Error, RModule};

fn to_payload(_: Val, n: Val) -> Val {
    if n.is_integer() {
        return bigint::payload(n);
    }
    // What has not the methods of an Integer is refused in Ruby's words; a delegator has them.
    call::send_public(n, names().less, &[Val::small_int(0)]);
    call::send_public(n, names().bit_length, &[]);
    bigint::payload(number::to_integer(n))
}

fn from_payload(_: Val, payload: Val) -> Val {
    bigint::read(string::text(payload, &[names().unpack]))
}

/// msgpack/bigint makes them functions of its module, which is not there before.
pub fn init(msgpack: RModule) -> Result<(), Error> {
    msgpack.define_private_method("bigint_to_payload", m!(to_payload, 1))?;
    msgpack.define_private_method("bigint_from_payload", m!(from_payload, 1))
}
