//! Making a `::Time`.

use super::{call, names::names, number, Val};
use std::{ffi::c_long, mem::size_of};

/// The Time so many seconds and nanoseconds after 1970, in the local zone: `Time.at(sec, nsec, :nanosecond)`. Memory only
/// for less than a second of nanoseconds; else, and where C's types are too small, it calls just that, and jumps.
pub fn at(sec: i64, nsec: u32) -> Val {
    if nsec < 1_000_000_000 && size_of::<rb_sys::time_t>() == 8 && size_of::<c_long>() == 8 {
        // SAFETY: allocates; takes all seconds, and so many nanoseconds without adding to them.
        return Val(unsafe { rb_sys::rb_time_nano_new(sec as _, nsec as _) });
    }
    let nsec = number::from_i32_range(i64::from(nsec));
    call::send(names().time, names().at, &[number::from_i64(sec), nsec, names().sym_nanosecond])
}
