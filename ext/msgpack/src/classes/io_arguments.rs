//! The arguments that Packer, Unpacker and the module functions share: `(io = nil, options = nil)`.

use crate::{
    bridge::{names::names, raise, Val},
    codec::{buffer::Buffer, port},
};

/// An IO or nil, and a Hash or nil.
#[derive(Clone, Copy)]
pub struct IoArguments {
    pub io: Val,
    pub options: Val,
}

const NONE: IoArguments = IoArguments { io: Val::NIL, options: Val::NIL };

impl IoArguments {
    /// As `Packer.new` takes them. Jumps.
    #[inline(always)]
    pub fn of_packer(args: &[Val]) -> IoArguments {
        match *args {
            [] => NONE,
            [options] if options.is_hash() => IoArguments { options, ..NONE },
            [io] => IoArguments { io, ..NONE },
            [first, second] if second.is_nil() => IoArguments::of_packer(&[first]),
            [io, options] => {
                raise::check_hash(options);
                IoArguments { io, options }
            }
            _ => too_many(args.len()),
        }
    }

    /// As `Buffer.new` takes them: as [`IoArguments::of_unpacker`], but nil is no Hash. Jumps.
    pub fn of_buffer(args: &[Val]) -> IoArguments {
        if let [_, options] = *args {
            port::check_options(options);
        }
        IoArguments::of_unpacker(args)
    }

    /// As `Unpacker.new` takes them: with two arguments the first is always the IO. Jumps.
    #[inline(always)]
    pub fn of_unpacker(args: &[Val]) -> IoArguments {
        match *args {
            [] => NONE,
            [options] if options.is_hash() => IoArguments { options, ..NONE },
            [io] => IoArguments { io, ..NONE },
            [io, options] if options.is_nil() => IoArguments { io, ..NONE },
            [io, options] => {
                port::check_options(options);
                IoArguments { io, options }
            }
            _ => too_many(args.len()),
        }
    }

    /// Gives the buffer its IO and sizes. Jumps.
    #[inline(always)]
    pub fn apply_to(self, buffer: &Buffer) {
        if !self.options.is_nil() {
            buffer.set_sizes(buffer.sizes().with_options(self.options));
        }
        if !self.io.is_nil() {
            buffer.port.attach(self.io);
        }
    }
}

/// ArgumentError `wrong number of arguments (3 for 0..2)`. Jumps.
#[cold]
pub fn too_many(n: usize) -> ! {
    raise::fmt(names().arg_error, format_args!("wrong number of arguments ({n} for 0..2)"))
}
