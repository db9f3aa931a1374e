//! Timestamps as payloads, and back.

use crate::bridge::{
    number::{self, Int},
    string, Val,
};
use msgpack_wire::timestamp::Timestamp;

/// The payload of seconds and nanoseconds, if both are Integers that fit. Memory only.
pub fn payload(sec: Val, nsec: Val) -> Option<Val> {
    if !(sec.is_integer() && nsec.is_integer()) {
        return None;
    }
    let sec = match number::int(sec) {
        Int::Unsigned(n) => i64::try_from(n).ok()?,
        Int::Negative(n) => n,
        Int::Oversized => return None,
    };
    let Int::Unsigned(nsec) = number::int(nsec) else { return None };
    let payload = Timestamp { sec, nsec: u32::try_from(nsec).ok()? }.encode().ok()?;
    Some(string::binary(payload.as_bytes()))
}

/// Seconds and nanoseconds of a payload, a String, if its size is that of one. Never raises.
pub fn read(payload: Val) -> Option<(i64, u32)> {
    let Timestamp { sec, nsec } = string::with_bytes(payload, Timestamp::decode).ok()?;
    Some((sec, nsec))
}
