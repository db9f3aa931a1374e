//! Reads single heads: those of arrays and maps, and nil.

use super::{super::fail::Fail, Half, Stop, UnpackCore};
use crate::bridge::data::Obj;
use msgpack_wire::{
    head::{self, Head, Parsed},
    marker,
};

/// The count of an array (or map) header, which is consumed; anything else stays.
pub fn read_header(u: Obj<UnpackCore>, map: bool) -> Result<u32, Fail> {
    u.check_caller()?;
    u.fault_at(0);
    if u.half.get() != Half::None {
        return Err(Fail::UnexpectedType);
    }
    loop {
        let window = u.window.get().saturating_sub(u.buffer.consumed());
        match u.buffer.with_front(window, |bytes, _| head::parse(bytes)) {
            Parsed::Head { head: found @ (Head::Array(n) | Head::Map(n)), used }
                if map == matches!(found, Head::Map(_)) =>
            {
                if let Some(limits) = u.limits.get() {
                    let mut count = if u.depth.get() == 0 { 0 } else { u.count.get() };
                    limits.admit_head(found, u.depth.get(), &mut count)?;
                    u.count.set(count);
                }
                u.buffer.advance(used);
                return Ok(n);
            }
            Parsed::NeedMore(n) if n == 1 || header_may_match(u, map) => u.need(n, false).map_err(Stop::fail)?,
            _ => return Err(Fail::UnexpectedType),
        }
    }
}

/// Whether the first byte is that of a header of the kind asked for.
fn header_may_match(u: Obj<UnpackCore>, map: bool) -> bool {
    let wanted = if map { [marker::MAP16, marker::MAP32] } else { [marker::ARRAY16, marker::ARRAY32] };
    u.first_byte().is_some_and(|b| wanted.contains(&b))
}

/// Consumes a nil if that is what comes next.
pub fn skip_nil(u: Obj<UnpackCore>) -> Result<bool, Fail> {
    u.check_caller()?;
    if u.half.get() != Half::None {
        return Ok(false);
    }
    loop {
        match u.first_byte() {
            Some(marker::NIL) => {
                u.buffer.advance(1);
                return Ok(true);
            }
            Some(_) => return Ok(false),
            None => u.need(1, false).map_err(Stop::fail)?,
        }
    }
}
