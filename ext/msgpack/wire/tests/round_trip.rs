//! What `put` writes, `parse` reads; and no shorter form would have done.

use msgpack_wire::head::{parse, Head, Parsed, MAX_LEN};
use msgpack_wire::put::Short;
use proptest::prelude::*;

/// Numbers of every magnitude: uniform ones are nearly all 64 bits wide.
fn magnitude() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0u32..64).prop_map(|(bits, shift)| bits >> shift)
}

fn len() -> impl Strategy<Value = u32> {
    (any::<u32>(), 0u32..32).prop_map(|(bits, shift)| bits >> shift)
}

fn bytes(short: Short) -> Vec<u8> {
    let mut out = Vec::new();
    short.put(&mut out);
    out
}

/// Reads back as `head` from exactly the bytes written, also with others behind them, and asks for
/// exactly these bytes when cut at any point.
fn check(short: Short, head: Head) -> Result<(), TestCaseError> {
    let mut wire = bytes(short);
    let used = wire.len();
    prop_assert_eq!(used, usize::from(short.len));
    prop_assert!((1..=MAX_LEN).contains(&used));
    prop_assert_eq!(parse(&wire), Parsed::Head { head, used });
    for cut in 1..used {
        prop_assert_eq!(parse(&wire[..cut]), Parsed::NeedMore(used), "cut at {}", cut);
    }
    wire.extend([0xc1; MAX_LEN]);
    prop_assert_eq!(parse(&wire), Parsed::Head { head, used });
    Ok(())
}

/// Bytes an integer takes at least: tries every form of the specification.
fn shortest_integer(value: i128) -> usize {
    [
        (0..=127, 1),
        (-32..=-1, 1),
        (0..=0xff, 2),
        (-0x80..=0x7f, 2),
        (0..=0xffff, 3),
        (-0x8000..=0x7fff, 3),
        (0..=0xffff_ffff, 5),
        (-0x8000_0000..=0x7fff_ffff, 5),
        (0..=u64::MAX.into(), 9),
        (i64::MIN.into()..=i64::MAX.into(), 9),
    ]
    .into_iter()
    .filter(|(range, _): &(std::ops::RangeInclusive<i128>, usize)| range.contains(&value))
    .map(|(_, size)| size)
    .min()
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn uint(value in magnitude()) {
        check(Short::uint(value), Head::Uint(value))?;
        prop_assert_eq!(usize::from(Short::uint(value).len), shortest_integer(value.into()));
    }

    #[test]
    fn int(value in magnitude().prop_map(|bits| !(bits >> 1) as i64)) {
        prop_assert!(value < 0);
        check(Short::int(value), Head::Int(value))?;
        prop_assert_eq!(usize::from(Short::int(value).len), shortest_integer(value.into()));
    }

    #[test]
    fn int_from_zero_on_is_uint(value in magnitude().prop_map(|bits| bits >> 1)) {
        prop_assert_eq!(Short::int(value as i64), Short::uint(value));
    }

    #[test]
    fn floats_keep_every_bit(single in any::<u32>(), double in any::<u64>()) {
        let wire = bytes(Short::float32(f32::from_bits(single)));
        prop_assert_eq!(wire[0], 0xca);
        prop_assert_eq!(&wire[1..], &single.to_be_bytes()[..]);
        match parse(&wire) {
            Parsed::Head { head: Head::Float32(value), used: 5 } => prop_assert_eq!(value.to_bits(), single),
            other => prop_assert!(false, "{:?}", other),
        }
        let wire = bytes(Short::float64(f64::from_bits(double)));
        prop_assert_eq!(wire[0], 0xcb);
        prop_assert_eq!(&wire[1..], &double.to_be_bytes()[..]);
        match parse(&wire) {
            Parsed::Head { head: Head::Float64(value), used: 9 } => prop_assert_eq!(value.to_bits(), double),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn sizes(len in len(), type_id in any::<i8>()) {
        check(Short::str(len), Head::Str(len))?;
        check(Short::str_raw(len), Head::Str(len))?;
        check(Short::bin(len), Head::Bin(len))?;
        check(Short::array(len), Head::Array(len))?;
        check(Short::map(len), Head::Map(len))?;
        check(Short::ext(len, type_id), Head::Ext { type_id, len })?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(wire in prop::collection::vec(any::<u8>(), 0..12)) {
        match parse(&wire) {
            Parsed::Head { used, .. } => prop_assert!((1..=wire.len()).contains(&used)),
            Parsed::NeedMore(total) => prop_assert!((wire.len() + 1..=MAX_LEN).contains(&total)),
            Parsed::Reserved => prop_assert_eq!(wire[0], 0xc1),
        }
    }
}
