//! Reads objects: resumable at any byte, with or without IO.

use super::{
    super::{
        decode::{lone, one_byte, Decoder, Event},
        fail::{Fail, MAX_DEPTH},
        limits::Limits,
        options::UnpackOptions,
        registry::Registry,
        types::types,
    },
    allocate, ext, or_raise, skip, Half, Stop, UnpackCore, OPEN,
};
use crate::bridge::{call, data::Obj, hash, stack::Room, Val};

/// Places for values in the frame of a read, and in that of a read inside a recursive ext proc, which nests.
const ROOM: usize = 512;
const NESTED_ROOM: usize = 32;
/// Containers that a read inside a recursive ext proc has room for at first.
const SHALLOW: usize = 16;

/// The next object.
#[inline(always)]
pub fn read(u: Obj<UnpackCore>) -> Result<Val, Fail> {
    u.check_caller()?;
    if u.half.get() == Half::None && u.limits.get().is_none() {
        let window = u.window.get().saturating_sub(u.buffer.consumed());
        let found = u.buffer.with_front(window, |bytes, _| match one_byte(*bytes.first()?) {
            Some(v) => Some((v, 1)),
            None => lone(bytes, u.options().freeze),
        });
        if let Some((v, used)) = found {
            u.buffer.advance(used);
            return Ok(v);
        }
    }
    read_any(u)
}

#[inline(never)]
fn read_any(u: Obj<UnpackCore>) -> Result<Val, Fail> {
    if u.half.get() == Half::Skipped {
        skip::finish(u)?;
    }
    if u.depth.get() == 0 {
        return read_outer(u);
    }
    let open = if u.half.get() == Half::Read { u.pending().outer.borrow().len() } else { 0 };
    if open < SHALLOW {
        if let Some(v) = read_nested::<SHALLOW>(u)? {
            return Ok(v);
        }
    }
    read_nested::<MAX_DEPTH>(u)?.ok_or(Fail::TooDeep)
}

#[inline(never)]
fn read_outer(u: Obj<UnpackCore>) -> Result<Val, Fail> {
    read_in::<MAX_DEPTH, ROOM>(u, Room::new())?.ok_or(Fail::TooDeep)
}

/// In a frame of its own: 128 of these have to fit on the stack of a Thread or Fiber.
#[inline(never)]
fn read_nested<const N: usize>(u: Obj<UnpackCore>) -> Result<Option<Val>, Fail> {
    read_in::<N, NESTED_ROOM>(u, Room::new())
}

/// None, and a half-read object, if that has more levels than `N`.
#[inline(always)]
fn read_in<const N: usize, const R: usize>(u: Obj<UnpackCore>, mut room: Room<R>) -> Result<Option<Val>, Fail> {
    let mut d = Decoder::<N>::new(room.stack(), u.options(), u.depth.get(), u.limits.get());
    if u.depth.get() > 0 {
        d.count = u.count.get();
    }
    u.resume(&mut d);
    let result = drive(u, &mut d);
    u.count.set(d.count);
    match result {
        Ok(v) => {
            d.stack.clear();
            Ok(Some(v))
        }
        Err(Stop::Full) => {
            u.suspend(&d);
            Ok(None)
        }
        Err(Stop::Suspend(fail)) => {
            u.suspend(&d);
            Err(fail)
        }
        Err(Stop::Forget(fail)) => {
            d.stack.clear();
            Err(fail)
        }
    }
}

#[inline(always)]
fn drive<const N: usize>(u: Obj<UnpackCore>, d: &mut Decoder<'_, N>) -> Result<Val, Stop> {
    loop {
        let window = u.window.get().saturating_sub(u.buffer.consumed());
        let (event, used) = u.buffer.with_front(window, |bytes, source| d.run(bytes, source));
        u.buffer.advance(used);
        match event {
            Event::Done => return Ok(d.result()),
            Event::Need { n, body } => u.need(n, body)?,
            Event::Fail { fail, width } => {
                u.fault_at(width);
                // What is over a limit stays where it is, and its containers open: it is met again until a reset.
                return Err(if matches!(fail, Fail::Limit(_)) { Stop::Suspend(fail) } else { Stop::Forget(fail) });
            }
            Event::Full => return Err(Stop::Full),
            Event::Pair => {
                let (h, k, v) = d.pair();
                let epoch = u.epoch.get();
                let put = call::protect(|| {
                    hash::set(h, k, v);
                    Val::NIL
                });
                put.map_err(|jump| Stop::Forget(Fail::Jump(jump)))?;
                u.check_epoch(epoch)?;
            }
            Event::Ext { type_id, head, len } => {
                u.count.set(d.count);
                let v = ext::value(u, d.outer.len(), type_id, head, len)?;
                d.count = u.count.get();
                d.push(v);
            }
        }
    }
}

/// Reads one object; more bytes behind it are an error, and stay.
pub fn full_unpack(u: Obj<UnpackCore>) -> Result<Val, Fail> {
    let v = read(u)?;
    match u.available() {
        0 => Ok(v),
        n => {
            u.fault_at(0);
            Err(Fail::ExtraBytes(n))
        }
    }
}

/// The next object for `each`: None at the end of the data.
pub fn read_next(u: Obj<UnpackCore>) -> Result<Option<Val>, Fail> {
    u.check_caller()?;
    if u.window.get() != OPEN && u.available() == 0 && u.half.get() == Half::None {
        return Ok(None);
    }
    match read(u) {
        Ok(v) => Ok(Some(v)),
        Err(Fail::EndOfBuffer | Fail::EndOfIo) => Ok(None),
        Err(Fail::EofOfIo(jump)) => {
            jump.forget();
            Ok(None)
        }
        Err(fail) => Err(fail),
    }
}

/// A one-shot read by an unpacker, for recursive ext types, whose procs get it as argument. Jumps.
pub fn unpack(source: Val, registry: Obj<Registry>, options: UnpackOptions, limits: Option<Limits>) -> Val {
    let u = allocate(types().unpacker, registry, options);
    u.limits.set(limits);
    u.buffer.feed(source);
    or_raise(u, full_unpack(u))
}
