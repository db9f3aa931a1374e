//! Arguments of native methods, and what magnus does not define.

use super::Val;
use magnus::Value;
use rb_sys::VALUE;
use std::ffi::CStr;

/// The arguments of a method of variable arity.
#[inline(always)]
pub fn vals(args: &[Value]) -> &[Val] {
    // SAFETY: both are one VALUE wide and hold live values.
    unsafe { std::slice::from_raw_parts(args.as_ptr() as *const Val, args.len()) }
}

/// A Ruby class whose objects are made in Rust.
pub trait Allocate {
    /// A new, empty object of the class. Memory only.
    fn allocate(class: Val) -> Val;
}

/// Defines `allocate` of a class.
pub fn define_allocator<T: Allocate>(class: Val) {
    unsafe extern "C" fn allocate<T: Allocate>(class: VALUE) -> VALUE {
        T::allocate(Val(class)).0
    }
    // SAFETY: a class; the function has the signature that Ruby calls.
    unsafe { rb_sys::rb_define_alloc_func(class.0, Some(allocate::<T>)) }
}

/// Makes `allocate` and `new` of a class fail.
pub fn undefine_allocator(class: Val) {
    // SAFETY: a class.
    unsafe { rb_sys::rb_undef_alloc_func(class.0) }
}

/// Makes a method unknown in a class, inherited or not.
pub fn undefine(class: Val, name: &CStr) {
    // SAFETY: a class and a C string.
    unsafe { rb_sys::rb_undef_method(class.0, name.as_ptr()) }
}

/// Gives a method of a class a second name.
pub fn alias(class: Val, new: &CStr, old: &CStr) {
    // SAFETY: a class and C strings.
    unsafe { rb_sys::rb_define_alias(class.0, new.as_ptr(), old.as_ptr()) }
}

/// Ruby's ArgumentError `wrong number of arguments (given N, expected MIN..MAX)`. Jumps.
#[cold]
pub fn wrong_arity(given: usize, min: i32, max: i32) -> ! {
    // SAFETY: raises.
    unsafe { rb_sys::rb_error_arity(given as i32, min, max) }
}

/// A Struct class with two members, as a constant of a module. Memory only; while loading.
pub fn define_pair(under: Val, name: &CStr, first: &CStr, second: &CStr) -> Val {
    // SAFETY: C strings, ended by a null pointer.
    unsafe {
        let end = std::ptr::null::<std::ffi::c_char>();
        Val(rb_sys::rb_struct_define_under(under.0, name.as_ptr(), first.as_ptr(), second.as_ptr(), end))
    }
}

const _: () = assert!(std::mem::size_of::<Value>() == std::mem::size_of::<Val>());
