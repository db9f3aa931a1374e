//! The MessagePack wire format, and nothing else: no Ruby, no I/O, no values.
//!
//! Start with [`head`] (reading) and [`put`] (writing); both speak of *heads*. A head is the first
//! byte of an object, its *marker*, plus the size, number or type id that follows it. What comes
//! after the head (the body of a string, the elements of an array) is the caller's business, except
//! that [`skip`] can find where an object ends.
//!
//! # The format
//!
//! From the [MessagePack specification](https://github.com/msgpack/msgpack/blob/master/spec.md),
//! section "Formats". `n` is a byte of a big-endian size, `v` of a big-endian value, `t` the type
//! id. *Body* is what follows the head: bytes for strings and extensions, whole objects otherwise.
//!
//! | first byte | head | name | body |
//! |---|---|---|---|
//! | `00`-`7f` | 1 byte, the value itself | positive fixint | |
//! | `80`-`8f` | 1 byte, size in the low 4 bits | fixmap | 2 × size objects |
//! | `90`-`9f` | 1 byte, size in the low 4 bits | fixarray | size objects |
//! | `a0`-`bf` | 1 byte, size in the low 5 bits | fixstr | size bytes |
//! | `c0` | `c0` | nil | |
//! | `c1` | | never used | |
//! | `c2` `c3` | `c2` / `c3` | false, true | |
//! | `c4` | `c4 nn` | bin 8 | n bytes |
//! | `c5` | `c5 nn nn` | bin 16 | n bytes |
//! | `c6` | `c6 nn nn nn nn` | bin 32 | n bytes |
//! | `c7` | `c7 nn tt` | ext 8 | n bytes |
//! | `c8` | `c8 nn nn tt` | ext 16 | n bytes |
//! | `c9` | `c9 nn nn nn nn tt` | ext 32 | n bytes |
//! | `ca` | `ca` + 4 × `vv` | float 32, IEEE 754 | |
//! | `cb` | `cb` + 8 × `vv` | float 64, IEEE 754 | |
//! | `cc`-`cf` | + 1, 2, 4, 8 × `vv` | uint 8, 16, 32, 64 | |
//! | `d0`-`d3` | + 1, 2, 4, 8 × `vv` | int 8, 16, 32, 64, two's complement | |
//! | `d4`-`d8` | + `tt` | fixext | 1, 2, 4, 8, 16 bytes |
//! | `d9` | `d9 nn` | str 8 | n bytes |
//! | `da` | `da nn nn` | str 16 | n bytes |
//! | `db` | `db nn nn nn nn` | str 32 | n bytes |
//! | `dc` | `dc nn nn` | array 16 | n objects |
//! | `dd` | `dd nn nn nn nn` | array 32 | n objects |
//! | `de` | `de nn nn` | map 16 | 2 × n objects |
//! | `df` | `df nn nn nn nn` | map 32 | 2 × n objects |
//! | `e0`-`ff` | 1 byte, the value itself | negative fixint | |
//!
//! # Sizes are claims
//!
//! A size is what the sender says. Nothing here allocates, and all sums are made in `u64`, so that
//! no claim (`df 80 00 00 01` announces 2³² + 2 objects) can wrap or exhaust memory.
#![forbid(unsafe_code)]
#![no_std]
#![warn(missing_docs)]

pub mod bigint;
pub mod error;
pub mod head;
pub mod marker;
pub mod put;
pub mod skip;
pub mod timestamp;
