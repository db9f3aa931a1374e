//! Skipping: the end of an object is where the naive twin finds it, however the bytes are cut.

mod common;

use common::{object_end, tree, write, Stop};
use msgpack_wire::error::{SkipError, SkipErrorKind};
use msgpack_wire::skip::{object_len, Progress, Skip, MAX_DEPTH};
use proptest::prelude::*;

/// `depth` arrays of one element inside each other, then `innermost`.
fn nested(depth: usize, innermost: &[u8]) -> Vec<u8> {
    let mut wire = vec![0x91; depth];
    wire.extend(innermost);
    wire
}

/// Feeds `wire` one byte at a time; the offset counts all bytes fed.
fn byte_by_byte(wire: &[u8], max_depth: usize) -> Result<Option<usize>, SkipError> {
    let mut skip = Skip::new(max_depth);
    for (offset, byte) in wire.iter().enumerate() {
        match skip.feed(std::slice::from_ref(byte)) {
            Ok(Progress::More) => {}
            Ok(Progress::Done { used }) => return Ok(Some(offset + used)),
            Err(SkipError { kind, used }) => return Err(SkipError { kind, used: offset + used }),
        }
    }
    Ok(None)
}

/// The naive answer, in the words of the crate.
fn naive(wire: &[u8], max_depth: usize) -> Result<Option<usize>, SkipError> {
    let error = |kind, used| Err(SkipError { kind, used });
    match object_end(wire, 0, max_depth) {
        Ok(end) => Ok(Some(end)),
        Err(Stop::Short) => Ok(None),
        Err(Stop::Reserved(at)) => error(SkipErrorKind::Reserved, at + 1),
        Err(Stop::TooDeep(at)) => error(SkipErrorKind::TooDeep, at),
    }
}

#[test]
fn ends_behind_the_object() {
    for (wire, len) in [
        (&[0xc0, 0xc0][..], 1),
        (&[0xcf, 1, 2, 3, 4, 5, 6, 7, 8, 9], 9),
        (&[0xa3, 0xc1, 0xc1, 0xc1, 0x00], 4),
        (&[0xc7, 0x02, 0x05, 0xc1, 0xc1, 0x00], 5),
        (&[0xd4, 0x05, 0xc1, 0x00], 3),
        (&[0x90, 0x00], 1),
        (&[0x92, 0x01, 0x90, 0x00], 3),
        (&[0x81, 0xa1, 0x61, 0x92, 0x01, 0x02, 0x00], 6),
        (&[0xdc, 0x00, 0x00, 0x00], 3),
    ] {
        assert_eq!(object_len(wire, MAX_DEPTH), Ok(Some(len)), "{wire:02x?}");
        assert_eq!(byte_by_byte(wire, MAX_DEPTH), Ok(Some(len)), "{wire:02x?}");
    }
}

#[test]
fn cut_off_is_more() {
    assert_eq!(object_len(&[], MAX_DEPTH), Ok(None));
    let wire = [0x82, 0xa1, 0x61, 0x92, 0xcd, 0x01, 0x00, 0xc0, 0xa1, 0x62, 0xc7, 0x01, 0x05, 0x00];
    assert_eq!(object_len(&wire, MAX_DEPTH), Ok(Some(wire.len())));
    for cut in 0..wire.len() {
        assert_eq!(object_len(&wire[..cut], MAX_DEPTH), Ok(None), "{cut} bytes");
        assert_eq!(Skip::new(MAX_DEPTH).feed(&wire[..cut]), Ok(Progress::More), "{cut} bytes");
    }
}

#[test]
fn an_empty_piece_changes_nothing() {
    let mut skip = Skip::new(MAX_DEPTH);
    for piece in [&[][..], &[0xcd], &[], &[0x01], &[]] {
        assert_eq!(skip.feed(piece), Ok(Progress::More));
    }
    assert_eq!(skip.feed(&[0x00]), Ok(Progress::Done { used: 1 }));
}

#[test]
fn c1_is_refused_wherever_an_object_starts() {
    let refused = |used| Err(SkipError { kind: SkipErrorKind::Reserved, used });
    assert_eq!(object_len(&[0xc1, 0x00], MAX_DEPTH), refused(1));
    assert_eq!(object_len(&[0x92, 0x01, 0xc1, 0x00], MAX_DEPTH), refused(3));
    let mut skip = Skip::new(MAX_DEPTH);
    assert_eq!(skip.feed(&[0x92, 0x01]), Ok(Progress::More));
    assert_eq!(skip.feed(&[0xc1, 0x00]).map_err(|error| error.used), Err(1), "counts the last piece only");
}

#[test]
fn a_skip_can_be_used_again() {
    let mut skip = Skip::new(1);
    assert!(skip.is_idle());
    assert_eq!(skip.feed(&[0x91, 0x01, 0x02]), Ok(Progress::Done { used: 2 }));
    assert!(skip.is_idle());
    assert_eq!(skip.feed(&[0x92, 0xc1]).map_err(|e| e.used), Err(2));
    assert!(skip.is_idle());
    assert_eq!(skip.feed(&[0x91, 0x91, 0x00]).map_err(|e| e.used), Err(2));
    assert!(skip.is_idle());
    assert_eq!(skip.feed(&[0x01]), Ok(Progress::Done { used: 1 }));
}

#[test]
fn is_busy_inside_an_object() {
    for wire in [&[0x91][..], &[0xcd], &[0xa1], &[0xc4, 0x01]] {
        let mut skip = Skip::new(MAX_DEPTH);
        assert_eq!(skip.feed(wire), Ok(Progress::More));
        assert!(!skip.is_idle(), "{wire:02x?}");
    }
}

#[test]
fn depth_128_is_fine_and_129_is_not() {
    let wire = nested(128, &[0xc0]);
    assert_eq!(object_len(&wire, 128), Ok(Some(129)));
    let wire = nested(129, &[0xc0]);
    let too_deep = Err(SkipError { kind: SkipErrorKind::TooDeep, used: 129 });
    assert_eq!(object_len(&wire, 128), too_deep);
    assert_eq!(byte_by_byte(&wire, 128), too_deep);
}

#[test]
fn too_deep_counts_the_head_it_stopped_at() {
    let wire = nested(128, &[0xde, 0x00, 0x01, 0xc0, 0xc0]);
    let too_deep = Err(SkipError { kind: SkipErrorKind::TooDeep, used: 131 });
    assert_eq!(object_len(&wire, 128), too_deep);
    assert_eq!(byte_by_byte(&wire, 128), too_deep);
}

#[test]
fn an_empty_container_costs_no_depth() {
    for innermost in [&[0x90][..], &[0x80], &[0xdd, 0, 0, 0, 0]] {
        let wire = nested(128, innermost);
        assert_eq!(object_len(&wire, 128), Ok(Some(wire.len())));
        assert_eq!(object_len(innermost, 0), Ok(Some(innermost.len())));
    }
}

#[test]
fn depth_is_nesting_not_count() {
    let wire = [0x94, 0x91, 0x01, 0x91, 0x02, 0x81, 0x03, 0x04, 0x90];
    assert_eq!(object_len(&wire, 2), Ok(Some(wire.len())));
    assert_eq!(object_len(&wire, 1).map_err(|e| e.used), Err(2));
    assert_eq!(object_len(&[0x91, 0x01], 0).map_err(|e| e.used), Err(1));
    assert_eq!(object_len(&[0x01], 0), Ok(Some(1)));
}

#[test]
fn more_depth_than_there_is_room_for_is_cut_to_it() {
    let wire = nested(MAX_DEPTH + 1, &[0xc0]);
    assert_eq!(
        object_len(&wire, usize::MAX).map_err(|e| (e.kind, e.used)),
        Err((SkipErrorKind::TooDeep, MAX_DEPTH + 1))
    );
}

#[test]
fn huge_claims_do_not_wrap() {
    // 2 * 0x80000001 is 2 in 32 bits, where this map would end behind `01 02`.
    let mut wire = vec![0xdf, 0x80, 0x00, 0x00, 0x01];
    wire.extend([0x01; 100]);
    assert_eq!(object_len(&wire, MAX_DEPTH), Ok(None));
    assert_eq!(byte_by_byte(&wire, MAX_DEPTH), Ok(None));
    // 128 of them inside each other: sums of sizes would leave u64 if they were made.
    let mut wire = [0xdf, 0xff, 0xff, 0xff, 0xff].repeat(MAX_DEPTH);
    wire.push(0xc0);
    assert_eq!(object_len(&wire, MAX_DEPTH), Ok(None));
    for marker in [0xc6, 0xdb, 0xdd, 0xdf] {
        let wire = [marker, 0xff, 0xff, 0xff, 0xff, 0x00];
        assert_eq!(object_len(&wire, MAX_DEPTH), Ok(None), "{marker:02x}");
    }
    let wire = [0xc9, 0xff, 0xff, 0xff, 0xff, 0x05, 0x00];
    assert_eq!(object_len(&wire, MAX_DEPTH), Ok(None));
}

#[test]
fn a_body_of_4_gib_ends_where_it_says() {
    let piece = vec![0xc1; 1 << 24];
    let mut skip = Skip::new(MAX_DEPTH);
    assert_eq!(skip.feed(&[0x92, 0xc6, 0xff, 0xff, 0xff, 0xff]), Ok(Progress::More));
    for _ in 0..255 {
        assert_eq!(skip.feed(&piece), Ok(Progress::More));
    }
    assert_eq!(skip.feed(&piece[1..]), Ok(Progress::More));
    assert_eq!(skip.feed(&[0xc0, 0xc1]), Ok(Progress::Done { used: 1 }));
}

#[test]
fn errors_say_what_is_wrong() {
    let text = |kind| SkipError { kind, used: 1 }.to_string();
    assert_eq!(text(SkipErrorKind::Reserved), "invalid byte");
    assert_eq!(text(SkipErrorKind::TooDeep), "stack level too deep");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn finds_the_end_of_what_was_written(tree in tree(), form in 0u8..3, more in any::<[u8; 3]>()) {
        let mut wire = Vec::new();
        write(&tree, form, &mut wire);
        let len = wire.len();
        wire.extend(more);
        prop_assert_eq!(object_len(&wire, MAX_DEPTH), Ok(Some(len)));
    }

    #[test]
    fn every_split_point_gives_the_same(tree in tree(), form in 0u8..3) {
        let mut wire = Vec::new();
        write(&tree, form, &mut wire);
        for cut in 0..wire.len() {
            let mut skip = Skip::new(MAX_DEPTH);
            prop_assert_eq!(skip.feed(&wire[..cut]), Ok(Progress::More), "cut at {}", cut);
            let used = wire.len() - cut;
            prop_assert_eq!(skip.feed(&wire[cut..]), Ok(Progress::Done { used }), "cut at {}", cut);
        }
    }

    #[test]
    fn any_bytes_as_the_naive_twin(
        wire in prop::collection::vec(
            // Containers are rare among random bytes: half of them are made small ones.
            prop_oneof![any::<u8>(), 0x80u8..0xa0],
            0..60,
        ),
        max_depth in 0usize..12,
    ) {
        let expected = naive(&wire, max_depth);
        prop_assert_eq!(object_len(&wire, max_depth), expected);
        prop_assert_eq!(byte_by_byte(&wire, max_depth), expected);
    }
}
