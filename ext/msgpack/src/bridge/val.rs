//! [`Val`]: one Ruby value, with the tests and conversions that need no call into Ruby.

// VALUE is as wide as a pointer, u64 only on 64-bit machines.
#![allow(clippy::unnecessary_cast)]

use magnus::{rb_sys::AsRawValue, rb_sys::FromRawValue, Value};
use rb_sys::{ruby_special_consts as sc, ruby_value_type as rt, RBasic, VALUE};

const FALSE: VALUE = sc::RUBY_Qfalse as VALUE;
const TRUE: VALUE = sc::RUBY_Qtrue as VALUE;
const NIL: VALUE = sc::RUBY_Qnil as VALUE;
const FIXNUM_FLAG: VALUE = sc::RUBY_FIXNUM_FLAG as VALUE;
const FLONUM_FLAG: VALUE = 2;
const FLONUM_MASK: VALUE = 3;
const TYPE_MASK: VALUE = rt::RUBY_T_MASK as VALUE;

/// Flonums, and 63-bit Fixnums, are there on 64-bit machines only.
const WIDE: bool = cfg!(target_pointer_width = "64");
/// +0.0, the one Flonum outside the rotation scheme.
const FLONUM_ZERO: u64 = 0x8000_0000_0000_0002;

// The bit tests below are those of every Ruby from 3.1 on; a Ruby that changes them must not compile.
const _: () = assert!(FALSE == 0 && FIXNUM_FLAG == 1 && NIL & !(NIL) == 0 && NIL.is_power_of_two());
const _: () = assert!(TRUE & 7 != 0);
const _: () = assert!(!WIDE || sc::RUBY_FLONUM_MASK as VALUE == FLONUM_MASK);

/// A live Ruby value, as wide as a pointer.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Val(pub(super) VALUE);

/// What a heap object is made of; only the types that have a format of their own are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    String,
    Array,
    Hash,
    Float,
    Bignum,
    Symbol,
    Struct,
    Data,
    Other,
}

impl Val {
    pub const NIL: Val = Val(NIL);
    pub const TRUE: Val = Val(TRUE);
    pub const FALSE: Val = Val(FALSE);
    /// Stands for "nothing here" in a slot; it is Ruby's `false`.
    pub const NONE: Val = Val(FALSE);
    /// No Ruby value at all: marks the gaps of a table. It must never reach Ruby.
    pub const GAP: Val = Val(sc::RUBY_Qundef as VALUE);

    #[inline(always)]
    pub fn from_value(v: Value) -> Val {
        Val(v.as_raw())
    }

    #[inline(always)]
    pub fn to_value(self) -> Value {
        // SAFETY: a `Val` is a live Ruby value.
        unsafe { Value::from_raw(self.0) }
    }

    #[inline(always)]
    pub fn is_nil(self) -> bool {
        self.0 == NIL
    }

    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == FALSE
    }

    /// Neither nil nor false.
    #[inline(always)]
    pub fn truthy(self) -> bool {
        self.0 & !NIL != 0
    }

    #[inline(always)]
    pub fn from_bool(b: bool) -> Val {
        if b {
            Val::TRUE
        } else {
            Val::FALSE
        }
    }

    /// nil, true, false, Fixnum, Flonum, static Symbol: not a pointer.
    #[inline(always)]
    pub fn is_special(self) -> bool {
        self.0 & 7 != 0 || self.0 & !NIL == 0
    }

    #[inline(always)]
    pub fn is_fixnum(self) -> bool {
        self.0 & FIXNUM_FLAG != 0
    }

    /// The integer of a Fixnum; meaningless for others.
    #[inline(always)]
    pub fn fixnum(self) -> i64 {
        (self.0 as isize >> 1) as i64
    }

    #[inline(always)]
    pub fn is_flonum(self) -> bool {
        WIDE && self.0 & FLONUM_MASK == FLONUM_FLAG
    }

    /// The IEEE 754 bits of a Flonum; meaningless for others.
    #[inline(always)]
    pub fn flonum_bits(self) -> u64 {
        let v = self.0 as u64;
        if v == FLONUM_ZERO {
            return 0;
        }
        ((2 - (v >> 63)) | (v & !(FLONUM_MASK as u64))).rotate_right(3)
    }

    /// The Flonum of these bits, where there is one: exponents near zero, and +0.0.
    #[inline(always)]
    pub fn flonum_from_bits(bits: u64) -> Option<Val> {
        let top = (bits >> 60) & 7;
        if WIDE && bits != 0x3000_0000_0000_0000 && (top == 3 || top == 4) {
            Some(Val(((bits.rotate_left(3) & !1) | 2) as VALUE))
        } else if WIDE && bits == 0 {
            Some(Val(FLONUM_ZERO as VALUE))
        } else {
            None
        }
    }

    /// The Fixnum of an integer that is known to be small: −2³⁰ ≤ i < 2³⁰ on every machine, 62 bits on 64-bit ones.
    #[inline(always)]
    pub const fn small_int(i: i64) -> Val {
        debug_assert!(Val::fits_fixnum(i));
        Val(((i as isize as VALUE) << 1) | FIXNUM_FLAG)
    }

    #[inline(always)]
    pub const fn fits_fixnum(i: i64) -> bool {
        i >= (isize::MIN >> 1) as i64 && i <= (isize::MAX >> 1) as i64
    }

    /// The flag word of a heap object. Never raises.
    #[inline(always)]
    pub(super) fn flags(self) -> VALUE {
        debug_assert!(!self.is_special());
        // SAFETY: a live value that is not special points to an RBasic.
        unsafe { (*(self.0 as *const RBasic)).flags as VALUE }
    }

    /// The class pointer as it stands in the object: a singleton class where there is one.
    #[inline(always)]
    pub fn class_pointer(self) -> Val {
        debug_assert!(!self.is_special());
        // SAFETY: as in `flags`.
        unsafe { Val((*(self.0 as *const RBasic)).klass) }
    }

    /// The type of a heap object; of a special one `Other`, or Float, Symbol. Never raises.
    #[inline(always)]
    pub fn heap_type(self) -> Type {
        const STRING: VALUE = rt::RUBY_T_STRING as VALUE;
        const ARRAY: VALUE = rt::RUBY_T_ARRAY as VALUE;
        const HASH: VALUE = rt::RUBY_T_HASH as VALUE;
        const FLOAT: VALUE = rt::RUBY_T_FLOAT as VALUE;
        const BIGNUM: VALUE = rt::RUBY_T_BIGNUM as VALUE;
        const SYMBOL: VALUE = rt::RUBY_T_SYMBOL as VALUE;
        const STRUCT: VALUE = rt::RUBY_T_STRUCT as VALUE;
        const DATA: VALUE = rt::RUBY_T_DATA as VALUE;
        match self.flags() & TYPE_MASK {
            STRING => Type::String,
            ARRAY => Type::Array,
            HASH => Type::Hash,
            FLOAT => Type::Float,
            BIGNUM => Type::Bignum,
            SYMBOL => Type::Symbol,
            STRUCT => Type::Struct,
            DATA => Type::Data,
            _ => Type::Other,
        }
    }

    #[inline(always)]
    fn is_heap_of(self, t: Type) -> bool {
        !self.is_special() && self.heap_type() == t
    }

    #[inline(always)]
    pub fn is_string(self) -> bool {
        self.is_heap_of(Type::String)
    }

    #[inline(always)]
    pub fn is_array(self) -> bool {
        self.is_heap_of(Type::Array)
    }

    #[inline(always)]
    pub fn is_hash(self) -> bool {
        self.is_heap_of(Type::Hash)
    }

    #[inline(always)]
    pub fn is_integer(self) -> bool {
        self.is_fixnum() || self.is_heap_of(Type::Bignum)
    }

    #[inline(always)]
    pub fn is_float(self) -> bool {
        self.is_flonum() || self.is_heap_of(Type::Float)
    }

    #[inline(always)]
    pub fn is_symbol(self) -> bool {
        self.0 & 0xff == sc::RUBY_SYMBOL_FLAG as VALUE || self.is_heap_of(Type::Symbol)
    }

    /// A Class or Module (no refinement of a pointer type matters here). Never raises.
    pub fn is_module(self) -> bool {
        if self.is_special() {
            return false;
        }
        let t = self.flags() & TYPE_MASK;
        t == rt::RUBY_T_CLASS as VALUE || t == rt::RUBY_T_MODULE as VALUE
    }

    /// Whether a heap value is an object of Ruby code, not one of the interpreter's own (which have no class). Never raises.
    pub(super) fn is_object(self) -> bool {
        let t = self.flags() & TYPE_MASK;
        t != rt::RUBY_T_IMEMO as VALUE && t != rt::RUBY_T_NODE as VALUE && !self.class_pointer().is_none()
    }

    /// Never raises.
    pub fn is_frozen(self) -> bool {
        self.is_special() || self.flags() & rb_sys::ruby_fl_type::RUBY_FL_FREEZE as VALUE != 0
    }
}

impl magnus::TryConvert for Val {
    #[inline(always)]
    fn try_convert(v: Value) -> Result<Self, magnus::Error> {
        Ok(Val::from_value(v))
    }
}

impl magnus::IntoValue for Val {
    #[inline(always)]
    fn into_value_with(self, _: &magnus::Ruby) -> Value {
        self.to_value()
    }
}
