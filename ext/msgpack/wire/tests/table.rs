//! Every marker × {min, max, max + 1}, written by hand from the specification's section "Formats".
//! Nothing here is computed by the code under test.

use msgpack_wire::head::{parse, Head, Parsed};
use msgpack_wire::marker::{self, Marker};
use msgpack_wire::put::Short;

/// "92 01" -> [0x92, 0x01]
fn hex(text: &str) -> Vec<u8> {
    text.split(' ').map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

fn bytes(short: Short) -> Vec<u8> {
    let mut out = Vec::new();
    short.put(&mut out);
    out
}

/// `short` writes exactly `expected`, and `parse` reads it as `head`.
#[track_caller]
fn both(short: Short, expected: &str, head: Head) {
    assert_eq!(bytes(short), hex(expected), "put");
    reads(expected, head);
}

#[track_caller]
fn reads(wire: &str, head: Head) {
    let wire = hex(wire);
    let used = wire.len();
    assert_eq!(parse(&wire), Parsed::Head { head, used }, "parse");
}

#[test]
fn nil_and_booleans() {
    both(Short::nil(), "c0", Head::Nil);
    both(Short::bool(false), "c2", Head::Bool(false));
    both(Short::bool(true), "c3", Head::Bool(true));
}

#[test]
fn c1_is_no_object() {
    assert_eq!(parse(&[0xc1]), Parsed::Reserved);
    assert_eq!(parse(&[0xc1, 0x00]), Parsed::Reserved);
}

#[test]
fn non_negative_integers() {
    for (value, wire) in [
        (0, "00"),
        (1, "01"),
        (0x7f, "7f"),
        (0x80, "cc 80"),
        (0xff, "cc ff"),
        (0x100, "cd 01 00"),
        (0xffff, "cd ff ff"),
        (0x1_0000, "ce 00 01 00 00"),
        (0xffff_ffff, "ce ff ff ff ff"),
        (0x1_0000_0000, "cf 00 00 00 01 00 00 00 00"),
        (0x7fff_ffff_ffff_ffff, "cf 7f ff ff ff ff ff ff ff"),
        (0x8000_0000_0000_0000, "cf 80 00 00 00 00 00 00 00"),
        (0xffff_ffff_ffff_ffff, "cf ff ff ff ff ff ff ff ff"),
    ] {
        both(Short::uint(value), wire, Head::Uint(value));
        if let Ok(signed) = i64::try_from(value) {
            both(Short::int(signed), wire, Head::Uint(value));
        }
    }
}

#[test]
fn negative_integers() {
    for (value, wire) in [
        (-1, "ff"),
        (-32, "e0"),
        (-33, "d0 df"),
        (-128, "d0 80"),
        (-129, "d1 ff 7f"),
        (-0x8000, "d1 80 00"),
        (-0x8001, "d2 ff ff 7f ff"),
        (-0x8000_0000, "d2 80 00 00 00"),
        (-0x8000_0001, "d3 ff ff ff ff 7f ff ff ff"),
        (i64::MIN, "d3 80 00 00 00 00 00 00 00"),
    ] {
        both(Short::int(value), wire, Head::Int(value));
    }
}

#[test]
fn integers_that_could_be_shorter_are_read() {
    reads("cc 00", Head::Uint(0));
    reads("cc 7f", Head::Uint(0x7f));
    reads("cd 00 00", Head::Uint(0));
    reads("cd 00 ff", Head::Uint(0xff));
    reads("ce 00 00 00 00", Head::Uint(0));
    reads("ce 00 00 ff ff", Head::Uint(0xffff));
    reads("cf 00 00 00 00 00 00 00 00", Head::Uint(0));
    reads("cf 00 00 00 00 ff ff ff ff", Head::Uint(0xffff_ffff));
    reads("d0 00", Head::Int(0));
    reads("d0 7f", Head::Int(0x7f));
    reads("d0 ff", Head::Int(-1));
    reads("d1 00 00", Head::Int(0));
    reads("d1 7f ff", Head::Int(0x7fff));
    reads("d1 ff ff", Head::Int(-1));
    reads("d2 00 00 00 00", Head::Int(0));
    reads("d2 7f ff ff ff", Head::Int(0x7fff_ffff));
    reads("d2 ff ff ff ff", Head::Int(-1));
    reads("d3 00 00 00 00 00 00 00 00", Head::Int(0));
    reads("d3 7f ff ff ff ff ff ff ff", Head::Int(i64::MAX));
    reads("d3 ff ff ff ff ff ff ff ff", Head::Int(-1));
}

#[test]
fn floats() {
    for (value, wire) in [
        (0.0, "ca 00 00 00 00"),
        (-0.0, "ca 80 00 00 00"),
        (1.0, "ca 3f 80 00 00"),
        (0.1, "ca 3d cc cc cd"),
        (f32::MAX, "ca 7f 7f ff ff"),
        (f32::from_bits(1), "ca 00 00 00 01"),
        (f32::INFINITY, "ca 7f 80 00 00"),
        (f32::NEG_INFINITY, "ca ff 80 00 00"),
    ] {
        both(Short::float32(value), wire, Head::Float32(value));
    }
    for (value, wire) in [
        (0.0, "cb 00 00 00 00 00 00 00 00"),
        (-0.0, "cb 80 00 00 00 00 00 00 00"),
        (1.0, "cb 3f f0 00 00 00 00 00 00"),
        (0.1, "cb 3f b9 99 99 99 99 99 9a"),
        (f64::MAX, "cb 7f ef ff ff ff ff ff ff"),
        (f64::from_bits(1), "cb 00 00 00 00 00 00 00 01"),
        (f64::INFINITY, "cb 7f f0 00 00 00 00 00 00"),
        (f64::NEG_INFINITY, "cb ff f0 00 00 00 00 00 00"),
    ] {
        both(Short::float64(value), wire, Head::Float64(value));
    }
}

#[test]
fn zeros_keep_their_sign() {
    // -0.0 == 0.0, so the table above can't tell.
    let sign = |wire: &str| match parse(&hex(wire)) {
        Parsed::Head { head, .. } => match head {
            Head::Float32(value) => value.is_sign_negative(),
            Head::Float64(value) => value.is_sign_negative(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert!(sign("ca 80 00 00 00"));
    assert!(sign("cb 80 00 00 00 00 00 00 00"));
    assert!(!sign("ca 00 00 00 00"));
    assert!(!sign("cb 00 00 00 00 00 00 00 00"));
}

#[test]
fn nan_bits_pass_unchanged() {
    let quiet = f64::from_bits(0x7ff8_0000_0000_0001);
    assert_eq!(bytes(Short::float64(quiet)), hex("cb 7f f8 00 00 00 00 00 01"));
    match parse(&hex("cb ff f8 00 00 00 00 00 02")) {
        Parsed::Head { head: Head::Float64(value), used: 9 } => assert_eq!(value.to_bits(), 0xfff8_0000_0000_0002),
        other => panic!("{other:?}"),
    }
    let quiet = f32::from_bits(0x7fc0_0001);
    assert_eq!(bytes(Short::float32(quiet)), hex("ca 7f c0 00 01"));
}

#[test]
fn str_heads() {
    for (len, wire) in [
        (0, "a0"),
        (1, "a1"),
        (31, "bf"),
        (32, "d9 20"),
        (0xff, "d9 ff"),
        (0x100, "da 01 00"),
        (0xffff, "da ff ff"),
        (0x1_0000, "db 00 01 00 00"),
        (u32::MAX, "db ff ff ff ff"),
    ] {
        both(Short::str(len), wire, Head::Str(len));
    }
    reads("d9 00", Head::Str(0));
    reads("da 00 00", Head::Str(0));
    reads("db 00 00 00 00", Head::Str(0));
}

#[test]
fn raw_heads_have_no_str8() {
    for (len, wire) in [
        (0, "a0"),
        (31, "bf"),
        (32, "da 00 20"),
        (0xff, "da 00 ff"),
        (0x100, "da 01 00"),
        (0xffff, "da ff ff"),
        (0x1_0000, "db 00 01 00 00"),
        (u32::MAX, "db ff ff ff ff"),
    ] {
        both(Short::str_raw(len), wire, Head::Str(len));
    }
}

#[test]
fn bin_heads() {
    for (len, wire) in [
        (0, "c4 00"),
        (1, "c4 01"),
        (0xff, "c4 ff"),
        (0x100, "c5 01 00"),
        (0xffff, "c5 ff ff"),
        (0x1_0000, "c6 00 01 00 00"),
        (u32::MAX, "c6 ff ff ff ff"),
    ] {
        both(Short::bin(len), wire, Head::Bin(len));
    }
    reads("c5 00 00", Head::Bin(0));
    reads("c6 00 00 00 00", Head::Bin(0));
}

#[test]
fn array_heads() {
    for (len, wire) in [
        (0, "90"),
        (15, "9f"),
        (16, "dc 00 10"),
        (0xffff, "dc ff ff"),
        (0x1_0000, "dd 00 01 00 00"),
        (u32::MAX, "dd ff ff ff ff"),
    ] {
        both(Short::array(len), wire, Head::Array(len));
    }
    reads("dc 00 00", Head::Array(0));
    reads("dd 00 00 00 00", Head::Array(0));
}

#[test]
fn map_heads() {
    for (len, wire) in [
        (0, "80"),
        (15, "8f"),
        (16, "de 00 10"),
        (0xffff, "de ff ff"),
        (0x1_0000, "df 00 01 00 00"),
        (u32::MAX, "df ff ff ff ff"),
    ] {
        both(Short::map(len), wire, Head::Map(len));
    }
    reads("de 00 00", Head::Map(0));
    reads("df 00 00 00 00", Head::Map(0));
}

#[test]
fn ext_heads() {
    for (len, wire, type_id) in [
        (0, "c7 00 05", 5),
        (1, "d4 05", 5),
        (2, "d5 05", 5),
        (3, "c7 03 05", 5),
        (4, "d6 05", 5),
        (5, "c7 05 05", 5),
        (7, "c7 07 05", 5),
        (8, "d7 05", 5),
        (9, "c7 09 05", 5),
        (15, "c7 0f 05", 5),
        (16, "d8 05", 5),
        (17, "c7 11 05", 5),
        (0xff, "c7 ff 05", 5),
        (0x100, "c8 01 00 05", 5),
        (0xffff, "c8 ff ff 05", 5),
        (0x1_0000, "c9 00 01 00 00 05", 5),
        (u32::MAX, "c9 ff ff ff ff 05", 5),
        (1, "d4 00", 0),
        (1, "d4 7f", 127),
        (1, "d4 80", -128),
        (1, "d4 ff", -1),
        (3, "c7 03 ff", -1),
        (0x100, "c8 01 00 ff", -1),
        (0x1_0000, "c9 00 01 00 00 ff", -1),
    ] {
        both(Short::ext(len, type_id), wire, Head::Ext { type_id, len });
    }
    for (wire, len) in
        [("c7 01 ff", 1), ("c8 00 00 ff", 0), ("c8 00 10 ff", 16), ("c9 00 00 00 00 ff", 0), ("c9 00 00 00 08 ff", 8)]
    {
        reads(wire, Head::Ext { type_id: -1, len });
    }
}

#[test]
fn what_follows_the_head_is_not_looked_at() {
    assert_eq!(parse(&hex("cd 01 00 c1 c1")), Parsed::Head { head: Head::Uint(0x100), used: 3 });
}

/// Length of the head that starts with each byte, from the specification's diagrams; 0 for `c1`.
fn head_len(first: u8) -> usize {
    match first {
        0xc1 => 0,
        0xc4 | 0xcc | 0xd0 | 0xd4..=0xd9 => 2,
        0xc5 | 0xc7 | 0xcd | 0xd1 | 0xda | 0xdc | 0xde => 3,
        0xc8 => 4,
        0xc6 | 0xca | 0xce | 0xd2 | 0xdb | 0xdd | 0xdf => 5,
        0xc9 => 6,
        0xcb | 0xcf | 0xd3 => 9,
        _ => 1,
    }
}

#[test]
fn need_more_counts_the_whole_head() {
    assert_eq!(parse(&[]), Parsed::NeedMore(1));
    for first in 0..=0xff {
        let total = head_len(first);
        let wire = [first, 0, 0, 0, 0, 0, 0, 0, 0];
        for cut in 1..total {
            assert_eq!(parse(&wire[..cut]), Parsed::NeedMore(total), "{first:02x}, {cut} bytes");
        }
        match parse(&wire) {
            Parsed::Head { used, .. } => assert_eq!(used, total, "{first:02x}"),
            Parsed::Reserved => assert_eq!(first, 0xc1),
            Parsed::NeedMore(_) => panic!("{first:02x} needs more than 9 bytes"),
        }
    }
}

#[test]
fn body_len_and_children() {
    let max = u32::MAX;
    for (head, body_len, children) in [
        (Head::Nil, 0, 0),
        (Head::Bool(true), 0, 0),
        (Head::Uint(7), 0, 0),
        (Head::Int(-7), 0, 0),
        (Head::Float32(7.0), 0, 0),
        (Head::Float64(7.0), 0, 0),
        (Head::Str(7), 7, 0),
        (Head::Bin(7), 7, 0),
        (Head::Array(7), 0, 7),
        (Head::Map(7), 0, 14),
        (Head::Ext { type_id: 1, len: 7 }, 7, 0),
        (Head::Str(max), 0xffff_ffff, 0),
        (Head::Array(max), 0, 0xffff_ffff),
        (Head::Map(max), 0, 0x1_ffff_fffe),
        (Head::Map(0x8000_0001), 0, 0x1_0000_0002),
    ] {
        assert_eq!(head.body_len(), body_len, "{head:?}");
        assert_eq!(head.children(), children, "{head:?}");
    }
}

#[test]
fn bytes_beyond_len_are_zero() {
    for short in [
        Short::nil(),
        Short::int(-1),
        Short::int(-33),
        Short::int(-129),
        Short::int(-0x8001),
        Short::uint(0xffff),
        Short::str(0xff),
        Short::ext(0xffff, -1),
        Short::ext(u32::MAX, -1),
    ] {
        let all = short.to_array();
        let (counts, padding) = all.split_at(short.len.into());
        assert_eq!(bytes(short), counts);
        assert!(padding.iter().all(|&byte| byte == 0), "{short:?}");
        assert_eq!(short.first, all[0]);
        assert_eq!(short.rest.to_be_bytes(), all[1..]);
    }
}

#[test]
fn markers_name_all_bytes() {
    for byte in 0..=0xff {
        assert_eq!(Marker::from_u8(byte).to_u8(), byte);
    }
    for (byte, name) in [
        (0x00, Marker::FixPos(0)),
        (0x7f, Marker::FixPos(127)),
        (0x80, Marker::FixMap(0)),
        (0x8f, Marker::FixMap(15)),
        (0x90, Marker::FixArray(0)),
        (0x9f, Marker::FixArray(15)),
        (0xa0, Marker::FixStr(0)),
        (0xbf, Marker::FixStr(31)),
        (0xc0, Marker::Nil),
        (0xc1, Marker::Reserved),
        (0xc2, Marker::False),
        (0xc3, Marker::True),
        (0xc4, Marker::Bin8),
        (0xc5, Marker::Bin16),
        (0xc6, Marker::Bin32),
        (0xc7, Marker::Ext8),
        (0xc8, Marker::Ext16),
        (0xc9, Marker::Ext32),
        (0xca, Marker::Float32),
        (0xcb, Marker::Float64),
        (0xcc, Marker::Uint8),
        (0xcd, Marker::Uint16),
        (0xce, Marker::Uint32),
        (0xcf, Marker::Uint64),
        (0xd0, Marker::Int8),
        (0xd1, Marker::Int16),
        (0xd2, Marker::Int32),
        (0xd3, Marker::Int64),
        (0xd4, Marker::FixExt1),
        (0xd5, Marker::FixExt2),
        (0xd6, Marker::FixExt4),
        (0xd7, Marker::FixExt8),
        (0xd8, Marker::FixExt16),
        (0xd9, Marker::Str8),
        (0xda, Marker::Str16),
        (0xdb, Marker::Str32),
        (0xdc, Marker::Array16),
        (0xdd, Marker::Array32),
        (0xde, Marker::Map16),
        (0xdf, Marker::Map32),
        (0xe0, Marker::FixNeg(-32)),
        (0xff, Marker::FixNeg(-1)),
    ] {
        assert_eq!(Marker::from_u8(byte), name);
        assert_eq!(name.to_u8(), byte);
    }
}

#[test]
fn a_payload_out_of_range_keeps_its_marker() {
    assert_eq!(Marker::FixPos(0x80).to_u8(), 0x00);
    assert_eq!(Marker::FixMap(0x10).to_u8(), marker::FIXMAP);
    assert_eq!(Marker::FixArray(0x10).to_u8(), marker::FIXARRAY);
    assert_eq!(Marker::FixStr(0x20).to_u8(), marker::FIXSTR);
    assert_eq!(Marker::FixNeg(0).to_u8(), marker::NEG_FIXINT);
}
