//! What becomes of an ext value that was read.

use super::{
    fail::Fail,
    options::UnpackOptions,
    registry::{Callable, Registry},
    types::types,
};
use crate::bridge::{array, call, string, Val};

pub enum Action {
    /// The payload is the name of a Symbol.
    Symbol,
    /// The payload goes to this.
    Call(Callable),
    /// This reads the payload from the unpacker.
    CallRecursively(Callable),
    /// Id and payload are kept as they are.
    Keep,
    Refuse(Fail),
}

/// Memory only.
#[inline]
pub fn action(registry: &Registry, options: UnpackOptions, type_id: i8) -> Action {
    match registry.unpack_type(type_id) {
        Some(t) if t.optimized_symbol => Action::Symbol,
        Some(t) if !t.side.callable.is_none() => {
            if !t.side.usable_here() {
                Action::Refuse(Fail::Unshareable { type_id, class: t.class })
            } else if t.recursive {
                Action::CallRecursively(t.side.callable)
            } else {
                Action::Call(t.side.callable)
            }
        }
        _ if options.allow_unknown_ext => Action::Keep,
        _ => Action::Refuse(Fail::UnknownExt),
    }
}

/// The Symbol that a payload names. Memory only.
pub fn symbol(payload: &[u8]) -> Result<Val, Fail> {
    let name = string::interned_utf8(payload);
    if string::is_broken(name) {
        return Err(Fail::BadSymbol(name));
    }
    Ok(string::to_symbol(name))
}

/// An ExtensionValue. Memory only.
pub fn keep(type_id: i8, payload: Val, freeze: bool) -> Val {
    let v = call::new_pair(types().extension_value, Val::small_int(type_id as i64), payload);
    if freeze {
        array::freeze(v);
    }
    v
}

/// With `freeze`, freezes what a callable returned, without calling its `freeze`; classes and modules stay as they are.
pub fn result(v: Val, freeze: bool) -> Val {
    if freeze && !v.is_special() && !v.is_module() {
        array::freeze(v);
    }
    v
}
