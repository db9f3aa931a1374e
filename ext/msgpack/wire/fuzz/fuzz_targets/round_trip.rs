//! Any numbers: what `put` writes, `parse` reads back; and no shorter form would have held it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use msgpack_wire::{
    head::{parse, Head, Parsed},
    put::Short,
    timestamp::Timestamp,
};

/// The bytes of a head, checked against their length and its array form.
fn bytes_of(short: Short) -> Vec<u8> {
    let array = short.to_array();
    let (used, unused) = array.split_at(short.len.into());
    assert!(unused.iter().all(|&byte| byte == 0));
    let mut put = Vec::new();
    short.put(&mut put);
    assert_eq!(put, used);
    put
}

/// `short` reads back as `head`, and takes `len` bytes.
fn reads_as(short: Short, head: Head, len: usize) {
    let bytes = bytes_of(short);
    assert_eq!(parse(&bytes), Parsed::Head { head, used: bytes.len() });
    assert_eq!(bytes.len(), len, "{head:?}");
}

fn width(n: u64) -> usize {
    match n {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

fuzz_target!(|input: (i64, u64, u32, i8, u32, i64)| {
    let (int, uint, len, type_id, nsec, sec) = input;
    let n = u64::from(len);

    reads_as(Short::uint(uint), Head::Uint(uint), if uint < 128 { 1 } else { 1 + width(uint) });
    let (head, size) = match int {
        0.. => (Head::Uint(int as u64), if int < 128 { 1 } else { 1 + width(int as u64) }),
        -32..=-1 => (Head::Int(int), 1),
        // A negative number needs the width that holds its complement with a sign bit.
        _ => (Head::Int(int), 1 + width(!int as u64 * 2)),
    };
    reads_as(Short::int(int), head, size);

    reads_as(Short::str(len), Head::Str(len), if len < 32 { 1 } else { 1 + width(n) });
    reads_as(Short::str_raw(len), Head::Str(len), if len < 32 { 1 } else { 1 + width(n).max(2) });
    reads_as(Short::bin(len), Head::Bin(len), 1 + width(n));
    reads_as(Short::array(len), Head::Array(len), if len < 16 { 1 } else { 1 + width(n).max(2) });
    reads_as(Short::map(len), Head::Map(len), if len < 16 { 1 } else { 1 + width(n).max(2) });
    let fixed = matches!(len, 1 | 2 | 4 | 8 | 16);
    reads_as(Short::ext(len, type_id), Head::Ext { type_id, len }, if fixed { 2 } else { 2 + width(n) });

    let bytes = bytes_of(Short::float64(f64::from_bits(uint)));
    assert!(matches!(parse(&bytes), Parsed::Head { head: Head::Float64(f), used: 9 } if f.to_bits() == uint));
    let bytes = bytes_of(Short::float32(f32::from_bits(len)));
    assert!(matches!(parse(&bytes), Parsed::Head { head: Head::Float32(f), used: 5 } if f.to_bits() == len));

    let moment = Timestamp { sec, nsec };
    match moment.encode() {
        Ok(payload) => {
            assert_eq!(Timestamp::decode(payload.as_bytes()), Ok(moment));
            let small = u32::try_from(sec).is_ok() && nsec == 0;
            let middle = (0..1 << 34).contains(&sec);
            assert_eq!(payload.as_bytes().len(), if small { 4 } else if middle { 8 } else { 12 });
        }
        Err(_) => assert!((0..1 << 34).contains(&sec) && nsec >= 1 << 30),
    }
    let raw = [int.to_be_bytes(), uint.to_be_bytes()].concat();
    for n in 0..=raw.len() {
        assert_eq!(Timestamp::decode(&raw[..n]).is_ok(), matches!(n, 4 | 8 | 12));
    }
});
