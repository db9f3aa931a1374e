//! What an Unpacker object holds, and how it reads: resumable at any byte, with or without IO.

use super::{
    buffer::Buffer,
    decode::{lone, one_byte, Decoder, Event, Frame, Kind, ROOT},
    ext::{self, Action},
    fail::{Fail, MAX_DEPTH},
    limits::Limits,
    options::{UnpackOptions, UnpackSettings},
    registry::{Callable, Registry},
};
use crate::bridge::{
    call,
    data::{self, Data, Descriptor, Marker, Obj, Slot},
    hash, raise,
    stack::{Room, Stack},
    Val,
};
use msgpack_wire::{
    error::SkipErrorKind,
    head::{self, Head, Parsed},
    marker,
    skip::{Progress, Skip},
};
use std::cell::{Cell, OnceCell, RefCell};

/// Places for values in the frame of a read, and in that of a read inside a recursive ext proc, which nests.
const ROOM: usize = 512;
const NESTED_ROOM: usize = 32;
/// Containers that a read inside a recursive ext proc has room for at first.
const SHALLOW: usize = 16;
/// No window: reads go as far as the data does.
const OPEN: u64 = u64::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    None,
    Read,
    Skipped,
}

/// A half-read object that waits for more bytes.
struct Pending {
    /// The value stack's memory, and how many values are on it.
    spill: Slot,
    len: Cell<usize>,
    /// Objects read so far, if there are limits.
    count: Cell<u64>,
    top: Cell<Frame>,
    outer: RefCell<Vec<Frame>>,
    /// The element under way, while skipping.
    skip: RefCell<Option<Box<Skip>>>,
}

pub struct UnpackCore {
    pub buffer: Buffer,
    registry: Slot,
    options: Cell<UnpackOptions>,
    limits: Cell<Option<Limits>>,
    /// Objects read for the outermost object so far, if there are limits; for the reads inside recursive ext procs.
    count: Cell<u64>,
    /// Where the last error was, counted from the first byte ever fed.
    fault: Cell<u64>,
    /// The Buffer object that looks at `buffer`, or NONE.
    pub view: Slot,
    /// Whether an object is half-read, and its state: made when it is first needed, which keeps idle unpackers small.
    half: Cell<Half>,
    pending: OnceCell<Box<Pending>>,
    /// Where the payload of the recursive ext type ends whose proc is running, or [`OPEN`].
    window: Cell<u64>,
    /// Levels in use by the objects around that payload.
    depth: Cell<usize>,
    /// A plain ext proc is running.
    in_proc: Cell<bool>,
    /// Counts the resets.
    epoch: Cell<u32>,
}

static UNPACKER: Descriptor<UnpackCore> = Descriptor::new(c"MessagePack::Unpacker");

impl Data for UnpackCore {
    const EMBEDDED: bool = true;

    fn descriptor() -> &'static Descriptor<Self> {
        &UNPACKER
    }

    fn mark(&self, marker: &Marker) {
        self.buffer.mark(marker);
        marker.mark(&self.registry);
        marker.mark(&self.view);
        if let Some(pending) = self.pending.get() {
            marker.mark(&pending.spill);
        }
    }

    fn memory(&self) -> usize {
        let pending = self.pending.get().map_or(0, |p| {
            std::mem::size_of::<Pending>()
                + p.outer.try_borrow().map_or(0, |frames| frames.capacity()) * std::mem::size_of::<Frame>()
                + p.len.get() * std::mem::size_of::<Val>()
        });
        self.buffer.memory() + pending
    }
}

/// A new unpacker object of `class`. Memory only.
pub fn allocate(class: Val, registry: Obj<Registry>, options: UnpackOptions) -> Obj<UnpackCore> {
    let unpacker = data::wrap(
        class,
        UnpackCore {
            buffer: Buffer::new(),
            registry: Slot::new(registry.val()),
            options: Cell::new(options),
            limits: Cell::new(None),
            count: Cell::new(0),
            fault: Cell::new(0),
            view: Slot::empty(),
            half: Cell::new(Half::None),
            pending: OnceCell::new(),
            window: Cell::new(OPEN),
            depth: Cell::new(0),
            in_proc: Cell::new(false),
            epoch: Cell::new(0),
        },
    );
    registry.keep();
    unpacker
}

/// A one-shot read by an unpacker, for recursive ext types, whose procs get it as argument. Jumps.
pub fn unpack(source: Val, registry: Obj<Registry>, options: UnpackOptions, limits: Option<Limits>) -> Val {
    let u = allocate(super::types::types().unpacker, registry, options);
    u.limits.set(limits);
    u.buffer.feed(source);
    or_raise(u, full_unpack(u))
}

/// The value, or the exception. Jumps.
#[inline(always)]
pub fn or_raise<T>(u: Obj<UnpackCore>, result: Result<T, Fail>) -> T {
    match result {
        Ok(v) => v,
        Err(fail) => fail.raise(u.fault.get()),
    }
}

/// Why a read ended without a value.
enum Stop {
    /// The end of the data: what was read is kept.
    Suspend(Fail),
    /// An error: open containers are forgotten.
    Forget(Fail),
    /// The decoder has no room for more levels: what was read is kept, for one that has.
    Full,
}

impl UnpackCore {
    #[inline(always)]
    pub fn registry(&self) -> Obj<Registry> {
        data::get::<Registry>(self.registry.get())
    }

    pub fn set_registry(&self, registry: Obj<Registry>) {
        self.registry.set(registry.val());
    }

    pub fn options(&self) -> UnpackOptions {
        self.options.get()
    }

    pub fn configure(&self, settings: UnpackSettings) {
        self.options.set(settings.options);
        self.limits.set(settings.limits);
        self.buffer.set_sizes(settings.sizes);
    }

    /// Notes where the error is: `width` bytes before the read end.
    fn fault_at(&self, width: usize) {
        self.fault.set(self.buffer.consumed().saturating_sub(width as u64));
    }

    /// Empties the buffer and forgets a half-read object.
    pub fn reset(&self) {
        self.buffer.clear();
        self.forget();
        self.window.set(OPEN);
        // A proc that never came back, in a Fiber that was given up, must not block what comes now.
        self.in_proc.set(false);
        self.depth.set(0);
        self.epoch.set(self.epoch.get().wrapping_add(1));
    }

    fn forget(&self) {
        self.half.set(Half::None);
        if let Some(pending) = self.pending.get() {
            pending.spill.set(Val::NONE);
            pending.len.set(0);
            pending.outer.borrow_mut().clear();
            *pending.skip.borrow_mut() = None;
        }
    }

    #[inline(always)]
    fn check_caller(&self) -> Result<(), Fail> {
        if self.in_proc.get() {
            self.fault_at(0);
            Err(Fail::Reentered)
        } else {
            Ok(())
        }
    }

    /// Bytes up to the end of the payload that is being read, or of the buffered data.
    fn available(&self) -> u64 {
        let window = self.window.get().saturating_sub(self.buffer.consumed());
        window.min(self.buffer.len() as u64)
    }

    #[inline(always)]
    fn first_byte(&self) -> Option<u8> {
        let window = self.window.get().saturating_sub(self.buffer.consumed());
        self.buffer.with_front(window, |bytes, _| bytes.first().copied())
    }

    /// Makes the next `n` bytes one piece, from the IO if need be: a `body` is never read beyond its end.
    #[inline(never)]
    fn need(&self, n: usize, body: bool) -> Result<(), Stop> {
        if n as u64 <= self.available() {
            self.buffer.gather(n);
            return Ok(());
        }
        if self.window.get() != OPEN {
            self.fault.set(self.window.get());
            return Err(Stop::Forget(Fail::EndOfPayload));
        }
        if self.buffer.port.io().is_nil() {
            return Err(Stop::Suspend(Fail::EndOfBuffer));
        }
        let epoch = self.epoch.get();
        let missing = if body { n - self.buffer.len() } else { usize::MAX };
        self.buffer.refill_protected(missing).map_err(Stop::Suspend)?;
        self.check_epoch(epoch)
    }

    /// After user code: a `reset` in it has given up the object under way.
    fn check_epoch(&self, epoch: u32) -> Result<(), Stop> {
        if self.epoch.get() == epoch {
            Ok(())
        } else {
            Err(Stop::Forget(Fail::EndOfBuffer))
        }
    }

    // ---- suspending ----

    fn pending(&self) -> &Pending {
        self.pending.get_or_init(|| {
            Box::new(Pending {
                spill: Slot::empty(),
                len: Cell::new(0),
                count: Cell::new(0),
                top: Cell::new(ROOT),
                outer: RefCell::new(Vec::new()),
                skip: RefCell::new(None),
            })
        })
    }

    fn suspend<const N: usize>(&self, d: &Decoder<'_, N>) {
        if !d.is_begun() {
            return;
        }
        let pending = self.pending();
        let (spill, len) = d.stack.suspend();
        pending.spill.set(spill);
        pending.len.set(len);
        pending.count.set(d.count);
        pending.top.set(d.top);
        let mut outer = pending.outer.borrow_mut();
        outer.clear();
        outer.extend_from_slice(d.outer.as_slice());
        *pending.skip.borrow_mut() = None;
        self.half.set(Half::Read);
    }

    fn resume<const N: usize>(&self, d: &mut Decoder<'_, N>) {
        if self.half.get() != Half::Read {
            return;
        }
        let pending = self.pending();
        d.stack = Stack::resume(pending.spill.take(), pending.len.replace(0));
        d.count = pending.count.get();
        d.top = pending.top.get();
        for frame in pending.outer.borrow_mut().drain(..) {
            d.outer.push(frame);
        }
        self.half.set(Half::None);
    }
}

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
        finish_skip(u)?;
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
                let v = ext_value(u, d.outer.len(), type_id, head, len)?;
                d.count = u.count.get();
                d.push(v);
            }
        }
    }
}

/// The value of an ext, which is consumed whatever comes of it. `open` containers are around it.
#[inline(never)]
fn ext_value(u: Obj<UnpackCore>, open: usize, type_id: i8, head: usize, len: usize) -> Result<Val, Stop> {
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
        Action::CallRecursively(callable) => recursive_ext(u, open, callable, len),
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
fn recursive_ext(u: Obj<UnpackCore>, open: usize, callable: Callable, len: usize) -> Result<Val, Stop> {
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

/// `in_proc` for `feed_each`, which must not even feed then.
pub fn check_caller(u: Obj<UnpackCore>) -> Result<(), Fail> {
    u.check_caller()
}

// ---- skipping ----

/// Passes over one object by its lengths: no procs, no Strings, no Symbols.
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
    finish_skip(u)
}

/// Skips on. The state is in locals meanwhile: the IO may call back.
fn finish_skip(u: Obj<UnpackCore>) -> Result<(), Fail> {
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

impl Stop {
    fn fail(self) -> Fail {
        match self {
            Stop::Suspend(f) | Stop::Forget(f) => f,
            Stop::Full => Fail::TooDeep,
        }
    }
}

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
