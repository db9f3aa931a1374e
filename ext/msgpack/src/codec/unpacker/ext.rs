//! Reads ext values: what the type's proc makes of the payload.

use super::{
    super::{
        ext::{self, Action},
        fail::{Fail, MAX_DEPTH},
        registry::Callable,
    },
    Stop, UnpackCore,
};
use crate::bridge::{call, data::Obj, raise, Val};

/// The value of an ext, which is consumed whatever comes of it. `open` containers are around it.
#[inline(never)]
pub fn value(u: Obj<UnpackCore>, open: usize, type_id: i8, head: usize, len: usize) -> Result<Val, Stop> {
    let registry = u.registry();
    let freeze = u.options().freeze;
    u.fault_at(0);
    u.buffer.advance(head);
    match ext::action(&registry, u.options(), type_id) {
        Action::Refuse(fail) => {
            u.buffer.skip(len);
            Err(Stop::Forget(fail))
        }
        Action::Keep => Ok(ext::keep(type_id, u.buffer.take(len), freeze)),
        Action::Symbol => {
            let symbol = u.buffer.with_front(len as u64, |payload, _| ext::symbol(payload));
            u.buffer.skip(len);
            symbol.map_err(Stop::Forget)
        }
        Action::CallRecursively(callable) => recursive(u, open, callable, len),
        Action::Call(callable) => {
            let payload = u.buffer.take(len);
            let epoch = u.epoch.get();
            let outside = u.in_proc.replace(true);
            let done = call::protect(|| callable.call(&[payload]));
            if u.epoch.get() == epoch {
                u.in_proc.set(outside);
            }
            let v = done.map_err(|jump| Stop::Forget(Fail::Jump(jump)))?;
            u.check_epoch(epoch)?;
            Ok(ext::result(v, freeze))
        }
    }
}

/// The proc of a recursive type reads its payload from the unpacker, which shows it nothing else.
fn recursive(u: Obj<UnpackCore>, open: usize, callable: Callable, len: usize) -> Result<Val, Stop> {
    let depth = u.depth.get() + open + 1;
    let admitted = match u.limits.get() {
        Some(limits) => limits.admit_level(depth),
        None => Ok(()),
    };
    let admitted = if depth > MAX_DEPTH || raise::stack_is_low() { Err(Fail::TooDeep) } else { admitted };
    if let Err(fail) = admitted {
        u.buffer.skip(len);
        return Err(Stop::Forget(fail));
    }
    let end = u.buffer.consumed() + len as u64;
    let epoch = u.epoch.get();
    let (outer_window, outer_depth) = (u.window.replace(end), u.depth.replace(depth));
    let done = call::protect(|| callable.call(&[u.val()]));
    if u.epoch.get() != epoch {
        return Err(Stop::Forget(done.map_or_else(Fail::Jump, |_| Fail::EndOfBuffer)));
    }
    u.window.set(outer_window);
    u.depth.set(outer_depth);
    let left = end.saturating_sub(u.buffer.consumed());
    if done.is_ok() && left > 0 {
        u.fault_at(0);
    }
    u.buffer.skip(left as usize);
    match done {
        Err(jump) => Err(Stop::Forget(Fail::Jump(jump))),
        Ok(_) if left > 0 => Err(Stop::Forget(Fail::ExtraBytes(left))),
        Ok(v) => Ok(ext::result(v, u.options().freeze)),
    }
}
