//! What belongs to one Ractor (key caches, scratch memory), and the one thing that all share.

use super::{data::Data, data::Obj, key_cache::Cache, names::Fixed, Val};
use rb_sys::{rb_ractor_local_key_t, rb_ractor_local_storage_type, VALUE};
use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Memory of one Ractor, made at first use and freed with it. All-zero is its empty state.
#[repr(C)]
pub(super) struct Local {
    main: bool,
    pub strings: *mut Cache,
    pub symbols: *mut Cache,
    /// A hidden, empty String with room in it, or false. Taken out while in use.
    pub scratch: Val,
    /// Zeroed room for a value stack, or null. Taken out while in use.
    pub values: *mut VALUE,
    pub values_len: usize,
}

struct Key(rb_ractor_local_key_t);

struct StorageType(rb_ractor_local_storage_type);
// SAFETY: read-only.
unsafe impl Sync for StorageType {}

static STORAGE: StorageType = StorageType(rb_ractor_local_storage_type { mark: Some(mark), free: Some(free) });
static KEY: Fixed<Key> = Fixed::new();

unsafe extern "C" fn mark(p: *mut c_void) {
    // SAFETY: Ruby calls this with the pointer of `new_local`, and no Ractor runs meanwhile.
    unsafe {
        let l = &*(p as *const Local);
        if !l.scratch.is_none() {
            rb_sys::rb_gc_mark(l.scratch.0);
        }
        for cache in [l.strings, l.symbols] {
            if !cache.is_null() {
                (*cache).mark();
            }
        }
    }
}

unsafe extern "C" fn free(p: *mut c_void) {
    // SAFETY: the Ractor has ended; everything was allocated by `ruby_xcalloc`.
    unsafe {
        let l = &*(p as *const Local);
        for block in [l.strings as *mut c_void, l.symbols as *mut c_void, l.values as *mut c_void, p] {
            if !block.is_null() {
                rb_sys::ruby_xfree(block);
            }
        }
    }
}

/// Declares the library safe for Ractors and marks the calling one as the main one. Memory only; once, while loading.
pub fn load() {
    // SAFETY: the library loads in the main Ractor (Ruby takes a `require` of another one there).
    unsafe {
        rb_sys::rb_ext_ractor_safe(true);
        KEY.set(Key(rb_sys::rb_ractor_local_storage_ptr_newkey(&STORAGE.0)));
        (*local()).main = true;
    }
}

/// The calling Ractor's memory. Memory only. The pointer must not be kept over a call that may switch Ractors' threads;
/// fields are read and written one by one, never borrowed over a call.
#[inline]
pub(super) fn local() -> *mut Local {
    // SAFETY: `load` has set the key.
    let p = unsafe { rb_sys::rb_ractor_local_storage_ptr(KEY.get().0) };
    if p.is_null() {
        new_local()
    } else {
        p as *mut Local
    }
}

#[cold]
fn new_local() -> *mut Local {
    // SAFETY: zeroed memory is an empty `Local`; freed by `free`.
    unsafe {
        let p = rb_sys::ruby_xcalloc(1, std::mem::size_of::<Local>() as _);
        rb_sys::rb_ractor_local_storage_ptr_set(KEY.get().0, p);
        p as *mut Local
    }
}

/// Whether this is the main Ractor. Memory only.
pub fn is_main() -> bool {
    // SAFETY: see `local`.
    unsafe { (*local()).main }
}

/// The cache for `which` kind of keys of this Ractor, made at first use. Memory only.
pub(super) fn cache(symbols: bool) -> *mut Cache {
    let l = local();
    // SAFETY: see `local`; a zeroed `Cache` is an empty one.
    unsafe {
        let held = if symbols { (*l).symbols } else { (*l).strings };
        if !held.is_null() {
            return held;
        }
        let new = rb_sys::ruby_xcalloc(1, std::mem::size_of::<Cache>() as _) as *mut Cache;
        if symbols {
            (*l).symbols = new
        } else {
            (*l).strings = new
        }
        new
    }
}

/// The scratch String, taken out of its slot; false when there is none. Memory only.
pub(super) fn take_scratch() -> Val {
    let l = local();
    // SAFETY: see `local`.
    unsafe { std::mem::replace(&mut (*l).scratch, Val::NONE) }
}

pub(super) fn keep_scratch(s: Val) {
    let l = local();
    // SAFETY: see `local`.
    unsafe { (*l).scratch = s }
}

/// Room for a value stack, taken out: (null, 0) when there is none. Memory only.
pub(super) fn take_values() -> (*mut VALUE, usize) {
    let l = local();
    // SAFETY: see `local`.
    unsafe {
        let r = ((*l).values, (*l).values_len);
        (*l).values = null_mut();
        r
    }
}

/// Keeps zeroed room for the next user, if it is more than what is kept. Returns the block to free: this one, the one
/// kept so far, or null.
pub(super) fn keep_values(p: *mut VALUE, len: usize) -> *mut VALUE {
    let l = local();
    // SAFETY: see `local`.
    unsafe {
        if !(*l).values.is_null() && (*l).values_len >= len {
            return p;
        }
        (*l).values_len = len;
        std::mem::replace(&mut (*l).values, p)
    }
}

extern "C" {
    // Part of Ruby's ABI: the inline function `rb_ractor_shareable_p` of ruby/ractor.h calls it.
    fn rb_ractor_shareable_p_continue(obj: VALUE) -> bool;
}

/// Whether Ruby has noted already that `v` is shareable, as it has for classes. Never raises.
#[inline(always)]
pub fn is_known_shareable(v: Val) -> bool {
    v.is_special() || v.flags() & SHAREABLE != 0
}

/// `Ractor.shareable?(v)`. Memory only.
pub fn is_shareable(v: Val) -> bool {
    if is_known_shareable(v) {
        return true;
    }
    // SAFETY: only walks what `v` refers to.
    unsafe { rb_ractor_shareable_p_continue(v.0) }
}

const SHAREABLE: VALUE = rb_sys::ruby_fl_type::RUBY_FL_SHAREABLE as VALUE;

/// Lets every Ractor use this object although it is not frozen. Its data must be safe to read from all of them at
/// once, and it must mark nothing that is not shareable. Never raises.
pub fn share<T: Data>(o: Obj<T>) {
    // SAFETY: sets a flag of a live object; the caller answers for what it holds.
    unsafe { (*(o.val().0 as *mut rb_sys::RBasic)).flags |= SHAREABLE }
}

/// A place for one frozen object that all Ractors read and the main one replaces: the only mutable thing
/// of the process. A reader sees the old or the new object, whole.
pub struct Shared(AtomicUsize);

impl Shared {
    pub const fn new() -> Shared {
        Shared(AtomicUsize::new(0))
    }

    /// Makes the place a root of the collector. Once, while loading.
    pub fn register(&'static self) {
        // SAFETY: an AtomicUsize has the layout of a VALUE; the collector reads it while no Ractor runs.
        unsafe { rb_sys::rb_gc_register_address(self.0.as_ptr() as *mut VALUE) }
    }

    #[inline]
    pub fn get(&self) -> Val {
        Val(self.0.load(Ordering::Acquire) as VALUE)
    }

    pub fn set(&self, v: Val) {
        debug_assert!(is_main() && v.is_frozen());
        self.0.store(v.0 as usize, Ordering::Release);
    }
}

/// Keeps a value alive for the life of the process. Memory only.
pub fn keep_forever(v: Val) {
    // SAFETY: adds to Ruby's list of such objects.
    unsafe { rb_sys::rb_gc_register_mark_object(v.0) }
}

const _: () = assert!(std::mem::size_of::<AtomicUsize>() == std::mem::size_of::<VALUE>());
