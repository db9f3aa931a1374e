//! `MessagePack::ExtensionValue`: a Struct of an ext type's id and its payload.

use super::module_val;
use crate::bridge::{method, Val};
use magnus::RModule;

pub fn init(msgpack: RModule) -> Val {
    method::define_pair(module_val(msgpack), c"ExtensionValue", c"type", c"payload")
}
