//! Hashes: walking, looking up, making.

use super::{names::names, Val};
use rb_sys::VALUE;
use std::{ffi::c_int, mem::MaybeUninit};

const CONTINUE: c_int = 0;
const STOP: c_int = 1;

/// Number of entries. Never raises.
#[inline(always)]
pub fn len(h: Val) -> usize {
    debug_assert!(h.is_hash());
    // SAFETY: `h` is a Hash.
    unsafe { rb_sys::rb_hash_size_num(h.0) as usize }
}

/// Calls `f(key, value)` for each entry until it answers false. Jumps: `f` may raise or run user code, so
/// neither `f` nor the frames above may own anything; adding keys meanwhile raises.
#[inline(always)]
pub fn each<F: FnMut(Val, Val) -> bool>(h: Val, f: &mut F) {
    extern "C" fn entry<F: FnMut(Val, Val) -> bool>(k: VALUE, v: VALUE, f: VALUE) -> c_int {
        // SAFETY: `f` is the address given below; the call to `rb_hash_foreach` holds the only other use.
        let f = unsafe { &mut *(f as *mut F) };
        if f(Val(k), Val(v)) {
            CONTINUE
        } else {
            STOP
        }
    }
    // SAFETY: `entry` gets back the pointer that is handed over here.
    unsafe {
        rb_sys::rb_hash_foreach(
            h.0,
            Some(std::mem::transmute::<
                extern "C" fn(VALUE, VALUE, VALUE) -> c_int,
                unsafe extern "C" fn(VALUE, VALUE, VALUE) -> c_int,
            >(entry::<F>)),
            f as *mut F as VALUE,
        )
    }
}

/// `rb_hash_stlike_foreach(hash, entry, argument)`: a walk that neither marks the Hash as iterated nor undoes that by
/// `rb_ensure`, so it must not run user code; for a map of two it is a third of the cost. Ruby exports it for its own
/// extensions and declares it in no public header: where it is missing, the public walk is taken.
pub(super) type Walk = unsafe extern "C" fn(VALUE, extern "C" fn(VALUE, VALUE, VALUE) -> c_int, VALUE) -> c_int;

/// Looked up while the library loads.
pub(super) fn find_walk() -> Option<Walk> {
    #[cfg(unix)]
    {
        // SAFETY: a look-up by name. Since 2.7 the function has been what `Walk` says.
        unsafe {
            let found = libc::dlsym(libc::RTLD_DEFAULT, c"rb_hash_stlike_foreach".as_ptr());
            (!found.is_null()).then(|| std::mem::transmute::<*mut libc::c_void, Walk>(found))
        }
    }
    #[cfg(not(unix))]
    None
}

/// Room for the entries of a Hash in a frame of the machine stack, where the collector sees them.
pub struct Entries<const N: usize> {
    pairs: [MaybeUninit<(Val, Val)>; N],
    len: usize,
}

impl<const N: usize> Entries<N> {
    #[inline(always)]
    pub fn new() -> Self {
        Entries { pairs: [MaybeUninit::uninit(); N], len: 0 }
    }

    /// The entries of a Hash that has `N` at most; None if there is no way to copy them. Never raises, runs no
    /// user code.
    #[inline(always)]
    pub fn of(&mut self, h: Val) -> Option<&[(Val, Val)]> {
        extern "C" fn entry<const N: usize>(k: VALUE, v: VALUE, to: VALUE) -> c_int {
            // SAFETY: `to` is the address given below; the walk holds the only other use.
            let to = unsafe { &mut *(to as *mut Entries<N>) };
            match to.pairs.get_mut(to.len) {
                Some(place) => {
                    place.write((Val(k), Val(v)));
                    to.len += 1;
                    CONTINUE
                }
                None => STOP,
            }
        }
        debug_assert!(h.is_hash() && len(h) <= N);
        let walk = names().hash_walk?;
        self.len = 0;
        // SAFETY: `h` is a Hash, nothing changes it meanwhile; `entry` gets back the pointer that is handed over here.
        unsafe { walk(h.0, entry::<N>, self as *mut Self as VALUE) };
        // SAFETY: the first `len` pairs are written.
        Some(unsafe { &*(&self.pairs[..self.len] as *const [MaybeUninit<(Val, Val)>] as *const [(Val, Val)]) })
    }
}

/// Memory only.
pub fn new() -> Val {
    // SAFETY: allocates.
    Val(unsafe { rb_sys::rb_hash_new() })
}

/// A Hash of `pairs` (key, value, key, value…; even length): of equal keys the last value wins, at the first
/// one's place. Memory only if the keys are Strings, Symbols, Fixnums, Flonums, nil or booleans; else it *jumps* (`hash`, `eql?`).
#[inline(always)]
pub fn from_pairs(pairs: &[Val]) -> Val {
    // Ruby reads pairs, whatever the number says.
    assert!(pairs.len() % 2 == 0);
    // SAFETY: a fresh Hash that no one iterates; the values stay where the collector sees them.
    unsafe {
        #[cfg(ruby_gte_3_2)]
        let h = rb_sys::rb_hash_new_capa((pairs.len() / 2) as _);
        #[cfg(not(ruby_gte_3_2))]
        let h = rb_sys::rb_hash_new();
        rb_sys::rb_hash_bulk_insert(pairs.len() as _, pairs.as_ptr() as *const VALUE, h);
        Val(h)
    }
}

/// `h[k] = v`. Jumps for keys with a `hash` of their own.
pub fn set(h: Val, k: Val, v: Val) {
    // SAFETY: raises or returns.
    unsafe { rb_sys::rb_hash_aset(h.0, k.0, v.0) };
}

/// `h[k]`, default procs included. Jumps.
pub fn get(h: Val, k: Val) -> Val {
    // SAFETY: raises or returns.
    Val(unsafe { rb_sys::rb_hash_aref(h.0, k.0) })
}
