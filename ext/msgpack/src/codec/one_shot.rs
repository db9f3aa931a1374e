//! One value to bytes and back, without making a Packer or an Unpacker.

use super::{
    decode::{one_byte, Decoder, Event},
    encode::Encoder,
    ext::{self, Action},
    fail::Fail,
    limits::Limits,
    options::UnpackOptions,
    registry::Registry,
    unpacker,
};
use crate::bridge::{data::Obj, hash, stack::Room, string, writer::Block, Val};

/// The staging block of a one-shot encode, 4 KiB: most messages never leave the machine stack.
const BLOCK: usize = 4096;
/// Places for values in the frame of a decode: a smaller room spills on real documents, and spilled values cost the
/// collector more.
const ROOM: usize = 512;

/// The bytes of a value, as a fresh, unfrozen binary String. Jumps.
#[inline(always)]
pub fn pack(v: Val, registry: Obj<Registry>, compatibility: bool) -> Val {
    let mut block = Block::<BLOCK>::new();
    let mut e = Encoder::new(block.writer(), registry, compatibility);
    e.value(v);
    e.finish()
}

/// The one value that a String holds. Jumps: errors, ext types; after a jump nothing is left to clean up.
#[inline(always)]
pub fn unpack(source: Val, registry: Obj<Registry>, options: UnpackOptions, limits: Option<Limits>) -> Val {
    let lone = string::with_bytes(source, |bytes| if let [b] = bytes { one_byte(*b) } else { None });
    if let (Some(v), None) = (lone, limits) {
        return v;
    }
    if registry.unpacks_recursively() {
        return unpacker::unpack(source, registry, options, limits);
    }
    let mut room = Room::<ROOM>::new();
    let mut d: Decoder<'_> = Decoder::new(room.stack(), options, 0, limits);
    let result = drive(&mut d, source, registry, options);
    d.stack.clear();
    registry.keep();
    match result {
        Ok(v) => v,
        Err((fail, offset)) => fail.raise(offset as u64),
    }
}

/// The value, or what is wrong at which byte.
#[inline(always)]
fn drive(
    d: &mut Decoder<'_>,
    given: Val,
    registry: Obj<Registry>,
    options: UnpackOptions,
) -> Result<Val, (Fail, usize)> {
    let (mut source, mut at) = (given, 0);
    loop {
        let (event, used) = string::with_bytes(source, |bytes| d.run(&bytes[at..], Some(source)));
        at += used;
        match event {
            Event::Done => {
                let left = string::len(source) - at;
                return if left == 0 { Ok(d.result()) } else { Err((Fail::ExtraBytes(left as u64), at)) };
            }
            Event::Need { .. } => return Err((Fail::EndOfBuffer, at)),
            Event::Fail { fail, width } => return Err((fail, at - width)),
            // Not with room for all levels that there may be.
            Event::Full => return Err((Fail::TooDeep, at)),
            Event::Pair => {
                source = string::snapshot(source);
                let (h, k, v) = d.pair();
                hash::set(h, k, v);
            }
            Event::Ext { type_id, head, len } => {
                // User code may change the String that was given, but not a snapshot of it.
                source = string::snapshot(source);
                let v = ext_value(source, at + head, len, type_id, registry, options).map_err(|fail| (fail, at))?;
                d.push(v);
                at += head + len;
            }
        }
    }
}

#[inline(never)]
fn ext_value(
    source: Val,
    from: usize,
    len: usize,
    type_id: i8,
    registry: Obj<Registry>,
    options: UnpackOptions,
) -> Result<Val, Fail> {
    let payload = || string::with_bytes(source, |bytes| string::binary(&bytes[from..from + len]));
    match ext::action(&registry, options, type_id) {
        Action::Refuse(fail) => Err(fail),
        Action::Symbol => string::with_bytes(source, |bytes| ext::symbol(&bytes[from..from + len])),
        Action::Keep => Ok(ext::keep(type_id, payload(), options.freeze)),
        // Types that read from an unpacker have got one.
        Action::Call(callable) | Action::CallRecursively(callable) => {
            Ok(ext::result(callable.call(&[payload()]), options.freeze))
        }
    }
}
