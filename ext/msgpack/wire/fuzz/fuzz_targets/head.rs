//! Any bytes: what `parse` says about their first head is what the table of the format says.

#![no_main]

use libfuzzer_sys::fuzz_target;
use msgpack_wire::head::{parse, Head, Parsed, MAX_LEN};

/// The table once more, by ranges and widths: length of the head, and what it says.
fn table(bytes: &[u8]) -> Parsed {
    let Some(&first) = bytes.first() else { return Parsed::NeedMore(1) };
    let number = |width: usize| bytes.get(1..1 + width).map(|b| b.iter().fold(0u64, |n, &byte| n << 8 | u64::from(byte)));
    let signed = |width: usize| number(width).map(|n| (n as i64) << (64 - 8 * width) >> (64 - 8 * width));
    let ext = |width: usize| {
        number(width + 1).map(|n| Head::Ext { type_id: n as u8 as i8, len: (n >> 8) as u32 })
    };
    let (head, used) = match first {
        0x00..=0x7f => (Some(Head::Uint(first.into())), 1),
        0x80..=0x8f => (Some(Head::Map(u32::from(first) - 0x80)), 1),
        0x90..=0x9f => (Some(Head::Array(u32::from(first) - 0x90)), 1),
        0xa0..=0xbf => (Some(Head::Str(u32::from(first) - 0xa0)), 1),
        0xc0 => (Some(Head::Nil), 1),
        0xc1 => return Parsed::Reserved,
        0xc2 | 0xc3 => (Some(Head::Bool(first == 0xc3)), 1),
        0xc4..=0xc6 => {
            let width = 1 << (first - 0xc4);
            (number(width).map(|n| Head::Bin(n as u32)), 1 + width)
        }
        0xc7..=0xc9 => {
            let width = 1 << (first - 0xc7);
            (ext(width), 2 + width)
        }
        0xca => (number(4).map(|n| Head::Float32(f32::from_bits(n as u32))), 5),
        0xcb => (number(8).map(|n| Head::Float64(f64::from_bits(n))), 9),
        0xcc..=0xcf => {
            let width = 1 << (first - 0xcc);
            (number(width).map(Head::Uint), 1 + width)
        }
        0xd0..=0xd3 => {
            let width = 1 << (first - 0xd0);
            (signed(width).map(Head::Int), 1 + width)
        }
        0xd4..=0xd8 => {
            (number(1).map(|id| Head::Ext { type_id: id as u8 as i8, len: 1 << (first - 0xd4) }), 2)
        }
        0xd9..=0xdb => {
            let width = 1 << (first - 0xd9);
            (number(width).map(|n| Head::Str(n as u32)), 1 + width)
        }
        0xdc | 0xdd => {
            let width = 2 << (first - 0xdc);
            (number(width).map(|n| Head::Array(n as u32)), 1 + width)
        }
        0xde | 0xdf => {
            let width = 2 << (first - 0xde);
            (number(width).map(|n| Head::Map(n as u32)), 1 + width)
        }
        0xe0..=0xff => (Some(Head::Int(i64::from(first) - 256)), 1),
    };
    head.map_or(Parsed::NeedMore(used), |head| Parsed::Head { head, used })
}

/// Equal, NaN by its bits.
fn same(a: Parsed, b: Parsed) -> bool {
    use Head::{Float32, Float64};
    match (a, b) {
        (Parsed::Head { head: Float32(x), used: n }, Parsed::Head { head: Float32(y), used: m }) => {
            x.to_bits() == y.to_bits() && n == m
        }
        (Parsed::Head { head: Float64(x), used: n }, Parsed::Head { head: Float64(y), used: m }) => {
            x.to_bits() == y.to_bits() && n == m
        }
        _ => a == b,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let parsed = parse(bytes);
    assert!(same(parsed, table(bytes)), "{parsed:?} is not {:?}", table(bytes));
    match parsed {
        Parsed::Head { used, head } => {
            assert!((1..=MAX_LEN).contains(&used) && used <= bytes.len());
            // What follows the head is not looked at, and nothing less is a head.
            assert!(same(parse(&bytes[..used]), parsed));
            (0..used).for_each(|cut| assert_eq!(parse(&bytes[..cut]), Parsed::NeedMore(if cut == 0 { 1 } else { used })));
            assert!(head.body_len() <= u64::from(u32::MAX) && head.children() <= 2 * u64::from(u32::MAX));
        }
        Parsed::NeedMore(n) => {
            assert!(n > bytes.len() && n <= MAX_LEN);
            let mut enough = bytes.to_vec();
            enough.resize(n, 0);
            assert!(bytes.is_empty() || matches!(parse(&enough), Parsed::Head { used, .. } if used == n));
        }
        Parsed::Reserved => assert_eq!(bytes[0], 0xc1),
    }
});
