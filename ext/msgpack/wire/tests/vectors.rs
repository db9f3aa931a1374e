//! The published test suite (github.com/kawanet/msgpack-test-suite): every listed form is read as
//! the value it stands for, and what `put` writes is the shortest form listed.
//!
//! The file is not part of the gem. It is taken from the environment variable `MSGPACK_VECTORS`, or
//! from `vectors/msgpack-test-suite.json` in a directory beside the checkout; without it the test
//! passes and says so.

use msgpack_wire::head::{parse, Head, Parsed};
use msgpack_wire::put::Short;
use msgpack_wire::skip::{object_len, MAX_DEPTH};
use msgpack_wire::timestamp::{Timestamp, TYPE_ID};
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const FILE: &str = "vectors/msgpack-test-suite.json";

fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("MSGPACK_VECTORS") {
        return Some(path.into()); // a wrong path is an error, not a reason to skip
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(4)?.read_dir().ok()?;
    let mut found: Vec<_> =
        beside.filter_map(|entry| Some(entry.ok()?.path().join(FILE))).filter(|path| path.is_file()).collect();
    found.sort();
    found.into_iter().next()
}

/// "92-01" -> [0x92, 0x01]
fn hex(text: &str) -> Vec<u8> {
    text.split('-').filter(|pair| !pair.is_empty()).map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// Takes one head and its body off the front.
fn take<'a>(wire: &mut &'a [u8]) -> (Head, &'a [u8]) {
    match parse(wire) {
        Parsed::Head { head, used } => {
            let (body, rest) = wire[used..].split_at(head.body_len() as usize);
            *wire = rest;
            (head, body)
        }
        other => panic!("{other:?}"),
    }
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => number.as_i64().map(i128::from).or(number.as_u64().map(i128::from)),
        Value::String(digits) => Some(digits.parse().unwrap()),
        _ => None,
    }
}

/// The object at the front of `wire` is `value`, an entry's value of this kind.
fn check(kind: &str, value: &Value, wire: &mut &[u8]) {
    let (head, body) = take(wire);
    match (kind, value) {
        ("nil", Value::Null) => assert_eq!(head, Head::Nil),
        ("bool", Value::Bool(value)) => assert_eq!(head, Head::Bool(*value)),
        ("number" | "bignum", value) => match head {
            Head::Uint(found) => assert_eq!(Some(i128::from(found)), integer(value)),
            Head::Int(found) => assert_eq!(Some(i128::from(found)), integer(value)),
            Head::Float32(found) => assert_eq!(Some(f64::from(found)), number(value)),
            Head::Float64(found) => assert_eq!(Some(found), number(value)),
            other => panic!("{other:?}"),
        },
        ("string", Value::String(text)) => {
            assert!(matches!(head, Head::Str(_)), "{head:?}");
            assert_eq!(body, text.as_bytes());
        }
        ("binary", Value::String(text)) => {
            assert!(matches!(head, Head::Bin(_)), "{head:?}");
            assert_eq!(body, hex(text));
        }
        ("array", Value::Array(items)) => {
            assert_eq!(head, Head::Array(items.len() as u32));
            for item in items {
                check(kind_of(item), item, wire);
            }
        }
        ("map", Value::Object(pairs)) => {
            assert_eq!(head, Head::Map(pairs.len() as u32));
            for (key, value) in pairs {
                check("string", &Value::String(key.clone()), wire);
                check(kind_of(value), value, wire);
            }
        }
        ("timestamp", value) => {
            let len = body.len() as u32;
            assert_eq!(head, Head::Ext { type_id: TYPE_ID, len });
            assert_eq!(Timestamp::decode(body), Ok(moment(value)));
        }
        ("ext", value) => {
            let (type_id, payload) = ext(value);
            let len = payload.len() as u32;
            assert_eq!(head, Head::Ext { type_id, len });
            assert_eq!(body, payload);
        }
        other => panic!("no check for {other:?}"),
    }
}

/// The kind of an element, which the file does not name.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nil",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "map",
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(digits) => digits.parse().ok(),
        other => other.as_f64(),
    }
}

fn moment(value: &Value) -> Timestamp {
    Timestamp { sec: value[0].as_i64().unwrap(), nsec: value[1].as_u64().unwrap() as u32 }
}

fn ext(value: &Value) -> (i8, Vec<u8>) {
    let type_id = value[0].as_i64().unwrap();
    (type_id as i8, hex(value[1].as_str().unwrap()))
}

/// Writes `value` with `put`; false for floats, whose width is the caller's choice.
fn write(kind: &str, value: &Value, out: &mut Vec<u8>) -> bool {
    match (kind, value) {
        ("nil", _) => Short::nil().put(out),
        ("bool", value) => Short::bool(value.as_bool().unwrap()).put(out),
        ("number" | "bignum", value) => match integer(value) {
            Some(value) if value < 0 => Short::int(value.try_into().unwrap()).put(out),
            Some(value) => Short::uint(value.try_into().unwrap()).put(out),
            None => return false,
        },
        ("string", value) => {
            let text = value.as_str().unwrap();
            Short::str(text.len() as u32).put(out);
            out.extend(text.as_bytes());
        }
        ("binary", value) => {
            let body = hex(value.as_str().unwrap());
            Short::bin(body.len() as u32).put(out);
            out.extend(body);
        }
        ("array", Value::Array(items)) => {
            Short::array(items.len() as u32).put(out);
            return items.iter().all(|item| write(kind_of(item), item, out));
        }
        ("map", Value::Object(pairs)) => {
            Short::map(pairs.len() as u32).put(out);
            return pairs.iter().all(|(key, value)| {
                write("string", &Value::String(key.clone()), out) && write(kind_of(value), value, out)
            });
        }
        ("timestamp", value) => {
            let payload = moment(value).encode().unwrap();
            Short::ext(payload.as_bytes().len() as u32, TYPE_ID).put(out);
            out.extend(payload.as_bytes());
        }
        ("ext", value) => {
            let (type_id, payload) = ext(value);
            Short::ext(payload.len() as u32, type_id).put(out);
            out.extend(payload);
        }
        other => panic!("no writer for {other:?}"),
    }
    true
}

#[test]
fn published_vectors() {
    let Some(path) = find() else {
        // Not `eprintln!`: the harness would swallow it.
        writeln!(std::io::stderr(), "skipped: no {FILE}, set MSGPACK_VECTORS").unwrap();
        return;
    };
    let text = std::fs::read_to_string(&path).unwrap();
    let groups: Value = serde_json::from_str(&text).unwrap();
    let mut forms = 0;
    for entry in groups.as_object().unwrap().values().flat_map(|group| group.as_array().unwrap()) {
        let entry = entry.as_object().unwrap();
        let wires: Vec<_> =
            entry["msgpack"].as_array().unwrap().iter().map(|form| hex(form.as_str().unwrap())).collect();
        // "bignum" repeats some "number" entries exactly.
        let (kind, value) = ["bignum"]
            .into_iter()
            .filter_map(|kind| entry.get_key_value(kind))
            .chain(entry.iter())
            .find(|(kind, _)| *kind != "msgpack")
            .unwrap();
        for wire in &wires {
            let mut rest = &wire[..];
            check(kind, value, &mut rest);
            assert!(rest.is_empty(), "{entry:?}");
            assert_eq!(object_len(wire, MAX_DEPTH), Ok(Some(wire.len())));
            forms += 1;
        }
        let mut written = Vec::new();
        if write(kind, value, &mut written) {
            assert!(wires.contains(&written), "{written:02x?} for {entry:?}");
            // A float 32 can be shorter than the integer it equals, but is no integer.
            let not_float = wires.iter().filter(|wire| !matches!(wire[0], 0xca | 0xcb));
            let shortest = not_float.map(Vec::len).min();
            assert_eq!(Some(written.len()), shortest, "{entry:?}");
        }
    }
    assert!(forms > 200, "only {forms} forms in {}", path.display());
}
