//! Rust structs inside Ruby objects (TypedData).

use super::Val;
use rb_sys::{rb_data_type_t, VALUE};
use std::{cell::Cell, ffi::c_void, ffi::CStr, marker::PhantomData, mem::MaybeUninit, ops::Deref, ptr::NonNull};

/// A struct that a Ruby object owns. Its fields that user code or the collector can reach while a method
/// runs are `Cell`s; its values are [`Slot`]s, each of them marked.
pub trait Data: Sized + 'static {
    /// Whether the struct lies in the object itself, where Ruby can do that (3.3 on): no memory to get and to give back.
    /// Only for objects that no one holds by an [`Obj`] alone: whatever keeps such an object alive must pin it, too, as
    /// marking it, a variable on the machine stack, and being the receiver or an argument of a running method do.
    const EMBEDDED: bool = false;
    fn descriptor() -> &'static Descriptor<Self>;
    /// Marks every [`Slot`]. Must not panic, allocate or call Ruby.
    fn mark(&self, marker: &Marker);
    /// Bytes behind the struct, for ObjectSpace.memsize_of. Must not panic or allocate.
    fn memory(&self) -> usize;
}

/// Ruby's description of the type `T`; one static for each type.
pub struct Descriptor<T>(rb_data_type_t, PhantomData<fn() -> T>);

// SAFETY: read-only after it is made.
unsafe impl<T> Sync for Descriptor<T> {}

impl<T: Data> Descriptor<T> {
    /// A type whose objects belong to the Ractor that made them.
    pub const fn new(name: &'static CStr) -> Self {
        Self::with_flags(name, 0)
    }

    /// A type whose frozen objects are shareable when all they mark is; they are never changed once frozen.
    pub const fn frozen_shareable(name: &'static CStr) -> Self {
        Self::with_flags(name, rb_sys::rbimpl_typeddata_flags::RUBY_TYPED_FROZEN_SHAREABLE as VALUE)
    }

    const fn with_flags(name: &'static CStr, flags: VALUE) -> Self {
        // SAFETY: all-zero is valid for a struct of pointers and numbers.
        let mut t: rb_data_type_t = unsafe { MaybeUninit::zeroed().assume_init() };
        t.wrap_struct_name = name.as_ptr();
        t.function.dmark = Some(mark::<T>);
        t.function.dfree = Some(free::<T>);
        t.function.dsize = Some(size::<T>);
        // Not write-barrier protected: slots are written without one, so the collector looks at each of these objects in
        // every minor collection; but see `never_written`.
        t.flags = flags | rb_sys::rbimpl_typeddata_flags::RUBY_TYPED_FREE_IMMEDIATELY as VALUE;
        #[cfg(embeddable)]
        if T::EMBEDDED {
            t.flags |= rb_sys::rbimpl_typeddata_flags::RUBY_TYPED_EMBEDDABLE as VALUE;
        }
        Descriptor(t, PhantomData)
    }

    /// For a type whose slots are set before its object is made, and never again: Ruby makes such objects faster, and
    /// need not look at old ones in each minor collection.
    pub const fn never_written(mut self) -> Self {
        self.0.flags |= rb_sys::rbimpl_typeddata_flags::RUBY_TYPED_WB_PROTECTED as VALUE;
        self
    }
}

/// Whether objects of this type hold the struct in themselves.
const fn embedded<T: Data>() -> bool {
    cfg!(embeddable) && T::EMBEDDED
}

unsafe extern "C" fn mark<T: Data>(p: *mut c_void) {
    // SAFETY: Ruby hands back the pointer of `wrap`, which lives until `free`.
    unsafe { &*(p as *const T) }.mark(&Marker(()));
}

unsafe extern "C" fn free<T: Data>(p: *mut c_void) {
    // SAFETY: the pointer of `wrap`, handed over for the last time. The memory of an embedded struct is Ruby's.
    unsafe {
        if embedded::<T>() {
            std::ptr::drop_in_place(p as *mut T);
        } else {
            drop(Box::from_raw(p as *mut T));
        }
    }
}

unsafe extern "C" fn size<T: Data>(p: *const c_void) -> rb_sys::size_t {
    // SAFETY: as in `mark`.
    let behind = unsafe { &*(p as *const T) }.memory();
    // Ruby counts the object itself, and with it what is embedded.
    (if embedded::<T>() { behind } else { std::mem::size_of::<T>() + behind }) as _
}

/// Proof that the collector is marking.
pub struct Marker(());

impl Marker {
    /// Marks and pins.
    #[inline]
    pub fn mark(&self, slot: &Slot) {
        self.mark_value(slot.get());
    }

    #[inline]
    pub fn mark_value(&self, v: Val) {
        if !v.is_special() {
            // SAFETY: called from a mark function; `v` is live, since it was marked ever since it was stored.
            unsafe { rb_sys::rb_gc_mark(v.0) }
        }
    }
}

/// A value kept in a [`Data`] object, which marks it.
#[repr(transparent)]
pub struct Slot(Cell<Val>);

impl Slot {
    pub const fn new(v: Val) -> Slot {
        Slot(Cell::new(v))
    }

    pub const fn empty() -> Slot {
        Slot(Cell::new(Val::NONE))
    }

    #[inline(always)]
    pub fn get(&self) -> Val {
        self.0.get()
    }

    #[inline(always)]
    pub fn set(&self, v: Val) {
        self.0.set(v)
    }

    #[inline(always)]
    pub fn take(&self) -> Val {
        self.0.replace(Val::NONE)
    }
}

/// A Ruby object known to hold a `T`; it dereferences to that.
pub struct Obj<T> {
    val: Val,
    data: NonNull<T>,
}

impl<T> Clone for Obj<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Obj<T> {}

impl<T> Deref for Obj<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the object is referred to by the caller's arguments or by an object that is, or the caller calls `keep`.
        unsafe { self.data.as_ref() }
    }
}

impl<T> Obj<T> {
    #[inline(always)]
    pub fn val(self) -> Val {
        self.val
    }

    /// Keeps the object alive up to here. Needed at the end of every function that holds a reference into an object which
    /// nothing else may refer to any more (a registry that was replaced meanwhile) over a call that allocates: the
    /// compiler drops the value itself as soon as it has the pointer.
    #[inline(always)]
    pub fn keep(self) {
        std::hint::black_box(self.val.0);
    }
}

/// Makes an object of `class`. Memory only.
#[inline(always)]
pub fn wrap<T: Data>(class: Val, data: T) -> Obj<T> {
    let ruby_type = &T::descriptor().0;
    if embedded::<T>() {
        const { assert!(std::mem::align_of::<T>() <= std::mem::align_of::<VALUE>()) }
        // SAFETY: an object with room for a `T`, which no one has seen before it is filled. If this raises NoMemoryError,
        // what `data` owns leaks and nothing else happens.
        unsafe {
            let v = rb_sys::rb_data_typed_object_zalloc(class.0, std::mem::size_of::<T>() as _, ruby_type);
            let p = rb_sys::RTYPEDDATA_GET_DATA(v) as *mut T;
            p.write(data);
            Obj { val: Val(v), data: NonNull::new_unchecked(p) }
        }
    } else {
        let p = Box::into_raw(Box::new(data));
        // SAFETY: `free` gives the box back, which is never null. If this raises NoMemoryError, the box leaks and nothing
        // else happens.
        unsafe {
            let v = rb_sys::rb_data_typed_object_wrap(class.0, p as *mut c_void, ruby_type);
            Obj { val: Val(v), data: NonNull::new_unchecked(p) }
        }
    }
}

/// The `T` inside, or None. Never raises.
#[inline(always)]
pub fn try_get<T: Data>(v: Val) -> Option<Obj<T>> {
    if v.is_special() || v.heap_type() != super::val::Type::Data {
        return None;
    }
    // SAFETY: a T_DATA object; its type is compared before its pointer is used.
    unsafe {
        if !rb_sys::RTYPEDDATA_P(v.0) || !std::ptr::eq(rb_sys::RTYPEDDATA_TYPE(v.0), &T::descriptor().0) {
            return None;
        }
        NonNull::new(rb_sys::RTYPEDDATA_GET_DATA(v.0) as *mut T).map(|data| Obj { val: v, data })
    }
}

/// The `T` inside; TypeError else. Jumps.
#[inline(always)]
pub fn get<T: Data>(v: Val) -> Obj<T> {
    match try_get(v) {
        Some(o) => o,
        None => wrong_type::<T>(v),
    }
}

#[cold]
fn wrong_type<T: Data>(v: Val) -> ! {
    // SAFETY: the name is a static C string; raises.
    unsafe { rb_sys::rb_check_typeddata(v.0, &T::descriptor().0) };
    unreachable!("{}", T::descriptor().name())
}

impl<T> Descriptor<T> {
    fn name(&self) -> &'static str {
        // SAFETY: the name is a static C string.
        unsafe { CStr::from_ptr(self.0.wrap_struct_name) }.to_str().unwrap_or("?")
    }
}
