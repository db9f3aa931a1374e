//! [`Writer`]: where the encoder puts its bytes. It begins with a block on the machine stack; what does not fit
//! goes into the Ractor's scratch String, taken out of its slot meanwhile. Nothing in it has a destructor: after a
//! jump the scratch String is simply garbage.

use super::{ractor, string, tail, tail::Tail, Val};
use std::{marker::PhantomData, mem::MaybeUninit};

/// An encoded head or scalar: byte 0, the bytes behind it (most significant first), and the length, 1 to 9.
pub type Short = (u8, u64, u8);

/// Room reserved for a head. Nine bytes are stored, however short it is, and no length goes beyond 15.
const SHORT: usize = 16;
/// A new scratch String has room for 32 KiB.
const SCRATCH: usize = 32 << 10;
/// Results above this size are the scratch String itself; below, an exact copy is cheaper than fresh memory the next
/// time. It is also what a Ractor keeps at most.
pub const HAND_OVER: usize = 512 << 10;
/// Copies up to this length are done in fixed-size moves instead of a call (records pack 10 % faster).
const SMALL: usize = 32;

/// A block of `N` bytes in a frame of the machine stack.
pub struct Block<const N: usize>(MaybeUninit<[u8; N]>);

impl<const N: usize> Block<N> {
    #[inline(always)]
    pub fn new() -> Self {
        Block(MaybeUninit::uninit())
    }

    #[inline(always)]
    pub fn writer(&mut self) -> Writer<'_> {
        const { assert!(N >= 4 * SHORT) }
        let base = self.0.as_mut_ptr() as *mut u8;
        // SAFETY: one past the end of the block.
        Writer { base, p: base, end: unsafe { base.add(N) }, spill: Val::NONE, life: PhantomData }
    }
}

pub struct Writer<'a> {
    base: *mut u8,
    p: *mut u8,
    end: *mut u8,
    /// The hidden String that `base`, `p` and `end` point into, or false while they point into the block.
    spill: Val,
    life: PhantomData<&'a mut ()>,
}

impl Writer<'_> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.p as usize - self.base as usize
    }

    #[inline(always)]
    fn reserve(&mut self, n: usize) {
        if (self.end as usize) - (self.p as usize) < n {
            self.grow(n);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, n: usize) {
        let len = self.len();
        // SAFETY: both Strings are hidden, unfrozen and ours alone; `self.spill`, on the stack, keeps them alive.
        unsafe {
            if self.spill.is_none() {
                let held = ractor::take_scratch();
                let s = if held.is_none() {
                    Val(rb_sys::rb_obj_hide(rb_sys::rb_str_buf_new(SCRATCH.max(len * 2 + n) as _)))
                } else {
                    held
                };
                self.spill = s;
                std::hint::black_box(&self.spill);
                if (rb_sys::rb_str_capacity(s.0) as usize) < len + n {
                    rb_sys::rb_str_modify_expand(s.0, (len * 2 + n) as _);
                }
                std::ptr::copy_nonoverlapping(self.base, rb_sys::RSTRING_PTR(s.0) as *mut u8, len);
            } else {
                rb_sys::rb_str_set_len(self.spill.0, len as _);
                rb_sys::rb_str_modify_expand(self.spill.0, n.max(len) as _);
            }
            self.base = rb_sys::RSTRING_PTR(self.spill.0) as *mut u8;
            self.p = self.base.add(len);
            self.end = self.base.add(rb_sys::rb_str_capacity(self.spill.0) as usize);
        }
    }

    /// Stores a head at `p` and returns the place behind it.
    ///
    /// # Safety
    /// There is room for `SHORT` bytes at `p`.
    #[inline(always)]
    unsafe fn store(p: *mut u8, (first, rest, len): Short) -> *mut u8 {
        debug_assert!((1..=9).contains(&len));
        // SAFETY: nine bytes are stored and at most 15 passed over, within the 16.
        unsafe {
            p.write(first);
            (p.add(1) as *mut u64).write_unaligned(rest.to_be());
            p.add(len as usize & (SHORT - 1))
        }
    }

    /// Memory only.
    #[inline(always)]
    pub fn put(&mut self, short: Short) {
        self.reserve(SHORT);
        // SAFETY: just reserved.
        self.p = unsafe { Self::store(self.p, short) };
    }

    /// A head and the bytes of its body. Memory only. `body` must not be memory of this writer.
    #[inline(always)]
    pub fn put_with_body(&mut self, short: Short, body: &[u8]) {
        let n = body.len();
        self.reserve(SHORT + n);
        // SAFETY: room for the head and `n` bytes is reserved.
        unsafe {
            let p = Self::store(self.p, short);
            copy(body, p);
            self.p = p.add(n);
        }
    }

    /// Puts a head, if there is one, and what `f` makes of each value, until it answers None: one capacity check for the
    /// whole run. Returns how many values went out. Memory only; `f` must not call Ruby.
    #[inline(always)]
    pub fn put_run(&mut self, head: Option<Short>, values: &[Val], mut f: impl FnMut(Val) -> Option<Short>) -> usize {
        self.reserve(SHORT * (values.len() + 1));
        let (mut done, mut p) = (0, self.p);
        if let Some(head) = head {
            // SAFETY: one place more than there are values is reserved.
            p = unsafe { Self::store(p, head) };
        }
        for &v in values {
            let Some(short) = f(v) else { break };
            // SAFETY: SHORT bytes were reserved for each of the values, and only this loop has written since.
            p = unsafe { Self::store(p, short) };
            done += 1;
        }
        self.p = p;
        done
    }

    /// Appends what was written to a tail and forgets it. Memory only.
    #[inline(always)]
    pub fn drain_into(&mut self, tail: &Tail) {
        let n = self.len();
        if n == 0 {
            return;
        }
        if n > HAND_OVER && tail.len() == 0 && !self.spill.is_none() {
            tail.adopt(self.spill, n);
            // The memory went away; the next byte starts a new spill.
            self.spill = Val::NONE;
            self.base = std::ptr::NonNull::dangling().as_ptr();
            self.p = self.base;
            self.end = self.base;
            return;
        }
        // SAFETY: `n` bytes from `base` on are written; a tail is never the writer's own memory.
        tail.append(unsafe { std::slice::from_raw_parts(self.base, n) });
        self.p = self.base;
    }

    /// What was written, as a fresh, unfrozen binary String; the writer is spent. Memory only.
    #[inline(always)]
    pub fn finish(mut self) -> Val {
        let n = self.len();
        if !self.spill.is_none() && n > HAND_OVER {
            // SAFETY: ours alone.
            unsafe { tail::reveal(self.spill, n) };
            return self.spill;
        }
        // SAFETY: `n` bytes are written.
        let s = string::binary(unsafe { std::slice::from_raw_parts(self.base, n) });
        self.release();
        s
    }

    /// Gives the scratch String back to the Ractor.
    #[inline(always)]
    pub fn release(&mut self) {
        if !self.spill.is_none() {
            std::hint::black_box(&self.spill);
            if (self.end as usize) - (self.base as usize) <= HAND_OVER {
                ractor::keep_scratch(self.spill);
            }
            self.spill = Val::NONE;
        }
    }
}

/// Values in one run of [`Writer::put_run`] at most.
pub const RUN: usize = 256;

/// Copies by overlapping moves up to [`SMALL`] bytes, by memcpy above.
///
/// # Safety
/// `to` has room for `from.len()` bytes and does not overlap `from`.
#[inline(always)]
unsafe fn copy(from: &[u8], to: *mut u8) {
    let (s, n) = (from.as_ptr(), from.len());
    macro_rules! ends {
        ($t:ty) => {{
            const W: usize = std::mem::size_of::<$t>();
            // W <= n <= 2 * W: both moves lie within the n bytes.
            let a = (s as *const $t).read_unaligned();
            let b = (s.add(n - W) as *const $t).read_unaligned();
            (to as *mut $t).write_unaligned(a);
            (to.add(n - W) as *mut $t).write_unaligned(b);
        }};
    }
    // SAFETY: each branch stays within n bytes.
    unsafe {
        match n {
            0 => {}
            1..=3 => {
                to.write(*s);
                to.add(n >> 1).write(*s.add(n >> 1));
                to.add(n - 1).write(*s.add(n - 1));
            }
            4..=7 => ends!(u32),
            8..=15 => ends!(u64),
            16..=SMALL => ends!(u128),
            _ => std::ptr::copy_nonoverlapping(s, to, n),
        }
    }
}
