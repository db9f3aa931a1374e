//! Arrays: length, elements, making.

use super::Val;
use rb_sys::{RARRAY_CONST_PTR, RARRAY_LEN, VALUE};

/// Never raises.
#[inline(always)]
pub fn len(a: Val) -> usize {
    debug_assert!(a.is_array());
    // SAFETY: `a` is an Array.
    unsafe { RARRAY_LEN(a.0) as usize }
}

/// The element, or nil behind the end. Never raises.
#[inline(always)]
pub fn get(a: Val, i: usize) -> Val {
    if i < len(a) {
        // SAFETY: in range; the pointer is read anew at each call, so changes of the Array do no harm.
        unsafe { Val(*RARRAY_CONST_PTR(a.0).add(i)) }
    } else {
        Val::NIL
    }
}

/// The elements from `from` on, at most `max`. The slice must not outlive the next call into Ruby.
#[inline(always)]
pub fn with_slice<R>(a: Val, from: usize, max: usize, f: impl FnOnce(&[Val]) -> R) -> R {
    let n = len(a).saturating_sub(from).min(max);
    // SAFETY: in range; `Val` has the layout of VALUE; `f` runs no user code (this function's rule).
    f(unsafe {
        std::slice::from_raw_parts((RARRAY_CONST_PTR(a.0) as *const Val).add(if n == 0 { 0 } else { from }), n)
    })
}

/// Memory only.
pub fn new() -> Val {
    // SAFETY: allocates.
    Val(unsafe { rb_sys::rb_ary_new() })
}

/// An Array that Ruby code can't find by way of ObjectSpace. Memory only.
pub fn hidden() -> Val {
    // SAFETY: allocates; an object without class is one of the collector's own to everyone else.
    Val(unsafe { rb_sys::rb_obj_hide(rb_sys::rb_ary_new()) })
}

/// Memory only.
#[inline(always)]
pub fn from_slice(values: &[Val]) -> Val {
    // SAFETY: copies the values, which stay where the collector sees them; `Val` has the layout of VALUE.
    Val(unsafe { rb_sys::rb_ary_new_from_values(values.len() as _, values.as_ptr() as *const VALUE) })
}

/// Memory only, for an Array of our own.
pub fn push(a: Val, v: Val) {
    // SAFETY: `a` is not frozen.
    unsafe { rb_sys::rb_ary_push(a.0, v.0) };
}

/// Puts an element before the first. Memory only, for an Array of our own.
pub fn unshift(a: Val, v: Val) {
    // SAFETY: `a` is not frozen.
    unsafe { rb_sys::rb_ary_unshift(a.0, v.0) };
}

/// The first element, taken out; nil when empty. Memory only, for an Array of our own.
pub fn shift(a: Val) -> Val {
    // SAFETY: `a` is not frozen.
    Val(unsafe { rb_sys::rb_ary_shift(a.0) })
}

/// Freezes without calling `freeze`. Never raises.
pub fn freeze(v: Val) -> Val {
    // SAFETY: sets a flag.
    Val(unsafe { rb_sys::rb_obj_freeze(v.0) })
}
