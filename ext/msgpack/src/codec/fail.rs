//! Why a decode stopped. Plain data: the exception is made in the last moment, by [`Fail::raise`].

use super::{limits::Excess, types::types};
use crate::bridge::{
    call::{self, Jump},
    names::names,
    number, raise, string, Val,
};

/// Containers (and recursive ext types) that may be open at once.
pub const MAX_DEPTH: usize = 128;

#[derive(Clone, Copy)]
#[must_use]
pub enum Fail {
    /// The buffered data ends inside an object, or before one.
    EndOfBuffer,
    /// The IO answered nil or an empty String.
    EndOfIo,
    /// `0xc1`.
    InvalidByte,
    /// More than [`MAX_DEPTH`] levels.
    TooDeep,
    /// An ext type that is not registered.
    UnknownExt,
    /// A header was asked for where something else stands.
    UnexpectedType,
    /// This many bytes behind the object.
    ExtraBytes(u64),
    /// The payload of a recursive ext type ends inside an object.
    EndOfPayload,
    /// A read from inside a plain ext proc.
    Reentered,
    /// A key that is no valid Symbol: Ruby's EncodingError about this String.
    BadSymbol(Val),
    /// An ext type, of this class, whose unpacker may not be called in this Ractor.
    Unshareable { type_id: i8, class: Val },
    /// The EOFError that the IO raised.
    EofOfIo(Jump),
    /// More than the caller allows.
    Limit(Excess),
    /// A Ruby exception, throw or kill that is under way.
    Jump(Jump),
}

impl Fail {
    /// Raises the exception, which tells `offset` if it is one of this library's. The frames above must own nothing.
    #[cold]
    #[inline(never)]
    pub fn raise(self, offset: u64) -> ! {
        let t = types();
        let error = |class: Val, text: std::fmt::Arguments<'_>| -> ! {
            let e = raise::new(class, text);
            call::set_ivar(e, names().iv_offset, number::from_u64(offset));
            raise::exception(e)
        };
        match self {
            Fail::EndOfBuffer => raise::with(names().eof_error, "end of buffer reached"),
            Fail::EndOfIo => raise::with(names().eof_error, "IO reached end of file"),
            Fail::InvalidByte => error(t.malformed_format_error, format_args!("invalid byte")),
            Fail::TooDeep => error(t.stack_error, format_args!("stack level too deep")),
            Fail::UnknownExt => error(t.unknown_ext_type_error, format_args!("unexpected extension type")),
            Fail::UnexpectedType => error(t.unexpected_type_error, format_args!("unexpected type")),
            Fail::ExtraBytes(n) => {
                error(t.malformed_format_error, format_args!("{n} extra bytes after the deserialized object"))
            }
            Fail::EndOfPayload => error(t.malformed_format_error, format_args!("unexpected end of the ext payload")),
            Fail::Reentered => {
                error(t.unpack_error, format_args!("cannot read from an unpacker inside its own ext proc"))
            }
            Fail::BadSymbol(s) => {
                string::to_symbol(s);
                unreachable!("a broken String is no Symbol")
            }
            Fail::Unshareable { type_id, class } => unshareable(type_id, class, "unpacked", "unpacker"),
            Fail::Limit(Excess { name, found, limit }) => {
                error(t.limit_error, format_args!("{name}: {found} is over the limit of {limit}, at byte {offset}"))
            }
            Fail::EofOfIo(jump) | Fail::Jump(jump) => jump.resume(),
        }
    }
}

/// `ext type 5 (Wrap) cannot be packed in this Ractor: its packer is not shareable`. Jumps.
#[cold]
pub fn unshareable(type_id: i8, class: Val, action: &str, side: &str) -> ! {
    let named = string::text_of(class, false);
    let message = {
        let text = string::with_bytes(named, |name| {
            let class = String::from_utf8_lossy(name);
            format!("ext type {type_id} ({class}) cannot be {action} in this Ractor: its {side} is not shareable")
        });
        string::utf8(text.as_bytes())
    };
    raise::exception(call::new_exception(names().isolation_error, message))
}

/// ArgumentError for what is longer than the format allows. Jumps.
#[cold]
pub fn too_long(what: &str, n: usize) -> ! {
    raise::fmt(names().arg_error, format_args!("size of {what} is too long to pack: {n} bytes should be <= 4294967295"))
}

/// The id of an ext type as the format has it, checked as the methods that take one do. Jumps.
pub fn ext_type_id(v: Val) -> i8 {
    let n = number::to_i32(v);
    i8::try_from(n).unwrap_or_else(|_| not_signed_char(v))
}

/// RangeError naming the value. Jumps.
#[cold]
pub fn not_signed_char(v: Val) -> ! {
    let text = string::text_of(v, false);
    let message = {
        let text = string::with_bytes(text, |t| {
            format!("integer {} too big to convert to `signed char'", String::from_utf8_lossy(t))
        });
        string::utf8(text.as_bytes())
    };
    raise::exception(call::new_exception(names().range_error, message))
}
