//! Integers of any size as payloads of an ext type, and back.

use crate::bridge::{number, string, Val};
use msgpack_wire::bigint;

/// The payload of an Integer. Memory only.
pub fn payload(n: Val) -> Val {
    let words = number::magnitude_len(n).div_ceil(bigint::WORD);
    // An Integer fills less than the memory there is, so the length is always told.
    string::filled(bigint::payload_len(words).unwrap_or(usize::MAX), |bytes| {
        if let Some((sign, words)) = bytes.split_first_mut() {
            *sign = u8::from(number::magnitude(n, words));
            bigint::turn(words);
        }
    })
}

/// The Integer of a payload, a String. Memory only.
pub fn read(payload: Val) -> Val {
    string::with_bytes(payload, |bytes| {
        let (negative, words) = bigint::split(bytes);
        number::from_words(words, negative)
    })
}
