//! Raising. Every function here *jumps* and never returns: the frames above must own nothing.

use super::{call, names::names, string, Val};

/// Raises an instance of `class` with this message. The message is copied into a Ruby string first.
#[cold]
pub fn with(class: Val, message: &str) -> ! {
    exception(call::new_exception(class, string::utf8(message.as_bytes())))
}

/// As [`with`], with text made up from `args`; the Rust string is gone before the jump.
#[cold]
pub fn fmt(class: Val, args: std::fmt::Arguments<'_>) -> ! {
    exception(new(class, args))
}

/// An exception with text made up from `args`. Memory only.
#[cold]
pub fn new(class: Val, args: std::fmt::Arguments<'_>) -> Val {
    let message = {
        let text = args.to_string();
        string::utf8(text.as_bytes())
    };
    call::new_exception(class, message)
}

/// Raises with a message that names the class of `v` between two pieces of text.
#[cold]
pub fn class_name_in(class: Val, before: &str, v: Val, after: &str) -> ! {
    let message = {
        let text = format!("{before}{}{after}", string::class_name(v));
        string::utf8(text.as_bytes())
    };
    exception(call::new_exception(class, message))
}

/// As [`class_name_in`], with nil, true and false named as such.
#[cold]
pub fn type_name_in(class: Val, before: &str, v: Val, after: &str) -> ! {
    let message = {
        let text = format!("{before}{}{after}", string::type_name(v));
        string::utf8(text.as_bytes())
    };
    exception(call::new_exception(class, message))
}

/// TypeError about the value of an option: `max_depth: wrong argument type String (expected Integer)`.
#[cold]
pub fn option_type(name: &str, v: Val, expected: &str) -> ! {
    let message = {
        let text = format!("{name}: wrong argument type {} (expected {expected})", string::type_name(v));
        string::utf8(text.as_bytes())
    };
    exception(call::new_exception(names().type_error, message))
}

#[cold]
pub fn exception(e: Val) -> ! {
    // SAFETY: `e` is an exception object; the caller's frames own nothing (this module's rule).
    unsafe { rb_sys::rb_exc_raise(e.0) }
}

/// Raises Ruby's own TypeError `wrong argument type X (expected Y)`.
#[cold]
pub fn unexpected_type(v: Val, expected: rb_sys::ruby_value_type) -> ! {
    // SAFETY: raises; as above.
    unsafe { rb_sys::rb_unexpected_type(v.0, expected as i32) }
}

/// Raises unless `v` is of the type; the message is Ruby's own.
#[inline]
pub fn check_type(v: Val, expected: rb_sys::ruby_value_type) {
    // SAFETY: `rb_check_type` raises or returns.
    unsafe { rb_sys::rb_check_type(v.0, expected as i32) }
}

pub fn check_string(v: Val) {
    if !v.is_string() {
        unexpected_type(v, rb_sys::ruby_value_type::RUBY_T_STRING)
    }
}

pub fn check_array(v: Val) {
    check_type(v, rb_sys::ruby_value_type::RUBY_T_ARRAY)
}

pub fn check_hash(v: Val) {
    check_type(v, rb_sys::ruby_value_type::RUBY_T_HASH)
}

pub fn check_struct(v: Val) {
    check_type(v, rb_sys::ruby_value_type::RUBY_T_STRUCT)
}

pub fn check_symbol(v: Val) {
    check_type(v, rb_sys::ruby_value_type::RUBY_T_SYMBOL)
}

/// `wrong argument type X (expected Integer)` unless `v` is an Integer.
pub fn check_integer(v: Val) {
    if !v.is_integer() {
        type_name_in(names().type_error, "wrong argument type ", v, " (expected Integer)")
    }
}

/// Machine-stack overflow that Ruby would meet a little later anyway.
#[cold]
pub fn stack_overflow() -> ! {
    with(names().system_stack_error, "stack level too deep")
}

/// Whether the machine stack (of this thread, fiber or Ractor) is nearly used up. Never raises.
#[inline]
pub fn stack_is_low() -> bool {
    // SAFETY: only compares addresses.
    unsafe { rb_sys::ruby_stack_check() != 0 }
}

/// FrozenError with this message about this object, if it is frozen. Jumps.
pub fn check_frozen(v: Val, message: &std::ffi::CStr) {
    if v.is_frozen() {
        // SAFETY: raises; the format has no conversions.
        unsafe { rb_sys::rb_frozen_error_raise(v.0, message.as_ptr()) }
    }
}
