//! What an Unpacker object holds: the data it was fed, and where it is in an object that waits for more.

mod ext;
mod header;
mod read;
mod skip;

pub use header::{read_header, skip_nil};
pub use read::{full_unpack, read, read_next, unpack};
pub use skip::skip;

use super::{
    buffer::Buffer,
    decode::{Decoder, Frame, ROOT},
    fail::Fail,
    limits::Limits,
    options::{UnpackOptions, UnpackSettings},
    registry::Registry,
};
use crate::bridge::{
    data::{self, Data, Descriptor, Marker, Obj, Slot},
    stack::Stack,
    Val,
};
use msgpack_wire::skip::Skip;
use std::cell::{Cell, OnceCell, RefCell};

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

impl Stop {
    fn fail(self) -> Fail {
        match self {
            Stop::Suspend(f) | Stop::Forget(f) => f,
            Stop::Full => Fail::TooDeep,
        }
    }
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

    /// Refuses calls out of a plain ext proc.
    #[inline(always)]
    pub fn check_caller(&self) -> Result<(), Fail> {
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
