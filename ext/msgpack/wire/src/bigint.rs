//! Integers of any size, as the gem's `MessagePack::Bigint` writes them.
//!
//! This is no part of the MessagePack specification, but a convention of the msgpack gems for Ruby; the application
//! chooses the type id.
//!
//! The payload is a byte for the sign, 0 or 1 for negative numbers, then the absolute value in words of 32 bits:
//! each big-endian, the least significant word first.

/// Bytes of a word.
pub const WORD: usize = 4;

/// How many bytes the payload of an absolute value of `words` words has, or `None` if a `usize` can't tell.
///
/// ```
/// assert_eq!(msgpack_wire::bigint::payload_len(2), Some(9));
/// ```
#[must_use]
pub fn payload_len(words: usize) -> Option<usize> {
    words.checked_mul(WORD)?.checked_add(1)
}

/// Turns each complete word around: what was written with the least significant byte first becomes what the payload
/// holds, and the other way round.
///
/// ```
/// let mut words = [1, 0, 0, 0, 2, 0, 0, 0];
/// msgpack_wire::bigint::turn(&mut words);
/// assert_eq!(words, [0, 0, 0, 1, 0, 0, 0, 2]);
/// ```
#[inline]
pub fn turn(words: &mut [u8]) {
    for word in words.chunks_exact_mut(WORD) {
        word.reverse();
    }
}

/// Whether the number is negative, and the words of its absolute value. Each byte but 0 means negative; a payload
/// without a byte is 0; bytes that don't make a whole word are left out.
///
/// ```
/// assert_eq!(msgpack_wire::bigint::split(&[2, 0, 0, 0, 5, 6]), (true, &[0, 0, 0, 5][..]));
/// ```
#[must_use]
#[inline]
pub fn split(payload: &[u8]) -> (bool, &[u8]) {
    match payload.split_first() {
        Some((&sign, rest)) => (sign != 0, &rest[..rest.len() - rest.len() % WORD]),
        None => (false, payload),
    }
}
