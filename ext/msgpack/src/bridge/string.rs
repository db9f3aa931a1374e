//! Strings and Symbols: byte views, encodings, making and sharing.

use super::{
    call,
    names::{names, Id},
    Val,
};
use rb_sys::{ruby_coderange_type as cr, ruby_encoding_consts as ec, RSTRING_LEN, RSTRING_PTR, VALUE};

const ENC_SHIFT: u32 = ec::RUBY_ENCODING_SHIFT as u32;
const ENC_MASK: VALUE = ec::RUBY_ENCODING_MASK as VALUE;
const CR_MASK: VALUE = cr::RUBY_ENC_CODERANGE_BROKEN as VALUE;
const CR_7BIT: VALUE = cr::RUBY_ENC_CODERANGE_7BIT as VALUE;
const CR_BROKEN: i32 = cr::RUBY_ENC_CODERANGE_BROKEN as i32;
/// Index of UTF-8; that of binary is 0. `names::load` checks both.
const UTF8: VALUE = 1;
const US_ASCII: VALUE = 2;

/// How a String goes on the wire.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// UTF-8, US-ASCII, or pure ASCII in an encoding that contains it.
    Text,
    Binary,
    /// Has to be transcoded to UTF-8 first.
    Foreign,
}

/// Length in bytes. Never raises.
#[inline(always)]
pub fn len(s: Val) -> usize {
    debug_assert!(s.is_string());
    // SAFETY: `s` is a String.
    unsafe { RSTRING_LEN(s.0) as usize }
}

/// Runs `f` on the bytes. `f` must run no user code and change no string: nothing stops Ruby from moving them.
#[inline(always)]
pub fn with_bytes<R>(s: Val, f: impl FnOnce(&[u8]) -> R) -> R {
    debug_assert!(s.is_string());
    // SAFETY: pointer and length of a live String, which `s`, on the stack, keeps alive and in its place.
    let r = f(unsafe { std::slice::from_raw_parts(RSTRING_PTR(s.0) as *const u8, len(s)) });
    std::hint::black_box(s.0);
    r
}

/// How this String goes on the wire. Never raises.
#[inline(always)]
pub fn family(s: Val) -> Family {
    let flags = s.flags();
    match (flags & ENC_MASK) >> ENC_SHIFT {
        UTF8 | US_ASCII => Family::Text,
        0 => Family::Binary,
        _ => foreign_family(s),
    }
}

#[cold]
#[inline(never)]
fn foreign_family(s: Val) -> Family {
    // SAFETY: scans the bytes at most; never raises. Only ASCII-compatible encodings can be 7-bit.
    if unsafe { rb_sys::rb_enc_str_coderange(s.0) } as VALUE & CR_MASK == CR_7BIT {
        Family::Text
    } else {
        Family::Foreign
    }
}

/// `encode("UTF-8")` of a String in another encoding, with Ruby's errors. Jumps.
#[cold]
pub fn transcode_to_utf8(s: Val) -> Val {
    // SAFETY: raises or returns a String.
    unsafe { Val(rb_sys::rb_str_encode(s.0, rb_sys::rb_enc_from_encoding(names().utf8 as *mut _), 0, Val::NIL.0)) }
}

/// `encode("BINARY")`, with Ruby's errors for what is not ASCII. Jumps.
pub fn transcode_to_binary(s: Val) -> Val {
    if (s.flags() & ENC_MASK) == 0 {
        return s;
    }
    // SAFETY: raises or returns a String.
    unsafe { Val(rb_sys::rb_str_encode(s.0, rb_sys::rb_enc_from_encoding(names().binary as *mut _), 0, Val::NIL.0)) }
}

/// A fresh UTF-8 String. Memory only.
#[inline(always)]
pub fn utf8(bytes: &[u8]) -> Val {
    let s = binary(bytes);
    tag_utf8(s);
    s
}

/// A fresh binary String. Memory only.
#[inline(always)]
pub fn binary(bytes: &[u8]) -> Val {
    // SAFETY: copies the bytes; an empty slice has a dangling pointer that Ruby does not read.
    Val(unsafe { rb_sys::rb_str_new(bytes.as_ptr() as *const _, bytes.len() as _) })
}

/// A fresh binary String of `len` bytes, zeros that `fill` replaces. `fill` must run no Ruby code. Memory only; jumps
/// with Ruby's ArgumentError where no String can be so long.
#[inline(always)]
pub fn filled(len: usize, fill: impl FnOnce(&mut [u8])) -> Val {
    // SAFETY: Ruby makes room for `len` bytes and copies none into it. The String is fresh, so nobody else has its
    // bytes, and on the stack, so it stays where it is; they are zeroed before they are lent.
    unsafe {
        let s = rb_sys::rb_str_new(std::ptr::null(), len as _);
        let p = RSTRING_PTR(s) as *mut u8;
        std::ptr::write_bytes(p, 0, len);
        fill(std::slice::from_raw_parts_mut(p, len));
        std::hint::black_box(s);
        Val(s)
    }
}

/// Length in characters. Never raises.
pub fn chars(s: Val) -> usize {
    // SAFETY: `s` is a String; scans.
    unsafe { rb_sys::rb_str_strlen(s.0) as usize }
}

/// Tags a binary String that was just made as UTF-8: what `RB_ENCODING_SET_INLINED` does in C.
#[inline(always)]
fn tag_utf8(s: Val) {
    // SAFETY: `s` is fresh, unshared, and its encoding and coderange bits are zero, as `rb_str_new` leaves them.
    unsafe { (*(s.0 as *mut rb_sys::RBasic)).flags |= UTF8 << ENC_SHIFT }
}

/// Sets the encoding of a fresh or shared String that is not frozen. Memory only.
pub fn set_utf8(s: Val) {
    // SAFETY: `s` is not frozen.
    unsafe { rb_sys::rb_enc_associate_index(s.0, UTF8 as i32) };
}

/// As [`set_utf8`], for binary.
pub fn set_binary(s: Val) {
    // SAFETY: as above.
    unsafe { rb_sys::rb_enc_associate_index(s.0, 0) };
}

/// The interned, frozen String of these bytes: the object that `-"…"` gives. Memory only.
#[inline(always)]
pub fn interned_utf8(bytes: &[u8]) -> Val {
    interned(bytes, names().utf8)
}

/// As [`interned_utf8`], in binary.
pub fn interned_binary(bytes: &[u8]) -> Val {
    interned(bytes, names().binary)
}

#[inline(always)]
fn interned(bytes: &[u8], enc: *const rb_sys::rb_encoding) -> Val {
    // An empty slice may have any pointer; Ruby 3.0 crashed on a null one, so it gets a real one.
    let p = if bytes.is_empty() { c"".as_ptr() } else { bytes.as_ptr() as *const _ };
    // SAFETY: copies the bytes.
    Val(unsafe { rb_sys::rb_enc_interned_str(p, bytes.len() as _, enc) })
}

/// Whether the bytes are not valid in the String's encoding. Never raises.
pub fn is_broken(s: Val) -> bool {
    // SAFETY: scans.
    unsafe { rb_sys::rb_enc_str_coderange(s.0) == CR_BROKEN }
}

/// The Symbol of this String. Jumps: EncodingError when it [`is_broken`].
pub fn to_symbol(s: Val) -> Val {
    // SAFETY: raises or returns a Symbol.
    Val(unsafe { rb_sys::rb_str_intern(s.0) })
}

/// The frozen name of a Symbol. Never raises for static Symbols; memory only.
#[inline(always)]
pub fn symbol_name(sym: Val) -> Val {
    // SAFETY: `sym` is a Symbol.
    Val(unsafe { rb_sys::rb_sym2str(sym.0) })
}

/// A frozen String with the same content that later changes of `s` do not reach; shares its memory where it can. Memory only.
pub fn snapshot(s: Val) -> Val {
    // SAFETY: `s` is a String.
    Val(unsafe { rb_sys::rb_str_new_frozen(s.0) })
}

/// `len` bytes from `from` on, as a new String that shares memory with `s` where Ruby can. Memory only.
pub fn slice(s: Val, from: usize, len: usize) -> Val {
    debug_assert!(from + len <= self::len(s));
    // SAFETY: in range.
    Val(unsafe { rb_sys::rb_str_subseq(s.0, from as _, len as _) })
}

/// As [`slice()`], binary, of class String.
pub fn slice_binary(s: Val, from: usize, len: usize) -> Val {
    let piece = slice(s, from, len);
    if piece.flags() & ENC_MASK != 0 {
        set_binary(piece);
    }
    piece
}

/// `to_str` where needed; TypeError from Ruby else. Jumps for what is not a String.
#[inline]
pub fn coerce(v: Val) -> Val {
    if v.is_string() {
        return v;
    }
    let mut s = v.0;
    // SAFETY: raises or replaces `s` with a String.
    unsafe { rb_sys::rb_string_value(&mut s) };
    Val(s)
}

/// The String that `to_str` gives, or nil. Jumps (runs `to_str`).
pub fn try_coerce(v: Val) -> Val {
    // SAFETY: nil, a String, or raises.
    Val(unsafe { rb_sys::rb_check_string_type(v.0) })
}

/// The String that `v` is, or that its `to_str` gives. Anything else is called by `methods` that a String has, until it is
/// refused in Ruby's words. Jumps.
pub fn text(v: Val, methods: &[Id]) -> Val {
    if v.is_string() {
        return v;
    }
    let s = try_coerce(v);
    if s.is_nil() {
        for &method in methods {
            call::send_public(v, method, &[]);
        }
        return coerce(v);
    }
    s
}

/// An empty binary String with room for `cap` bytes. Memory only.
pub fn with_capacity(cap: usize) -> Val {
    // SAFETY: allocates.
    Val(unsafe { rb_sys::rb_str_buf_new(cap as _) })
}

/// Appends bytes to a String that is not frozen, whatever the encodings. Jumps if frozen.
pub fn append(s: Val, bytes: &[u8]) {
    // SAFETY: copies the bytes; raises when frozen.
    unsafe { rb_sys::rb_str_cat(s.0, bytes.as_ptr() as *const _, bytes.len() as _) };
}

/// Empties a String; FrozenError when it is frozen. Jumps.
pub fn clear(s: Val) {
    // SAFETY: `rb_str_resize` raises when frozen.
    unsafe { rb_sys::rb_str_resize(s.0, 0) };
}

/// Raises FrozenError if the String is frozen. Jumps.
pub fn check_mutable(s: Val) {
    // SAFETY: raises, or makes the String ready to be changed.
    unsafe { rb_sys::rb_str_modify(s.0) };
}

/// Replaces the content, encoding included. Jumps when frozen.
pub fn replace(s: Val, with: Val) {
    // SAFETY: as above.
    unsafe { rb_sys::rb_str_replace(s.0, with.0) };
}

/// How Ruby's TypeErrors name an argument: nil, true, false, or the class.
pub fn type_name(v: Val) -> String {
    if v.is_nil() {
        "nil".into()
    } else if v == Val::TRUE {
        "true".into()
    } else if v == Val::FALSE {
        "false".into()
    } else {
        class_name(v)
    }
}

/// The name of the class of `v` (of NilClass for nil). Never raises.
pub fn class_name(v: Val) -> String {
    // SAFETY: a C string that lives as long as the class.
    unsafe { std::ffi::CStr::from_ptr(rb_sys::rb_obj_classname(v.0)) }.to_string_lossy().into_owned()
}

/// `v.to_s` or `v.inspect` as text for a message: a copy. Jumps (runs the method): call it before owning anything.
pub fn text_of(v: Val, inspect: bool) -> Val {
    // SAFETY: a String, or raises.
    Val(unsafe {
        if inspect {
            rb_sys::rb_inspect(v.0)
        } else {
            rb_sys::rb_obj_as_string(v.0)
        }
    })
}
