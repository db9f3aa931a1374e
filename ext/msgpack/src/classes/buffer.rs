//! `MessagePack::Buffer`: bytes of its own, or a view of those of a packer or unpacker.

use super::io_arguments::{too_many, IoArguments};
use crate::{
    bridge::{
        call,
        data::{self, Data, Descriptor, Marker, Obj, Slot},
        method,
        names::names,
        number, raise, string, Val,
    },
    codec::{buffer::Buffer, fail::Fail, packer::PackCore, types::types, unpacker::UnpackCore},
};
use magnus::{method as m, prelude::*, Error, RClass, Value};

struct Handle {
    own: Buffer,
    /// The packer or unpacker whose buffer this is, or nil.
    owner: Slot,
}

static BUFFER: Descriptor<Handle> = Descriptor::new(c"MessagePack::Buffer");

impl Data for Handle {
    fn descriptor() -> &'static Descriptor<Self> {
        &BUFFER
    }

    fn mark(&self, marker: &Marker) {
        self.own.mark(marker);
        marker.mark(&self.owner);
    }

    fn memory(&self) -> usize {
        self.own.memory()
    }
}

impl method::Allocate for Handle {
    fn allocate(class: Val) -> Val {
        data::wrap(class, Handle { own: Buffer::new(), owner: Slot::new(Val::NIL) }).val()
    }
}

/// Where a Buffer object's bytes are.
enum Place {
    Own(Obj<Handle>),
    Packer(Obj<PackCore>),
    Unpacker(Obj<UnpackCore>),
}

impl std::ops::Deref for Place {
    type Target = Buffer;
    #[inline]
    fn deref(&self) -> &Buffer {
        match self {
            Place::Own(h) => &h.own,
            Place::Packer(p) => &p.buffer,
            Place::Unpacker(u) => &u.buffer,
        }
    }
}

fn place(this: Val) -> Place {
    let handle = data::get::<Handle>(this);
    let owner = handle.owner.get();
    if let Some(packer) = data::try_get::<PackCore>(owner) {
        Place::Packer(packer)
    } else if let Some(unpacker) = data::try_get::<UnpackCore>(owner) {
        Place::Unpacker(unpacker)
    } else {
        Place::Own(handle)
    }
}

/// The Buffer object for an owner, made at first use and kept in its slot. Memory only.
pub fn view(owner: Val, slot: &Slot) -> Val {
    if slot.get().is_none() {
        let handle = data::wrap(types().buffer, Handle { own: Buffer::new(), owner: Slot::new(owner) });
        call::set_ivar(handle.val(), names().iv_owner, owner);
        slot.set(handle.val());
    }
    slot.get()
}

fn initialize(this: Val, args: &[Value]) -> Val {
    let args = IoArguments::of_buffer(method::vals(args));
    args.apply_to(&place(this));
    call::set_ivar(this, names().iv_owner, data::get::<Handle>(this).owner.get());
    this
}

/// Ractors copy an object by this method.
fn initialize_copy(this: Val, _: Val) -> Val {
    raise::class_name_in(names().type_error, "can not copy ", this, " object.")
}

// ---- writing ----

fn append(this: Val, data: Val) -> Val {
    write(this, data);
    this
}

fn write(this: Val, data: Val) -> usize {
    let data = string::coerce(data);
    let buffer = place(this);
    buffer.append_string(data, buffer.sizes().write_reference);
    string::len(data)
}

// ---- reading ----

/// Length and out buffer of the reading methods.
struct Request {
    /// Bytes asked for; None for all.
    n: Option<usize>,
    out: Option<Val>,
}

impl Request {
    /// Checks the arguments, before anything is consumed. Jumps.
    fn new(args: &[Val]) -> Request {
        let (n, out) = match *args {
            [] => (Val::NIL, Val::NIL),
            [n] => (n, Val::NIL),
            [n, out] => (n, out),
            _ => too_many(args.len()),
        };
        let n = if n.is_nil() { None } else { Some(length(n)) };
        let out = if out.is_nil() { None } else { Some(out_buffer(out)) };
        Request { n, out }
    }

    /// Raises if the out buffer was frozen meanwhile, before anything is consumed. Jumps.
    fn check(&self) {
        if let Some(out) = self.out {
            string::check_mutable(out);
        }
    }

    /// Hands a result over, in the out buffer if there is one.
    fn give(&self, s: Val) -> Val {
        match self.out {
            None => s,
            Some(out) => {
                string::replace(out, s);
                out
            }
        }
    }

    /// An empty out buffer and nil, or "" where nothing was asked for.
    fn give_nothing(&self) -> Val {
        if let Some(out) = self.out {
            string::clear(out);
        }
        Val::NIL
    }
}

/// A number of bytes. Jumps.
fn length(v: Val) -> usize {
    let n = number::to_long(v);
    usize::try_from(n).unwrap_or_else(|_| raise::fmt(names().arg_error, format_args!("negative length {n} given")))
}

fn out_buffer(v: Val) -> Val {
    let s = string::try_coerce(v);
    if s.is_nil() {
        raise::with(names().type_error, "instance of String needed")
    }
    string::check_mutable(s);
    s
}

/// Reads from the IO until `n` bytes are there or the IO ends, asking for no more than is missing. Jumps.
fn fill_up_to(buffer: &Buffer, n: usize) {
    while buffer.len() < n && !buffer.port.io().is_nil() {
        match buffer.refill_protected(n - buffer.len()) {
            Ok(()) => {}
            Err(Fail::EofOfIo(jump)) => return jump.forget(),
            Err(Fail::EndOfIo) => return,
            Err(fail) => fail.raise(0),
        }
    }
}

/// Makes sure that `n` bytes are there, reading ahead; EOFError else, and all that was read stays. Jumps.
fn fill_exactly(buffer: &Buffer, n: usize) {
    while buffer.len() < n {
        if buffer.port.io().is_nil() {
            Fail::EndOfBuffer.raise(0)
        }
        if let Err(fail) = buffer.refill(usize::MAX) {
            fail.raise(0)
        }
    }
}

fn read(this: Val, args: &[Value]) -> Val {
    let request = Request::new(method::vals(args));
    let buffer = place(this);
    match request.n {
        None => {
            fill_up_to(&buffer, usize::MAX);
            request.check();
            request.give(buffer.take_all())
        }
        Some(0) => request.give(string::binary(&[])),
        Some(n) => {
            fill_up_to(&buffer, n);
            request.check();
            match n.min(buffer.len()) {
                0 => request.give_nothing(),
                n => request.give(buffer.take(n)),
            }
        }
    }
}

fn read_all(this: Val, args: &[Value]) -> Val {
    let request = Request::new(method::vals(args));
    let Some(n) = request.n else { return read(this, args) };
    let buffer = place(this);
    fill_exactly(&buffer, n);
    request.check();
    request.give(buffer.take(n))
}

fn skip(this: Val, n: Val) -> usize {
    let n = length(n);
    let buffer = place(this);
    fill_up_to(&buffer, n);
    let n = n.min(buffer.len());
    buffer.skip(n);
    n
}

fn skip_all(this: Val, n: Val) -> Val {
    let n = length(n);
    let buffer = place(this);
    fill_exactly(&buffer, n);
    buffer.skip(n);
    this
}

// ---- the rest ----

fn size(this: Val) -> usize {
    place(this).len()
}

fn is_empty(this: Val) -> bool {
    place(this).len() == 0
}

fn clear(this: Val) -> Val {
    place(this).clear();
    Val::NIL
}

fn to_s(this: Val) -> Val {
    place(this).to_s()
}

fn to_a(this: Val) -> Val {
    place(this).to_a()
}

fn io(this: Val) -> Val {
    place(this).port.io()
}

fn flush(this: Val) -> Val {
    place(this).flush();
    this
}

fn close(this: Val) -> Val {
    place(this).port.close()
}

fn write_to(this: Val, io: Val) -> u64 {
    place(this).write_to(io)
}

pub fn init(class: RClass) -> Result<(), Error> {
    method::define_allocator::<Handle>(super::val(class));
    method::undefine(super::val(class), c"dup");
    method::undefine(super::val(class), c"clone");
    class.define_private_method("initialize", m!(initialize, -1))?;
    class.define_private_method("initialize_copy", m!(initialize_copy, 1))?;
    class.define_method("<<", m!(append, 1))?;
    class.define_method("write", m!(write, 1))?;
    class.define_method("read", m!(read, -1))?;
    class.define_method("read_all", m!(read_all, -1))?;
    class.define_method("skip", m!(skip, 1))?;
    class.define_method("skip_all", m!(skip_all, 1))?;
    class.define_method("size", m!(size, 0))?;
    class.define_method("empty?", m!(is_empty, 0))?;
    class.define_method("clear", m!(clear, 0))?;
    class.define_method("to_s", m!(to_s, 0))?;
    class.define_alias("to_str", "to_s")?;
    class.define_method("to_a", m!(to_a, 0))?;
    class.define_method("io", m!(io, 0))?;
    class.define_method("flush", m!(flush, 0))?;
    class.define_method("close", m!(close, 0))?;
    class.define_method("write_to", m!(write_to, 1))?;
    Ok(())
}
