//! The decoder's value stack. It starts on the machine stack, where the collector sees it, and moves to memory
//! that a Ruby object owns when it grows, or when a half-read object has to wait for more bytes.

use super::{
    data::{self, Data, Descriptor, Marker, Obj},
    ractor, Val,
};
use rb_sys::VALUE;
use std::{cell::Cell, marker::PhantomData, mem::MaybeUninit};

/// Room for `N` values in a frame of the machine stack.
pub struct Room<const N: usize>(MaybeUninit<[VALUE; N]>);

impl<const N: usize> Room<N> {
    #[inline(always)]
    pub fn new() -> Self {
        Room(MaybeUninit::uninit())
    }

    #[inline(always)]
    pub fn stack(&mut self) -> Stack<'_> {
        let base = self.0.as_mut_ptr() as *mut VALUE;
        // The compiler must take it that every later call may read the room: the collector does.
        let base = std::hint::black_box(base);
        // SAFETY: one past the end of the array.
        Stack { base, sp: base, high: base, limit: unsafe { base.add(N) }, spill: None, life: PhantomData }
    }
}

/// Values, last in first out.
#[derive(Clone, Copy)]
pub struct Stack<'a> {
    base: *mut VALUE,
    sp: *mut VALUE,
    limit: *mut VALUE,
    /// How far `sp` ever got, as seen by [`Stack::fold`]: what has to be cleared.
    high: *mut VALUE,
    spill: Option<Obj<Spill>>,
    life: PhantomData<&'a mut ()>,
}

impl Stack<'_> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        // SAFETY: both point into the same block.
        unsafe { self.sp.offset_from(self.base) as usize }
    }

    /// Places left before the stack has to grow.
    #[inline(always)]
    pub fn room(&self) -> usize {
        // SAFETY: as above.
        unsafe { self.limit.offset_from(self.sp) as usize }
    }

    /// Memory only.
    #[inline(always)]
    pub fn push(&mut self, v: Val) {
        if self.sp == self.limit {
            // By value, so that this struct's fields can stay in registers.
            *self = grown(*self, v);
        }
        // SAFETY: below the limit.
        unsafe {
            self.sp.write(v.0);
            self.sp = self.sp.add(1);
        }
    }

    /// Memory only: makes room for at least one value more.
    #[inline(always)]
    pub fn ensure_room(&mut self) {
        if self.sp == self.limit {
            *self = grown(*self, Val::NIL);
        }
    }

    /// The values from `from` on.
    #[inline(always)]
    pub fn from(&self, from: usize) -> &[Val] {
        assert!(from <= self.len());
        // SAFETY: in range; `Val` has the layout of VALUE.
        unsafe { std::slice::from_raw_parts(self.base.add(from) as *const Val, self.len() - from) }
    }

    /// The value at `i`.
    #[inline(always)]
    pub fn at(&self, i: usize) -> Val {
        self.from(i)[0]
    }

    /// Replaces all values from `from` on by one. `from` must be less than the length, or there must be room.
    #[inline(always)]
    pub fn fold(&mut self, from: usize, v: Val) {
        assert!(from < self.len());
        if self.sp > self.high {
            self.high = self.sp;
        }
        // SAFETY: in range.
        unsafe {
            let p = self.base.add(from);
            p.write(v.0);
            self.sp = p.add(1);
        }
    }

    /// Drops all values from `from` on.
    #[inline(always)]
    pub fn truncate(&mut self, from: usize) {
        assert!(from <= self.len());
        if self.sp > self.high {
            self.high = self.sp;
        }
        // SAFETY: in range.
        self.sp = unsafe { self.base.add(from) };
    }

    /// Forgets every value that was ever on the stack: values left behind in dead memory would keep whole documents
    /// alive and send them to the old generation. Call it when a decode ends, however it ends.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.truncate(0);
        match self.spill {
            Some(spill) => spill.release(self.high, true),
            // SAFETY: within the room.
            None => unsafe { std::ptr::write_bytes(self.base, 0, self.high.offset_from(self.base) as usize) },
        }
        std::hint::black_box(self.base);
    }

    /// Moves all values into memory that a Ruby object owns, and returns that object with the number of values.
    /// Memory only.
    pub fn suspend(mut self) -> (Val, usize) {
        let len = self.len();
        if self.spill.is_none() {
            self = grown(self, Val::NIL);
        }
        (self.spill.map_or(Val::NONE, Obj::val), len)
    }

    /// The stack that [`Stack::suspend`] gave away. The object must be rooted by the caller until then.
    pub fn resume<'a>(spill: Val, len: usize) -> Stack<'a> {
        let spill = data::get::<Spill>(spill);
        let base = spill.values.get();
        // SAFETY: `len` values of the block are in use, as `suspend` said.
        unsafe {
            let (sp, limit) = (base.add(len), base.add(spill.capacity.get()));
            Stack { base, sp, limit, high: sp, spill: Some(spill), life: PhantomData }
        }
    }
}

/// Values kept in at most this much memory for the next user in the Ractor: 1 MiB.
const KEEP: usize = 1 << 17;

/// The Ruby object that owns a grown stack. Everything of its block beyond the values in use is zero.
pub struct Spill {
    values: Cell<*mut VALUE>,
    capacity: Cell<usize>,
}

static SPILL: Descriptor<Spill> = Descriptor::new(c"msgpack/value_stack");

impl Data for Spill {
    fn descriptor() -> &'static Descriptor<Self> {
        &SPILL
    }

    fn mark(&self, _: &Marker) {
        let start = self.values.get();
        if !start.is_null() {
            // SAFETY: the whole block is initialised: values or zeroes.
            unsafe { rb_sys::rb_gc_mark_locations(start, start.add(self.capacity.get())) }
        }
    }

    fn memory(&self) -> usize {
        self.capacity.get() * std::mem::size_of::<VALUE>()
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        let p = self.values.get();
        if !p.is_null() {
            // SAFETY: from `ruby_xcalloc`, and the object is gone.
            unsafe { rb_sys::ruby_xfree(p as *mut _) }
        }
    }
}

impl Spill {
    /// Gives the block up, which is in use up to `high`: to the Ractor if it may `keep` it, to the allocator else.
    fn release(&self, high: *mut VALUE, keep: bool) {
        let (p, cap) = (self.values.replace(std::ptr::null_mut()), self.capacity.replace(0));
        if p.is_null() {
            return;
        }
        // SAFETY: `p` is the block of `cap` values, now owned by this call; `high` points into it.
        unsafe {
            let surplus = if keep && cap <= KEEP {
                std::ptr::write_bytes(p, 0, high.offset_from(p) as usize);
                ractor::keep_values(p, cap)
            } else {
                p
            };
            if !surplus.is_null() {
                rb_sys::ruby_xfree(surplus as *mut _);
            }
        }
    }
}

/// A stack with more room and the same values; `pending` is a value that is not on it yet and must survive.
#[cold]
#[inline(never)]
fn grown(old: Stack<'_>, pending: Val) -> Stack<'_> {
    let used = old.len();
    // SAFETY: both point into the same block.
    let capacity = unsafe { old.limit.offset_from(old.base) as usize };
    // The old block stays reachable until the values are in the new one: each step below may collect garbage.
    let spill = data::wrap(Val::NONE, Spill { values: Cell::new(std::ptr::null_mut()), capacity: Cell::new(0) });
    let (mut block, mut size) = if old.spill.is_none() { ractor::take_values() } else { (std::ptr::null_mut(), 0) };
    if !block.is_null() && size <= used {
        // SAFETY: it was kept by `release`.
        unsafe { rb_sys::ruby_xfree(block as *mut _) };
        block = std::ptr::null_mut();
    }
    if block.is_null() {
        size = (capacity * 2).max(2048);
        // SAFETY: allocates zeroed memory.
        block = unsafe { rb_sys::ruby_xcalloc(size as _, std::mem::size_of::<VALUE>() as _) } as *mut VALUE;
    }
    // SAFETY: the new block has room for `used` values.
    unsafe { std::ptr::copy_nonoverlapping(old.base, block, used) };
    spill.values.set(block);
    spill.capacity.set(size);
    match old.spill {
        Some(o) => o.release(old.high.max(old.sp), false),
        // SAFETY: within the room on the machine stack.
        None => unsafe { std::ptr::write_bytes(old.base, 0, used) },
    }
    std::hint::black_box(pending.0);
    std::hint::black_box(spill.val().0);
    // SAFETY: in range of the new block.
    unsafe {
        let sp = block.add(used);
        Stack { base: block, sp, limit: block.add(size), high: sp, spill: Some(spill), life: PhantomData }
    }
}

/// A pile of plain items in a frame of the machine stack; no Ruby values.
pub struct Pile<T: Copy, const N: usize> {
    items: MaybeUninit<[T; N]>,
    len: usize,
}

impl<T: Copy, const N: usize> Pile<T, N> {
    #[inline(always)]
    pub fn new() -> Self {
        Pile { items: MaybeUninit::uninit(), len: 0 }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// False when the pile is full.
    #[inline(always)]
    pub fn push(&mut self, item: T) -> bool {
        if self.len >= N {
            return false;
        }
        // SAFETY: below N.
        unsafe { (self.items.as_mut_ptr() as *mut T).add(self.len).write(item) };
        self.len += 1;
        true
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: written by `push`.
        Some(unsafe { (self.items.as_ptr() as *const T).add(self.len).read() })
    }

    pub fn as_slice(&self) -> &[T] {
        // SAFETY: `len` items are written.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr() as *const T, self.len) }
    }
}
