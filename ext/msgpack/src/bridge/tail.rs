//! [`Tail`]: bytes that grow at their end, in a String hidden from Ruby, so that the collector owns the memory and
//! knows its size. Once sealed, the String becomes an ordinary, frozen one without a copy.

use super::{data::Marker, data::Slot, Val};
use rb_sys::VALUE;
use std::cell::Cell;

const FIRST: usize = 256;
/// An emptied tail keeps its memory up to this size, 64 KiB.
const KEEP: usize = 64 << 10;

/// Cells only: user code may come back to it at any call.
pub struct Tail {
    s: Slot,
    ptr: Cell<*mut u8>,
    len: Cell<usize>,
    cap: Cell<usize>,
}

impl Tail {
    pub const fn new() -> Tail {
        Tail { s: Slot::empty(), ptr: Cell::new(std::ptr::null_mut()), len: Cell::new(0), cap: Cell::new(0) }
    }

    pub fn mark(&self, marker: &Marker) {
        marker.mark(&self.s);
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len.get()
    }

    pub fn capacity(&self) -> usize {
        self.cap.get()
    }

    /// Memory only.
    #[inline(always)]
    pub fn append(&self, bytes: &[u8]) {
        let (len, n) = (self.len.get(), bytes.len());
        if self.cap.get() - len < n {
            self.grow(n);
        }
        // SAFETY: `grow` has made room; `bytes` is never memory of this String, which no one else sees.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.ptr.get().add(len), n) };
        self.len.set(len + n);
    }

    #[cold]
    #[inline(never)]
    fn grow(&self, n: usize) {
        let len = self.len.get();
        // SAFETY: the String is ours alone, hidden and unfrozen; it is marked (and so pinned) through `s`.
        unsafe {
            if self.s.get().is_none() {
                self.s.set(Val(rb_sys::rb_obj_hide(rb_sys::rb_str_buf_new(n.max(FIRST) as _))));
            } else {
                let s = self.s.get().0;
                rb_sys::rb_str_set_len(s, len as _);
                rb_sys::rb_str_modify_expand(s, n.max(len) as _);
            }
            let s = self.s.get().0;
            self.cap.set(rb_sys::rb_str_capacity(s) as usize);
            self.ptr.set(rb_sys::RSTRING_PTR(s) as *mut u8);
        }
    }

    /// Runs `f` on the bytes from `from` on. `f` must not append here and run no user code.
    #[inline(always)]
    pub fn with_bytes<R>(&self, from: usize, f: impl FnOnce(&[u8]) -> R) -> R {
        let len = self.len.get();
        assert!(from <= len);
        if len == 0 {
            return f(&[]);
        }
        // SAFETY: `len` bytes are written; the String is pinned.
        f(unsafe { std::slice::from_raw_parts(self.ptr.get().add(from), len - from) })
    }

    /// Drops the first `n` bytes, moving the rest down.
    pub fn drop_front(&self, n: usize) {
        if n == 0 {
            return;
        }
        let left = self.len.get() - n;
        // SAFETY: both ranges are within the String.
        unsafe { std::ptr::copy(self.ptr.get().add(n), self.ptr.get(), left) };
        self.len.set(left);
    }

    /// Forgets the bytes.
    #[inline(always)]
    pub fn clear(&self) {
        self.len.set(0);
        if self.cap.get() > KEEP {
            self.give_up();
        }
    }

    fn give_up(&self) {
        self.s.set(Val::NONE);
        self.ptr.set(std::ptr::null_mut());
        self.len.set(0);
        self.cap.set(0);
    }

    /// Takes everything out, to be put back by [`Tail::restore`]; the result must stay on the machine stack till then.
    pub fn set_aside(&self) -> Aside {
        let aside = Aside { s: self.s.get(), ptr: self.ptr.get(), len: self.len.get(), cap: self.cap.get() };
        self.give_up();
        aside
    }

    pub fn restore(&self, a: Aside) {
        self.s.set(a.s);
        self.ptr.set(a.ptr);
        self.len.set(a.len);
        self.cap.set(a.cap);
    }

    /// The bytes as a frozen binary String, without a copy; the tail is empty afterwards. Memory only.
    pub fn seal(&self) -> Val {
        let s = self.s.get();
        if s.is_none() {
            return super::string::binary(&[]);
        }
        let len = self.len.get();
        self.give_up();
        // SAFETY: ours alone until `rb_obj_reveal`.
        unsafe { reveal(s, len) };
        super::array::freeze(s)
    }

    /// Takes over what [`Aside::memory`] gave, for bytes to come. The tail must be empty.
    pub fn reuse(&self, memory: Val) {
        if !memory.is_none() {
            self.adopt(memory, 0);
        }
    }

    /// Takes over a hidden String with `len` bytes as the tail, which must be empty.
    pub(super) fn adopt(&self, s: Val, len: usize) {
        debug_assert!(self.len.get() == 0);
        self.s.set(s);
        self.len.set(len);
        // SAFETY: `s` is a String that is ours alone.
        unsafe {
            self.cap.set(rb_sys::rb_str_capacity(s.0) as usize);
            self.ptr.set(rb_sys::RSTRING_PTR(s.0) as *mut u8);
        }
    }

    /// The bytes as an unfrozen binary String of exact size: the memory itself when it is large, a copy when it is small.
    /// The tail is empty afterwards. Memory only.
    pub fn take(&self) -> Val {
        let len = self.len.get();
        if len <= KEEP {
            let copy = self.with_bytes(0, super::string::binary);
            self.clear();
            return copy;
        }
        let s = self.s.get();
        self.give_up();
        // SAFETY: ours alone.
        unsafe { reveal(s, len) };
        s
    }
}

/// A tail that was set aside.
#[derive(Clone, Copy)]
pub struct Aside {
    s: Val,
    ptr: *mut u8,
    len: usize,
    cap: usize,
}

impl Aside {
    /// Runs `f` on the bytes. `f` must run no user code.
    pub fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        if self.len == 0 {
            return f(&[]);
        }
        // SAFETY: `len` bytes are written; the String is on the machine stack, seen to be used below.
        let r = f(unsafe { std::slice::from_raw_parts(self.ptr, self.len) });
        std::hint::black_box(&self.s);
        r
    }

    /// Its memory, for [`Tail::reuse`]; false if there is none.
    pub fn memory(&self) -> Val {
        self.s
    }
}

/// Sets the length of a hidden String and makes it an ordinary one; gives surplus memory back.
///
/// # Safety
/// `s` is a hidden String that no one else uses, with at least `len` bytes written.
pub(super) unsafe fn reveal(s: Val, len: usize) {
    // SAFETY: this function's duty.
    unsafe {
        rb_sys::rb_str_set_len(s.0, len as _);
        rb_sys::rb_str_resize(s.0, len as _);
        rb_sys::rb_obj_reveal(s.0, rb_sys::rb_cString);
    }
}

const _: () = assert!(std::mem::size_of::<Slot>() == std::mem::size_of::<VALUE>());
