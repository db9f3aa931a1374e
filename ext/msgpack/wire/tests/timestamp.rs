//! Timestamps: the three layouts, their limits, the shortest that fits.

use msgpack_wire::error::TimestampError;
use msgpack_wire::timestamp::{Timestamp, TYPE_ID};
use proptest::prelude::*;

#[test]
fn type_id_is_that_of_the_specification() {
    assert_eq!(TYPE_ID, -1);
}

#[test]
fn layouts_and_their_limits() {
    for (sec, nsec, payload) in [
        (0, 0, &[0, 0, 0, 0][..]),
        (1, 0, &[0, 0, 0, 1]),
        (0xffff_ffff, 0, &[0xff, 0xff, 0xff, 0xff]),
        (0x1_0000_0000, 0, &[0, 0, 0, 1, 0, 0, 0, 0]),
        (0, 1, &[0, 0, 0, 4, 0, 0, 0, 0]),
        (1, 1, &[0, 0, 0, 4, 0, 0, 0, 1]),
        (0x3_ffff_ffff, 999_999_999, &[0xee, 0x6b, 0x27, 0xff, 0xff, 0xff, 0xff, 0xff]),
        (0x3_ffff_ffff, 0x3fff_ffff, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        (0x4_0000_0000, 0, &[0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]),
        (-1, 999_999_999, &[0x3b, 0x9a, 0xc9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        (i64::MIN, 0, &[0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (i64::MAX, u32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    ] {
        let moment = Timestamp { sec, nsec };
        assert_eq!(moment.encode().unwrap().as_bytes(), payload, "{moment:?}");
        assert_eq!(Timestamp::decode(payload), Ok(moment), "{payload:02x?}");
    }
}

#[test]
fn longer_layouts_than_needed_are_read() {
    let epoch = Ok(Timestamp { sec: 0, nsec: 0 });
    assert_eq!(Timestamp::decode(&[0; 8]), epoch);
    assert_eq!(Timestamp::decode(&[0; 12]), epoch);
}

#[test]
fn other_sizes_are_refused() {
    for size in (0..20).filter(|size| ![4, 8, 12].contains(size)) {
        let error = Timestamp::decode(&vec![0; size]).unwrap_err();
        assert_eq!(error, TimestampError::Size(size));
        assert_eq!(error.to_string(), format!("Invalid timestamp data size: {size}"));
    }
}

#[test]
fn nsec_beyond_30_bits_fits_only_the_longest_layout() {
    let nsec = 1 << 30;
    for sec in [0, 1, 0x3_ffff_ffff] {
        let error = Timestamp { sec, nsec }.encode().unwrap_err();
        assert_eq!(error, TimestampError::Nsec(nsec));
        assert_eq!(error.to_string(), "nsec 1073741824 is out of range");
    }
    for sec in [-1, 0x4_0000_0000] {
        let payload = Timestamp { sec, nsec }.encode().unwrap();
        assert_eq!(payload.as_bytes()[..4], [0x40, 0, 0, 0]);
    }
}

proptest! {
    #[test]
    fn round_trip(bits in any::<i64>(), shift in 0u32..64, nsec in 0u32..1 << 30) {
        let moment = Timestamp { sec: bits >> shift, nsec };
        let payload = moment.encode().unwrap();
        prop_assert_eq!(Timestamp::decode(payload.as_bytes()), Ok(moment));
        let size = match (moment.sec, nsec) {
            (0..=0xffff_ffff, 0) => 4,
            (0..=0x3_ffff_ffff, _) => 8,
            _ => 12,
        };
        prop_assert_eq!(payload.as_bytes().len(), size);
    }
}
