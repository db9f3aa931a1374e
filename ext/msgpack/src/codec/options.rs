//! Options: their names, defaults and floors.

use super::limits::Limits;
use crate::bridge::{
    hash,
    names::{names, Names},
    number, Val,
};

/// What changes the objects that a decode makes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct UnpackOptions {
    pub symbolize_keys: bool,
    pub freeze: bool,
    pub allow_unknown_ext: bool,
}

/// All options of an unpacker.
#[derive(Clone, Copy)]
pub struct UnpackSettings {
    pub options: UnpackOptions,
    pub sizes: Sizes,
    pub limits: Option<Limits>,
}

impl UnpackSettings {
    /// The settings that the Hash names, over the sizes given; unknown names are ignored. Jumps (default procs of the
    /// Hash, values of the wrong type).
    pub fn from_hash(options: Val, sizes: Sizes) -> UnpackSettings {
        let (flags, seen) = UnpackOptions::from_hash(options);
        if hash::len(options) == seen {
            // Nothing but flags: the ten look-ups of the other names would cost more than a small message.
            return UnpackSettings { options: flags, sizes, limits: None };
        }
        UnpackSettings { options: flags, sizes: sizes.with_options(options), limits: Limits::from_hash(options) }
    }
}

impl UnpackOptions {
    /// Reads the flags, and how many of them the Hash has. Jumps (default procs of the Hash).
    pub fn from_hash(options: Val) -> (UnpackOptions, usize) {
        let n = names();
        let mut seen = 0;
        let mut on = |name| {
            let v = hash::get(options, name);
            seen += !v.is_nil() as usize;
            v.truthy()
        };
        let flags = UnpackOptions {
            symbolize_keys: on(n.sym_symbolize_keys),
            freeze: on(n.sym_freeze),
            allow_unknown_ext: on(n.sym_allow_unknown_ext),
        };
        (flags, seen)
    }

    pub fn from_bits(bits: i64) -> UnpackOptions {
        UnpackOptions { symbolize_keys: bits & 1 != 0, freeze: bits & 2 != 0, allow_unknown_ext: bits & 4 != 0 }
    }

    pub fn to_bits(self) -> i64 {
        self.symbolize_keys as i64 | (self.freeze as i64) << 1 | (self.allow_unknown_ext as i64) << 2
    }
}

/// The bit of `compatibility_mode` beside those of [`UnpackOptions`].
pub const COMPATIBILITY: i64 = 8;
/// The bit that says that there are limits.
pub const LIMITED: i64 = 16;

/// `compatibility_mode:` of a Hash. Jumps.
pub fn compatibility_mode(options: Val) -> bool {
    hash::get(options, names().sym_compatibility_mode).truthy()
}

/// Sizes in bytes that steer copying and reading ahead; they never change the bytes produced.
#[derive(Clone, Copy)]
pub struct Sizes {
    /// One read from the IO asks for this much at most.
    pub io_buffer: usize,
    /// Longer Strings are referenced instead of copied when they are written.
    pub write_reference: usize,
    /// Strings of at least this length share memory when they are read.
    pub read_reference: usize,
}

impl Sizes {
    pub const DEFAULT: Sizes = Sizes { io_buffer: 32 << 10, write_reference: 512 << 10, read_reference: 256 };

    /// These sizes with those that the Hash names. Jumps: TypeError and RangeError from Ruby for what is no number.
    pub fn with_options(self, options: Val) -> Sizes {
        Sizes {
            io_buffer: size(options, |n| n.sym_io_buffer_size, self.io_buffer, 1024),
            write_reference: size(options, |n| n.sym_write_reference_threshold, self.write_reference, 256),
            read_reference: size(options, |n| n.sym_read_reference_threshold, self.read_reference, 256),
        }
    }
}

fn size(options: Val, name: fn(&Names) -> Val, current: usize, floor: usize) -> usize {
    let v = hash::get(options, name(names()));
    if v.is_nil() {
        return current;
    }
    usize::try_from(number::to_u64_or_zero(v)).unwrap_or(usize::MAX).max(floor)
}
