//! MessagePack for Ruby.
//!
//! Layers, each using only those below it: `classes` (one file a Ruby class) → `codec` (encoder, decoder, buffer,
//! ext types) → `bridge` (Ruby; the only unsafe code) and the crate `msgpack_wire` (the format; no Ruby).
#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod bridge;
mod classes;
mod codec;

use magnus::{Error, Ruby};

#[magnus::init(name = "msgpack")]
fn init(ruby: &Ruby) -> Result<(), Error> {
    bridge::names::load();
    bridge::ractor::load();
    classes::init(ruby)
}
