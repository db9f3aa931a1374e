//! `MessagePack::Callable`, which no application sees: the forms in which what it registers for an ext type is kept.
//!
//! * `nil`: nothing for this direction,
//! * a Symbol: a method of the object to pack,
//! * a frozen `[receiver, name]`: that method of that receiver,
//! * a Proc, or any other object that answers to `call`.
//!
//! Names are kept as names, not as procs: they are shareable with other Ractors whenever the receiver is, on every Ruby.

use crate::bridge::{array, call, names::names, raise, string, Val};
use magnus::{method as m, prelude::*, Error, RModule};

fn is_proc(v: Val) -> bool {
    call::kind_of(v, names().proc_)
}

fn is_method(v: Val) -> bool {
    call::kind_of(v, names().method)
}

/// The kept form of a `:packer` option; TypeError for what is no callable.
fn packer(_: Val, v: Val) -> Val {
    if v.is_nil() || v.is_symbol() || is_proc(v) {
        v
    } else if v.is_string() {
        string::to_symbol(v)
    } else {
        other(v, "packer")
    }
}

/// The kept form of an `:unpacker` option. A name is that of a method of `class`; NameError if it has none.
fn unpacker(this: Val, v: Val, class: Val) -> Val {
    if v.is_nil() || is_proc(v) {
        v
    } else if v.is_symbol() || v.is_string() {
        method_of(this, class, v)
    } else {
        other(v, "unpacker")
    }
}

fn other(v: Val, option: &str) -> Val {
    if is_method(v) {
        return method_object(v, v);
    }
    if call::responds_to(v, names().call) {
        return v;
    }
    let inspected = string::text_of(v, true);
    let error = string::with_bytes(inspected, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        raise::new(names().type_error, format_args!("expected :{option} argument to be a callable object, got: {text}"))
    });
    raise::exception(error)
}

/// A receiver's method; NameError if it has none of that name.
fn method_of(_: Val, receiver: Val, name: Val) -> Val {
    let n = names();
    if !call::send_public(receiver, n.respond_to, &[name, Val::TRUE]).truthy() {
        // Looking for the Method makes one; it is only wanted for the error it raises.
        call::send_public(receiver, n.method_id, &[name]);
    }
    pair(receiver, call::send_public(name, n.to_sym, &[]))
}

fn pair(receiver: Val, name: Val) -> Val {
    array::freeze(array::from_slice(&[receiver, name]))
}

/// A Method as receiver and name where they find the same method again, which one behind `super_method` or one
/// redefined since does not; else the Method itself.
fn method_object(_: Val, method: Val) -> Val {
    let n = names();
    let receiver = call::send_public(method, n.receiver, &[]);
    let name = call::send_public(method, n.name, &[]);
    let found = match call::protect(|| call::send_public(receiver, n.method_id, &[name])) {
        Ok(found) => found,
        Err(jump) => {
            let e = jump.exception();
            if !call::kind_of(e, n.name_error) && !call::kind_of(e, n.arg_error) {
                jump.resume();
            }
            jump.forget();
            Val::NIL
        }
    };
    if call::send_public(found, n.equal, &[method]).truthy() {
        pair(receiver, name)
    } else {
        method
    }
}

/// The callable as `registered_types` shows it.
fn to_proc(_: Val, v: Val) -> Val {
    let n = names();
    if v.is_nil() || is_proc(v) {
        return v;
    }
    let callable = if v.is_symbol() || is_method(v) {
        v
    } else if v.is_array() {
        call::send_public(array::get(v, 0), n.method_id, &[array::get(v, 1)])
    } else {
        call::send_public(v, n.method_id, &[call::symbol_of(n.call)])
    };
    call::send_public(callable, n.to_proc, &[])
}

pub fn init(msgpack: RModule) -> Result<(), Error> {
    let callable = msgpack.define_module("Callable")?;
    callable.define_singleton_method("packer", m!(packer, 1))?;
    callable.define_singleton_method("unpacker", m!(unpacker, 2))?;
    callable.define_singleton_method("method_of", m!(method_of, 2))?;
    callable.define_singleton_method("method_object", m!(method_object, 1))?;
    callable.define_singleton_method("to_proc", m!(to_proc, 1))
}
