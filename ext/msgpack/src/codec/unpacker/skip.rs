//! Passes over objects: no procs, no Strings, no Symbols.

use super::{
    super::{
        decode::{Frame, Kind, ROOT},
        fail::{Fail, MAX_DEPTH},
    },
    Half, Stop, UnpackCore,
};
use crate::bridge::{data::Obj, stack::Stack};
use msgpack_wire::{
    error::SkipErrorKind,
    skip::{Progress, Skip},
};

/// Passes over one object by its lengths.
pub fn skip(u: Obj<UnpackCore>) -> Result<(), Fail> {
    u.check_caller()?;
    let pending = u.pending();
    match u.half.replace(Half::Skipped) {
        Half::Skipped => {}
        // The values so far go; the frames say how many objects are still to come.
        Half::Read => Stack::resume(pending.spill.take(), pending.len.replace(0)).clear(),
        Half::None => {
            pending.top.set(ROOT);
            pending.outer.borrow_mut().clear();
        }
    }
    finish(u)
}

/// Skips on. The state is in locals meanwhile: the IO may call back.
pub fn finish(u: Obj<UnpackCore>) -> Result<(), Fail> {
    let p = u.pending();
    let mut top = p.top.get();
    let mut outer = std::mem::take(&mut *p.outer.borrow_mut());
    let mut element = p.skip.borrow_mut().take();
    u.half.set(Half::None);
    let allowed = u.limits.get().map_or(MAX_DEPTH, |limits| limits.depth());
    loop {
        while top.left == 0 {
            let Some(next) = outer.pop() else { return Ok(()) };
            top = Frame { left: next.left - 1, ..next };
        }
        let levels = u.depth.get() + outer.len();
        let skip = element.get_or_insert_with(|| Box::new(Skip::new(allowed.saturating_sub(levels))));
        let window = u.window.get().saturating_sub(u.buffer.consumed());
        let (progress, given) = u.buffer.with_front(window, |bytes, _| (skip.feed(bytes), bytes.len()));
        match progress {
            Ok(Progress::Done { used }) => {
                u.buffer.advance(used);
                element = None;
                top.left -= 1;
            }
            Ok(Progress::More) => {
                u.buffer.advance(given);
                if u.available() > 0 {
                    continue;
                }
                let missing = usize::try_from(skip.missing()).unwrap_or(usize::MAX);
                let begun = !skip.is_idle() || !outer.is_empty() || top.kind != Kind::Root;
                match u.need(missing.max(1), missing > 0) {
                    Ok(()) => {}
                    Err(Stop::Suspend(fail)) => {
                        if begun {
                            p.top.set(top);
                            *p.outer.borrow_mut() = outer;
                            *p.skip.borrow_mut() = element;
                            u.half.set(Half::Skipped);
                        }
                        return Err(fail);
                    }
                    Err(stop) => return Err(stop.fail()),
                }
            }
            Err(e) => {
                u.buffer.advance(e.used);
                u.fault_at(1);
                return Err(match (e.kind, u.limits.get()) {
                    (SkipErrorKind::Reserved, _) => Fail::InvalidByte,
                    (SkipErrorKind::TooDeep, Some(limits)) => {
                        limits.admit_level(allowed + 1).err().unwrap_or(Fail::TooDeep)
                    }
                    (SkipErrorKind::TooDeep, None) => Fail::TooDeep,
                });
            }
        }
    }
}
