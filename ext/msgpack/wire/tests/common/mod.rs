//! A naive twin of the crate: a tree, a recursive writer that may choose any form the format allows,
//! and a recursive reader of lengths. Slow, obvious, and written without the crate.

use proptest::collection::vec;
use proptest::prelude::*;

/// An object. Sizes are those of the vectors, so a tree is always well-formed.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A complete scalar.
    Scalar(Vec<u8>),
    Body(BodyKind, Vec<u8>),
    Array(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

#[derive(Clone, Copy, Debug)]
pub enum BodyKind {
    Str,
    Bin,
    Ext(u8),
}

/// Writes `tree`; `form` picks among the sizes of size field that fit (0 = the smallest).
pub fn write(tree: &Tree, form: u8, out: &mut Vec<u8>) {
    match tree {
        Tree::Scalar(bytes) => out.extend(bytes),
        Tree::Body(BodyKind::Str, body) => {
            sized(&[0xd9, 0xda, 0xdb], body.len(), form, out);
            out.extend(body);
        }
        Tree::Body(BodyKind::Bin, body) => {
            sized(&[0xc4, 0xc5, 0xc6], body.len(), form, out);
            out.extend(body);
        }
        Tree::Body(BodyKind::Ext(id), body) => {
            sized(&[0xc7, 0xc8, 0xc9], body.len(), form, out);
            out.push(*id);
            out.extend(body);
        }
        Tree::Array(items) => {
            container(0x90, [0xdc, 0xdd], items.len(), form, out);
            for item in items {
                write(item, form, out);
            }
        }
        Tree::Map(pairs) => {
            container(0x80, [0xde, 0xdf], pairs.len(), form, out);
            for (key, value) in pairs {
                write(key, form, out);
                write(value, form, out);
            }
        }
    }
}

fn sized(markers: &[u8; 3], len: usize, form: u8, out: &mut Vec<u8>) {
    let smallest = if len <= 0xff {
        0
    } else if len <= 0xffff {
        1
    } else {
        2
    };
    let width = smallest.max(form.min(2));
    out.push(markers[usize::from(width)]);
    out.extend(&(len as u32).to_be_bytes()[4 - (1 << width)..]);
}

fn container(fix: u8, markers: [u8; 2], len: usize, form: u8, out: &mut Vec<u8>) {
    if len <= 15 && form == 0 {
        out.push(fix | len as u8);
    } else if form <= 1 {
        out.push(markers[0]);
        out.extend((len as u16).to_be_bytes());
    } else {
        out.push(markers[1]);
        out.extend((len as u32).to_be_bytes());
    }
}

/// Why [`object_len`] found no end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The bytes end inside the object.
    Short,
    /// `c1` at this offset.
    Reserved(usize),
    /// This offset is behind the head of the container too many.
    TooDeep(usize),
}

/// Offset behind the object at `start`, by recursion.
pub fn object_end(bytes: &[u8], start: usize, depth: usize) -> Result<usize, Stop> {
    let number = |from: usize, width: usize| -> Result<u64, Stop> {
        let field = bytes.get(from..from + width).ok_or(Stop::Short)?;
        Ok(field.iter().fold(0, |sum, &byte| sum * 256 + u64::from(byte)))
    };
    let first = *bytes.get(start).ok_or(Stop::Short)?;
    // Width of what follows the marker, bytes of body, objects inside.
    let (width, body, inside) = match first {
        0x00..=0x7f | 0xe0..=0xff | 0xc0 | 0xc2 | 0xc3 => (0, 0, 0),
        0xc1 => return Err(Stop::Reserved(start)),
        0x80..=0x8f => (0, 0, 2 * u64::from(first - 0x80)),
        0x90..=0x9f => (0, 0, u64::from(first - 0x90)),
        0xa0..=0xbf => (0, u64::from(first - 0xa0), 0),
        0xcc | 0xd0 => (1, 0, 0),
        0xcd | 0xd1 => (2, 0, 0),
        0xca | 0xce | 0xd2 => (4, 0, 0),
        0xcb | 0xcf | 0xd3 => (8, 0, 0),
        0xc4 | 0xd9 => (1, number(start + 1, 1)?, 0),
        0xc5 | 0xda => (2, number(start + 1, 2)?, 0),
        0xc6 | 0xdb => (4, number(start + 1, 4)?, 0),
        // The type id is part of the head.
        0xc7 => (2, number(start + 1, 1)?, 0),
        0xc8 => (3, number(start + 1, 2)?, 0),
        0xc9 => (5, number(start + 1, 4)?, 0),
        0xd4..=0xd8 => (1, 1 << (first - 0xd4), 0),
        0xdc => (2, 0, number(start + 1, 2)?),
        0xdd => (4, 0, number(start + 1, 4)?),
        0xde => (2, 0, 2 * number(start + 1, 2)?),
        0xdf => (4, 0, 2 * number(start + 1, 4)?),
    };
    let head_end = start + 1 + width;
    if head_end > bytes.len() {
        return Err(Stop::Short);
    }
    if inside > 0 && depth == 0 {
        return Err(Stop::TooDeep(head_end));
    }
    if body > (bytes.len() - head_end) as u64 {
        return Err(Stop::Short);
    }
    let mut end = head_end + body as usize;
    for _ in 0..inside {
        end = object_end(bytes, end, depth - 1)?;
    }
    Ok(end)
}

fn scalar() -> impl Strategy<Value = Tree> {
    prop_oneof![
        prop_oneof![0x00u8..=0x7f, 0xe0u8..=0xff].prop_map(|byte| vec![byte]),
        prop_oneof![Just(0xc0u8), Just(0xc2), Just(0xc3)].prop_map(|byte| vec![byte]),
        (prop_oneof![Just(0xccu8), Just(0xd0)], any::<[u8; 1]>()).prop_map(|(m, v)| [&[m][..], &v].concat()),
        (prop_oneof![Just(0xcdu8), Just(0xd1)], any::<[u8; 2]>()).prop_map(|(m, v)| [&[m][..], &v].concat()),
        (prop_oneof![Just(0xcau8), Just(0xce), Just(0xd2)], any::<[u8; 4]>())
            .prop_map(|(m, v)| [&[m][..], &v].concat()),
        (prop_oneof![Just(0xcbu8), Just(0xcf), Just(0xd3)], any::<[u8; 8]>())
            .prop_map(|(m, v)| [&[m][..], &v].concat()),
        // The small forms that carry their body's size in the marker.
        vec(any::<u8>(), 0..32).prop_map(|body| [&[0xa0 | body.len() as u8][..], &body].concat()),
        (0u32..5, any::<u8>(), any::<[u8; 16]>())
            .prop_map(|(power, id, body)| { [&[0xd4 + power as u8, id][..], &body[..1 << power]].concat() }),
    ]
    .prop_map(Tree::Scalar)
}

fn body() -> impl Strategy<Value = Tree> {
    let kind = prop_oneof![Just(BodyKind::Str), Just(BodyKind::Bin), any::<u8>().prop_map(BodyKind::Ext)];
    (kind, vec(any::<u8>(), 0..300)).prop_map(|(kind, body)| Tree::Body(kind, body))
}

/// Any well-formed object, up to 8 levels and some hundred nodes.
pub fn tree() -> impl Strategy<Value = Tree> {
    prop_oneof![4 => scalar(), 1 => body()].prop_recursive(8, 200, 20, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..20).prop_map(Tree::Array),
            vec((inner.clone(), inner), 0..20).prop_map(Tree::Map),
        ]
    })
}
