//! `MessagePack::Timestamp` and `MessagePack::Time`: the timestamp type, as an object and as a `::Time`.

use crate::{
    bridge::{call, names::names, number, raise, string, time, Val},
    codec::{timestamp, types::types},
};
use magnus::{method as m, prelude::*, Error, RClass, RModule};

/// Numbers that don't fit and objects that are no Integers are the business of the Ruby half.
fn to_msgpack_ext(class: Val, sec: Val, nsec: Val) -> Val {
    match timestamp::payload(sec, nsec) {
        Some(payload) => payload,
        None => call::send(class, names().other_payload, &[sec, nsec]),
    }
}

fn from_msgpack_ext(class: Val, payload: Val) -> Val {
    let (sec, nsec) = read(payload);
    call::send(class, names().new, &[number::from_i64(sec), number::from_i32_range(i64::from(nsec))])
}

/// Jumps.
fn read(payload: Val) -> (i64, u32) {
    let payload = string::text(payload, &[names().length, names().unpack]);
    match timestamp::read(payload) {
        Some(numbers) => numbers,
        None => raise::fmt(
            types().malformed_format_error,
            format_args!("Invalid timestamp data size: {}", string::chars(payload)),
        ),
    }
}

fn time(_: Val, payload: Val) -> Val {
    let (sec, nsec) = read(payload);
    time::at(sec, nsec)
}

pub fn init(msgpack: RModule, timestamp: RClass) -> Result<(), Error> {
    timestamp.define_singleton_method("to_msgpack_ext", m!(to_msgpack_ext, 2))?;
    timestamp.define_singleton_method("from_msgpack_ext", m!(from_msgpack_ext, 1))?;
    msgpack.define_module("Time")?.define_singleton_method("from_payload", m!(time, 1))
}
