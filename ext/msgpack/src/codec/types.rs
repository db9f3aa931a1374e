//! The Ruby classes of this library that the codec makes instances of.

use crate::bridge::{names::Fixed, Val};

#[derive(Clone, Copy)]
pub struct Types {
    pub packer: Val,
    pub unpacker: Val,
    pub buffer: Val,
    pub factory: Val,
    pub extension_value: Val,
    pub malformed_format_error: Val,
    pub stack_error: Val,
    pub unexpected_type_error: Val,
    pub unknown_ext_type_error: Val,
    pub unpack_error: Val,
    pub limit_error: Val,
}

/// Set once by `classes` while the library loads.
pub static TYPES: Fixed<Types> = Fixed::new();

#[inline(always)]
pub fn types() -> &'static Types {
    TYPES.get()
}
