//! Any bytes: the end of the object is where a recursive reader finds it, however the bytes are cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use msgpack_wire::{
    error::SkipErrorKind,
    head::{parse, Parsed},
    skip::{object_len, Progress, Skip, MAX_DEPTH},
};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Stop {
    CutOff,
    Reserved(usize),
    TooDeep(usize),
}

/// Where the object at `at` ends.
fn end(bytes: &[u8], at: usize, levels: usize) -> Result<usize, Stop> {
    let (head, used) = match parse(&bytes[at..]) {
        Parsed::Head { head, used } => (head, used),
        Parsed::NeedMore(_) => return Err(Stop::CutOff),
        Parsed::Reserved => return Err(Stop::Reserved(at + 1)),
    };
    let mut at = at + used;
    if head.children() > 0 {
        if levels == 0 {
            return Err(Stop::TooDeep(at));
        }
        for _ in 0..head.children() {
            at = end(bytes, at, levels - 1)?;
        }
        return Ok(at);
    }
    match usize::try_from(head.body_len()) {
        Ok(n) if n <= bytes.len() - at => Ok(at + n),
        _ => Err(Stop::CutOff),
    }
}

/// The same by a [`Skip`] that gets the bytes in pieces of these sizes, over and over.
fn fed(skip: &mut Skip, bytes: &[u8], sizes: &[u8]) -> Result<usize, Stop> {
    let mut at = 0;
    let mut sizes = sizes.iter().cycle();
    loop {
        let size = usize::from(*sizes.next().unwrap_or(&1)).min(bytes.len() - at);
        let done = skip.feed(&bytes[at..at + size]);
        match done {
            Ok(Progress::Done { used }) => {
                assert!(skip.is_idle() && used <= size);
                return Ok(at + used);
            }
            Ok(Progress::More) => at += size,
            Err(error) => {
                assert!(skip.is_idle() && error.used <= size);
                return Err(match error.kind {
                    SkipErrorKind::Reserved => Stop::Reserved(at + error.used),
                    SkipErrorKind::TooDeep => Stop::TooDeep(at + error.used),
                });
            }
        }
        if at == bytes.len() {
            assert!(skip.missing() <= u64::from(u32::MAX));
            return Err(Stop::CutOff);
        }
    }
}

// One byte for the depth limit, four for the sizes of pieces, then the data.
fuzz_target!(|input: &[u8]| {
    let [limit, a, b, c, d, bytes @ ..] = input else { return };
    // Even a recursive reader must not run for 2³² objects that take no bytes; none do.
    let limit = usize::from(*limit);
    let expected = end(bytes, 0, limit.min(MAX_DEPTH));
    let len = match object_len(bytes, limit) {
        Ok(Some(n)) => Ok(n),
        Ok(None) => Err(Stop::CutOff),
        Err(error) if error.kind == SkipErrorKind::Reserved => Err(Stop::Reserved(error.used)),
        Err(error) => Err(Stop::TooDeep(error.used)),
    };
    assert_eq!(len, expected);
    let mut skip = Skip::new(limit);
    for sizes in [&[*a, *b, *c, *d][..], &[1]] {
        // Pieces may be empty, but not all of them.
        if sizes.iter().any(|&size| size > 0) {
            assert_eq!(fed(&mut skip, bytes, sizes), expected);
            if expected == Err(Stop::CutOff) {
                skip = Skip::new(limit);
            }
        }
    }
});
