//! What can be wrong, as types; the texts are in `Display`.

use core::fmt;

/// Why an object can't be skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkipErrorKind {
    /// A `c1` where an object has to start.
    Reserved,
    /// More non-empty arrays and maps inside each other than allowed.
    TooDeep,
}

/// Why an object can't be skipped, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkipError {
    /// The cause.
    pub kind: SkipErrorKind,
    /// Bytes consumed of the piece fed last, the offending head included.
    pub used: usize,
}

impl fmt::Display for SkipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            SkipErrorKind::Reserved => "invalid byte",
            SkipErrorKind::TooDeep => "stack level too deep",
        })
    }
}

impl core::error::Error for SkipError {}

/// Why a timestamp can't be encoded or decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimestampError {
    /// The payload has this many bytes instead of 4, 8 or 12.
    Size(usize),
    /// This number of nanoseconds does not fit the 30 bits of the 8-byte form.
    Nsec(u32),
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimestampError::Size(size) => write!(f, "Invalid timestamp data size: {size}"),
            TimestampError::Nsec(nsec) => write!(f, "nsec {nsec} is out of range"),
        }
    }
}

impl core::error::Error for TimestampError {}
