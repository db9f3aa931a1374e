//! Integers and Floats beyond the immediate ones.

use super::{names::names, Val};

/// What an Integer is on the wire.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Int {
    Unsigned(u64),
    Negative(i64),
    /// Outside −2⁶³…2⁶⁴−1.
    Oversized,
}

/// An Integer of any size. Never raises.
pub fn int(v: Val) -> Int {
    if v.is_fixnum() {
        let i = v.fixnum();
        return if i < 0 { Int::Negative(i) } else { Int::Unsigned(i as u64) };
    }
    let mut word: u64 = 0;
    // LSWORD_FIRST | LSBYTE_FIRST | 2COMP
    const FLAGS: i32 = 0x02 | 0x20 | 0x80;
    // SAFETY: `v` is a Bignum; one 8-byte word is written to `word`.
    let sign = unsafe { rb_sys::rb_integer_pack(v.0, &mut word as *mut u64 as *mut _, 1, 8, 0, FLAGS) };
    let word = u64::from_le(word);
    match sign {
        0 | 1 => Int::Unsigned(word),
        -1 if (word as i64) < 0 => Int::Negative(word as i64),
        _ => Int::Oversized,
    }
}

// How `rb_integer_pack` and `rb_integer_unpack` lay a number out.
const LEAST_WORD_FIRST: i32 = 0x02;
const MOST_BYTE_FIRST: i32 = 0x10;
const LEAST_BYTE_FIRST: i32 = 0x20;
const NEGATIVE: i32 = 0x200;

/// Bytes of the absolute value of an Integer; none for 0. Never raises.
pub fn magnitude_len(v: Val) -> usize {
    // SAFETY: `v` is an Integer; nothing is written for a null pointer.
    unsafe { rb_sys::rb_absint_size(v.0, std::ptr::null_mut()) as usize }
}

/// Fills `bytes` with the absolute value of an Integer, the least significant byte first, what does not fit left out.
/// Tells whether it is negative. Never raises.
pub fn magnitude(v: Val, bytes: &mut [u8]) -> bool {
    // SAFETY: `v` is an Integer; as many bytes are written as there are.
    unsafe {
        rb_sys::rb_integer_pack(
            v.0,
            bytes.as_mut_ptr() as *mut _,
            bytes.len() as _,
            1,
            0,
            LEAST_WORD_FIRST | LEAST_BYTE_FIRST,
        ) < 0
    }
}

/// The Integer of an absolute value in words of 4 bytes, each with its most significant byte first, the least
/// significant word first. A rest that is no whole word is left out. Memory only.
pub fn from_words(words: &[u8], negative: bool) -> Val {
    let flags = LEAST_WORD_FIRST | MOST_BYTE_FIRST | if negative { NEGATIVE } else { 0 };
    // SAFETY: reads as many words as the slice has.
    Val(unsafe { rb_sys::rb_integer_unpack(words.as_ptr() as *const _, (words.len() / 4) as _, 4, 0, flags) })
}

/// An Integer, or what `to_int` gives for another object, with Ruby's TypeError. Jumps.
pub fn to_integer(v: Val) -> Val {
    if v.is_integer() {
        return v;
    }
    // SAFETY: raises or returns an Integer.
    Val(unsafe { rb_sys::rb_to_int(v.0) })
}

/// Raises Ruby's RangeError for an oversized Integer. Jumps.
#[cold]
pub fn raise_oversized(v: Val) -> ! {
    // SAFETY: both conversions raise for what does not fit; plain values only.
    unsafe {
        if is_negative(v) {
            rb_sys::rb_big2ll(v.0);
        } else {
            rb_sys::rb_big2ull(v.0);
        }
    }
    unreachable!("an Integer that fits is not oversized")
}

/// Memory only.
#[inline(always)]
pub fn from_u64(n: u64) -> Val {
    if n <= (isize::MAX >> 1) as u64 {
        Val::small_int(n as i64)
    } else {
        // SAFETY: allocates.
        Val(unsafe { rb_sys::rb_ull2inum(n) })
    }
}

/// Memory only.
#[inline(always)]
pub fn from_i64(n: i64) -> Val {
    if Val::fits_fixnum(n) {
        Val::small_int(n)
    } else {
        // SAFETY: allocates.
        Val(unsafe { rb_sys::rb_ll2inum(n) })
    }
}

/// As [`from_i64`], for −2³¹ ≤ n < 2³², which a 64-bit machine has a Fixnum for. Memory only.
#[inline(always)]
pub fn from_i32_range(n: i64) -> Val {
    if cfg!(target_pointer_width = "64") {
        Val::small_int(n)
    } else {
        from_i64(n)
    }
}

pub fn from_usize(n: usize) -> Val {
    from_u64(n as u64)
}

/// Memory only.
#[inline(always)]
pub fn from_f64_bits(bits: u64) -> Val {
    match Val::flonum_from_bits(bits) {
        Some(v) => v,
        // SAFETY: allocates.
        None => Val(unsafe { rb_sys::rb_float_new(f64::from_bits(bits)) }),
    }
}

/// The bits of any Float. Never raises.
#[inline(always)]
pub fn float_bits(v: Val) -> u64 {
    if v.is_flonum() {
        v.flonum_bits()
    } else {
        // SAFETY: `v` is a Float.
        unsafe { rb_sys::rb_float_value(v.0) }.to_bits()
    }
}

/// Ruby's numeric conversion for `write_float`: Integer, Float, Rational, `to_f`; not String. Jumps.
pub fn to_f64(v: Val) -> f64 {
    // SAFETY: raises or returns.
    unsafe { rb_sys::rb_num2dbl(v.0) }
}

/// `kind_of?(Numeric)`. Never raises.
pub fn is_numeric(v: Val) -> bool {
    v.is_integer() || v.is_float() || super::call::kind_of(v, names().numeric)
}

/// Ruby's conversion to an unsigned 32-bit number, with its own messages; Floats truncate, `to_int`
/// counts, negative numbers are refused. Jumps.
pub fn to_u32(v: Val) -> u32 {
    let whole = if v.is_fixnum() {
        v.fixnum()
    } else if v.is_float() {
        to_long(v)
    } else if v.is_integer() {
        // SAFETY: a Bignum; raises Ruby's RangeError.
        return unsafe { rb_sys::rb_num2uint(v.0) as u32 };
    } else {
        // SAFETY: nil where there is no `to_int`; raises what `to_int` raises.
        let int = Val(unsafe { rb_sys::rb_check_to_int(v.0) });
        if int.is_nil() {
            // SAFETY: raises Ruby's TypeError for this object.
            return unsafe { rb_sys::rb_num2uint(v.0) as u32 };
        }
        // SAFETY: raises for what is outside 64 bits.
        (unsafe { rb_sys::rb_num2long(int.0) }) as i64
    };
    if whole < 0 {
        let (open, close) = QUOTES;
        super::raise::fmt(
            names().range_error,
            format_args!("integer {whole} too small to convert to {open}unsigned int{close}"),
        )
    }
    // SAFETY: raises Ruby's own RangeError for what is above 2³²−1.
    unsafe { rb_sys::rb_num2uint(from_i64(whole).0) as u32 }
}

/// Ruby quotes C types in messages so: `long' up to 3.3, 'long' from 3.4 on.
const QUOTES: (char, char) = if cfg!(ruby_gte_3_4) { ('\'', '\'') } else { ('`', '\'') };

/// Ruby's conversion to an unsigned 64-bit number, with its own messages; negative numbers count as 0. Jumps.
pub fn to_u64_or_zero(v: Val) -> u64 {
    if v.is_integer() && is_negative(v) || v.is_float() && f64::from_bits(float_bits(v)) < 0.0 {
        return 0;
    }
    // SAFETY: raises or returns; an object's `to_int` may still be negative, which Ruby wraps around.
    let n = unsafe { rb_sys::rb_num2ull(v.0) };
    if v.is_integer() || v.is_float() || n <= i64::MAX as u64 {
        n
    } else {
        0
    }
}

fn is_negative(v: Val) -> bool {
    if v.is_fixnum() {
        return v.fixnum() < 0;
    }
    // SAFETY: `v` is a Bignum; no word is written, only its sign is told.
    unsafe { rb_sys::rb_integer_pack(v.0, std::ptr::null_mut(), 0, 1, 0, 0x01 | 0x40) < 0 }
}

/// Ruby's conversion to a C int (floats truncate, `to_int` counts). Jumps.
pub fn to_i32(v: Val) -> i32 {
    // SAFETY: raises or returns.
    unsafe { rb_sys::rb_num2int(v.0) as i32 }
}

/// Ruby's conversion to a C long. Jumps.
pub fn to_long(v: Val) -> i64 {
    if v.is_fixnum() {
        return v.fixnum();
    }
    // SAFETY: raises or returns.
    unsafe { rb_sys::rb_num2long(v.0) as i64 }
}
