//! Limits for data from people one does not trust. Each is checked at the header, before anything is made or waited for.

use super::fail::{Fail, MAX_DEPTH};
use crate::bridge::{
    hash,
    names::{names, Names},
    number, raise, Val,
};
use msgpack_wire::head::{self, Head, Parsed};

/// The largest values allowed; [`u64::MAX`] stands for no limit.
#[derive(Clone, Copy)]
pub struct Limits {
    depth: u64,
    string: u64,
    bin: u64,
    ext: u64,
    array: u64,
    map: u64,
    objects: u64,
}

/// Name and value of a limit, for the message of the error.
#[derive(Clone, Copy)]
pub struct Excess {
    pub name: &'static str,
    pub found: u64,
    pub limit: u64,
}

type Row = (&'static str, fn(&Names) -> Val, fn(&mut Limits) -> &mut u64);

const TABLE: [Row; 7] = [
    ("max_depth", |n| n.sym_max_depth, |l| &mut l.depth),
    ("max_string_bytes", |n| n.sym_max_string_bytes, |l| &mut l.string),
    ("max_bin_bytes", |n| n.sym_max_bin_bytes, |l| &mut l.bin),
    ("max_ext_bytes", |n| n.sym_max_ext_bytes, |l| &mut l.ext),
    ("max_array_length", |n| n.sym_max_array_length, |l| &mut l.array),
    ("max_map_length", |n| n.sym_max_map_length, |l| &mut l.map),
    ("max_total_objects", |n| n.sym_max_total_objects, |l| &mut l.objects),
];

impl Limits {
    /// The limits that a Hash names, or None if it names none. Jumps: TypeError for what is no Integer, ArgumentError for
    /// negative numbers and for a depth above the fixed one.
    pub fn from_hash(options: Val) -> Option<Limits> {
        const OFF: u64 = u64::MAX;
        let mut limits = Limits { depth: OFF, string: OFF, bin: OFF, ext: OFF, array: OFF, map: OFF, objects: OFF };
        let mut any = false;
        for (name, symbol, field) in TABLE {
            let v = hash::get(options, symbol(names()));
            if !v.is_nil() {
                *field(&mut limits) = limit(name, v);
                any = true;
            }
        }
        any.then_some(limits)
    }

    /// Levels of nesting that may be open, given by the caller or by the format's implementation.
    pub fn depth(&self) -> usize {
        usize::try_from(self.depth).unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// Checks a level of nesting that is about to open.
    pub fn admit_level(&self, level: usize) -> Result<(), Fail> {
        check("max_depth", level as u64, self.depth)
    }

    /// Checks the token that `s` begins with, before it is read; counts it once it is there in full. `levels` are open,
    /// `count` objects were read.
    pub fn admit(&self, s: &[u8], levels: usize, count: &mut u64) -> Result<(), Fail> {
        let Parsed::Head { head, used } = head::parse(s) else { return Ok(()) };
        let mut counted = *count;
        self.admit_head(head, levels, &mut counted)?;
        if head.body_len() <= (s.len() - used) as u64 {
            *count = counted;
        }
        Ok(())
    }

    /// Checks and counts one head.
    pub fn admit_head(&self, head: Head, levels: usize, count: &mut u64) -> Result<(), Fail> {
        match head {
            Head::Str(n) => check("max_string_bytes", n as u64, self.string)?,
            Head::Bin(n) => check("max_bin_bytes", n as u64, self.bin)?,
            Head::Ext { len, .. } => check("max_ext_bytes", len as u64, self.ext)?,
            Head::Array(n) => check("max_array_length", n as u64, self.array)?,
            Head::Map(n) => check("max_map_length", n as u64, self.map)?,
            _ => {}
        }
        if head.children() > 0 {
            self.admit_level(levels + 1)?;
        }
        let total = count.saturating_add(1).saturating_add(head.children());
        check("max_total_objects", total, self.objects)?;
        *count += 1;
        Ok(())
    }
}

fn check(name: &'static str, found: u64, limit: u64) -> Result<(), Fail> {
    if found > limit {
        Err(Fail::Limit(Excess { name, found, limit }))
    } else {
        Ok(())
    }
}

fn limit(name: &str, v: Val) -> u64 {
    if !v.is_integer() {
        raise::option_type(name, v, "Integer")
    }
    let n = number::to_long(v);
    if n < 0 {
        raise::fmt(names().arg_error, format_args!("{name}: {n} is negative"))
    }
    if name == "max_depth" && n as usize > MAX_DEPTH {
        raise::fmt(
            names().arg_error,
            format_args!("max_depth: {n} is more than {MAX_DEPTH}, the depth that is supported"),
        )
    }
    n as u64
}
