//! Finding the end of an object without building it, in as many pieces as it comes.
//!
//! Source: MessagePack specification, section "Formats". Only sizes matter here: bodies are passed
//! by length, an extension is never looked into.

use crate::error::{SkipError, SkipErrorKind};
use crate::head::{self, Head, Parsed};

/// How many non-empty arrays and maps inside each other a [`Skip`] can hold.
///
/// The C gem stops at the same depth, and data that one side accepts should not fail on the other.
pub const MAX_DEPTH: usize = 128;

/// Outcome of [`Skip::feed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The object ends `used` bytes into the piece fed last.
    Done {
        /// Bytes of that piece that belong to the object.
        used: usize,
    },
    /// All bytes fed so far belong to the object, and it goes on.
    More,
}

/// Skips one object, fed in pieces of any size, empty ones included.
///
/// Plain data of about 1 KiB, no heap. After `Done` and after an error it is as new and can skip
/// the next object.
///
/// ```
/// use msgpack_wire::skip::{Progress, Skip};
/// let mut skip = Skip::new(128);
/// assert_eq!(skip.feed(&[0x92, 0xcd, 0x01]), Ok(Progress::More));
/// assert_eq!(skip.feed(&[0x00, 0xc0, 0xff]), Ok(Progress::Done { used: 2 }));
/// ```
#[derive(Clone, Debug)]
pub struct Skip {
    /// Objects still missing in each open container, outermost first; all above 0. `u64`, as a map
    /// can announce 2³³ - 2 objects.
    left: [u64; MAX_DEPTH],
    /// Open containers.
    depth: usize,
    /// At most [`MAX_DEPTH`].
    max_depth: usize,
    /// Bytes still missing of the current body.
    body: u64,
    /// The start of a head that was cut off.
    partial: [u8; head::MAX_LEN],
    /// How many bytes of `partial` count; never a whole head between calls.
    held: usize,
}

impl Skip {
    /// A skip that accepts `max_depth` non-empty containers inside each other, [`MAX_DEPTH`] at
    /// most. Empty ones cost nothing.
    #[inline]
    pub const fn new(max_depth: usize) -> Skip {
        Skip {
            left: [0; MAX_DEPTH],
            depth: 0,
            max_depth: if max_depth < MAX_DEPTH { max_depth } else { MAX_DEPTH },
            body: 0,
            partial: [0; head::MAX_LEN],
            held: 0,
        }
    }

    /// True between objects: nothing was fed since `new`, `Done` or an error.
    #[inline]
    pub const fn is_idle(&self) -> bool {
        self.depth == 0 && self.body == 0 && self.held == 0
    }

    /// Bytes still missing of the string or ext under way; 0 outside of one.
    #[inline]
    pub const fn missing(&self) -> u64 {
        self.body
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    ///
    /// `Reserved` on a `c1`, `TooDeep` on the head of a non-empty container too many. `used` counts
    /// that head; the rest of the piece is untouched.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Progress, SkipError> {
        let mut at = 0;
        loop {
            if self.body > 0 {
                let here = &bytes[at..];
                match usize::try_from(self.body) {
                    Ok(body) if body <= here.len() => at += body,
                    _ => {
                        self.body -= here.len() as u64;
                        return Ok(Progress::More);
                    }
                }
                self.body = 0;
                if self.finish_object() {
                    return Ok(Progress::Done { used: at });
                }
            }
            let head = match self.next_head(bytes, &mut at) {
                Parsed::Head { head, .. } => head,
                Parsed::NeedMore(_) => return Ok(Progress::More),
                Parsed::Reserved => return Err(self.fail(SkipErrorKind::Reserved, at)),
            };
            let children = head.children();
            if children > 0 {
                if self.depth == self.max_depth {
                    return Err(self.fail(SkipErrorKind::TooDeep, at));
                }
                self.left[self.depth] = children;
                self.depth += 1;
                continue;
            }
            self.body = head.body_len();
            if self.body == 0 && self.finish_object() {
                return Ok(Progress::Done { used: at });
            }
        }
    }

    /// The head at `bytes[at..]`, of which the start may be in `partial`. Moves `at` behind it; or
    /// to the end of `bytes`, if it is cut off: then the start is in `partial`.
    #[inline]
    fn next_head(&mut self, bytes: &[u8], at: &mut usize) -> Parsed {
        if self.held == 0 {
            let parsed = head::parse(&bytes[*at..]);
            match parsed {
                Parsed::Head { used, .. } => *at += used,
                Parsed::Reserved => *at += 1,
                Parsed::NeedMore(_) => self.hold(bytes, at, head::MAX_LEN),
            }
            return parsed;
        }
        // Two turns at most: the first byte alone tells how long the head is.
        loop {
            let parsed = head::parse(&self.partial[..self.held]);
            let Parsed::NeedMore(total) = parsed else {
                self.held = 0;
                return parsed;
            };
            if *at == bytes.len() {
                return parsed;
            }
            self.hold(bytes, at, total);
        }
    }

    /// Moves bytes into `partial` until it holds `total`, or there are no more.
    #[cold]
    fn hold(&mut self, bytes: &[u8], at: &mut usize, total: usize) {
        let count = (total - self.held).min(bytes.len() - *at);
        self.partial[self.held..self.held + count].copy_from_slice(&bytes[*at..*at + count]);
        self.held += count;
        *at += count;
    }

    /// One object is complete: with it all containers whose last one it was. True if the outermost
    /// object is.
    #[inline]
    fn finish_object(&mut self) -> bool {
        while self.depth > 0 {
            let left = &mut self.left[self.depth - 1];
            *left -= 1;
            if *left > 0 {
                return false;
            }
            self.depth -= 1;
        }
        true
    }

    #[cold]
    fn fail(&mut self, kind: SkipErrorKind, used: usize) -> SkipError {
        self.depth = 0;
        SkipError { kind, used }
    }
}

/// Length in bytes of the object at the start of `bytes`; `None` if it is cut off.
///
/// # Errors
///
/// As [`Skip::feed`].
///
/// ```
/// use msgpack_wire::skip::object_len;
/// assert_eq!(object_len(&[0x92, 0x01, 0xa1, 0x61, 0xc0], 128), Ok(Some(4)));
/// assert_eq!(object_len(&[0x92, 0x01], 128), Ok(None));
/// ```
#[inline]
pub fn object_len(bytes: &[u8], max_depth: usize) -> Result<Option<usize>, SkipError> {
    // A scalar, str, bin or ext needs no stack, and most objects are one.
    if let Parsed::Head { head, used } = head::parse(bytes) {
        if !matches!(head, Head::Array(1..) | Head::Map(1..)) {
            let end = used as u64 + head.body_len();
            return Ok(usize::try_from(end).ok().filter(|&end| end <= bytes.len()));
        }
    }
    Ok(match Skip::new(max_depth).feed(bytes)? {
        Progress::Done { used } => Some(used),
        Progress::More => None,
    })
}
