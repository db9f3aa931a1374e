//! Ids, classes and encodings, looked up once while the library loads. Read-only afterwards.

use super::{hash, Val};
use rb_sys::{rb_encoding, ID, VALUE};
use std::{cell::UnsafeCell, mem::MaybeUninit};

/// A method name.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Id(pub(super) ID);

macro_rules! names {
    (
        values { $($v:ident = $vx:expr),* $(,)? }
        ids { $($id:ident = $name:literal),* $(,)? }
        symbols { $($sym:ident = $sname:literal),* $(,)? }
    ) => {
        pub struct Names {
            pub(super) utf8: *const rb_encoding,
            pub(super) binary: *const rb_encoding,
            pub(super) hash_walk: Option<hash::Walk>,
            $(pub $v: Val,)*
            $(pub $id: Id,)*
            $(pub $sym: Val,)*
        }

        impl Names {
            fn load() -> Names {
                // SAFETY: called from `load`, on a Ruby thread, while the library loads. Classes of Ruby's
                // core live as long as the process; ids and symbols of `rb_intern` are never collected.
                unsafe {
                    Names {
                        utf8: rb_sys::rb_utf8_encoding() as *const _,
                        binary: rb_sys::rb_ascii8bit_encoding() as *const _,
                        hash_walk: hash::find_walk(),
                        $($v: Val($vx),)*
                        $($id: Id(rb_sys::rb_intern(concat!($name, "\0").as_ptr() as *const _)),)*
                        $($sym: Val(rb_sys::rb_id2sym(rb_sys::rb_intern(concat!($sname, "\0").as_ptr() as *const _))),)*
                    }
                }
            }
        }
    };
}

names! {
    values {
        string = rb_sys::rb_cString,
        array = rb_sys::rb_cArray,
        hash = rb_sys::rb_cHash,
        integer = rb_sys::rb_cInteger,
        numeric = rb_sys::rb_cNumeric,
        symbol = rb_sys::rb_cSymbol,
        method = rb_sys::rb_cMethod,
        time = rb_sys::rb_cTime,
        proc_ = rb_sys::rb_cProc,
        name_error = rb_sys::rb_eNameError,
        arg_error = rb_sys::rb_eArgError,
        type_error = rb_sys::rb_eTypeError,
        range_error = rb_sys::rb_eRangeError,
        eof_error = rb_sys::rb_eEOFError,
        runtime_error = rb_sys::rb_eRuntimeError,
        system_stack_error = rb_sys::rb_eSysStackError,
        isolation_error = isolation_error(),
        hidden = hidden_class(),
    }
    ids {
        at = "at",
        bit_length = "bit_length",
        call = "call",
        close = "close",
        each = "each",
        equal = "==",
        feed = "feed",
        feed_each = "feed_each",
        force_encoding = "force_encoding",
        full_pack = "full_pack",
        full_unpack = "full_unpack",
        length = "length",
        less = "<",
        lshift = "<<",
        method_id = "method",
        name = "name",
        new = "new",
        other_payload = "other_payload",
        packer = "packer",
        read = "read",
        readpartial = "readpartial",
        receiver = "receiver",
        respond_to = "respond_to?",
        to_msgpack = "to_msgpack",
        to_proc = "to_proc",
        to_sym = "to_sym",
        unpack = "unpack",
        unpacker = "unpacker",
        write = "write",
        write_array = "write_array",
        write_false = "write_false",
        write_float = "write_float",
        write_hash = "write_hash",
        write_int = "write_int",
        write_nil = "write_nil",
        write_string = "write_string",
        write_symbol = "write_symbol",
        write_true = "write_true",
        iv_offset = "@offset",
        iv_owner = "@owner",
    }
    symbols {
        sym_allow_unknown_ext = "allow_unknown_ext",
        sym_compatibility_mode = "compatibility_mode",
        sym_freeze = "freeze",
        sym_io_buffer_size = "io_buffer_size",
        sym_max_array_length = "max_array_length",
        sym_max_bin_bytes = "max_bin_bytes",
        sym_max_depth = "max_depth",
        sym_max_ext_bytes = "max_ext_bytes",
        sym_max_map_length = "max_map_length",
        sym_max_string_bytes = "max_string_bytes",
        sym_max_total_objects = "max_total_objects",
        sym_nanosecond = "nanosecond",
        sym_optimized_symbols_parsing = "optimized_symbols_parsing",
        sym_oversized_integer_extension = "oversized_integer_extension",
        sym_packer = "packer",
        sym_read_reference_threshold = "read_reference_threshold",
        sym_recursive = "recursive",
        sym_symbolize_keys = "symbolize_keys",
        sym_unpacker = "unpacker",
        sym_write_reference_threshold = "write_reference_threshold",
    }
}

/// The class of the library's inner objects, which no constant names.
unsafe fn hidden_class() -> VALUE {
    let class = rb_sys::rb_class_new(rb_sys::rb_cObject);
    rb_sys::rb_undef_alloc_func(class);
    rb_sys::rb_gc_register_mark_object(class);
    class
}

/// `Ractor::IsolationError`, or StandardError on a Ruby without Ractors.
unsafe fn isolation_error() -> VALUE {
    let object = rb_sys::rb_cObject;
    let ractor = rb_sys::rb_intern(c"Ractor".as_ptr());
    if rb_sys::rb_const_defined(object, ractor) == 0 {
        return rb_sys::rb_eStandardError;
    }
    rb_sys::rb_const_get(rb_sys::rb_const_get(object, ractor), rb_sys::rb_intern(c"IsolationError".as_ptr()))
}

static NAMES: Fixed<Names> = Fixed::new();

/// Looks everything up, and checks what [`super::string`] takes for granted. Memory only.
pub fn load() {
    NAMES.set(Names::load());
    // SAFETY: plain look-ups.
    let indexes =
        unsafe { [rb_sys::rb_ascii8bit_encindex(), rb_sys::rb_utf8_encindex(), rb_sys::rb_usascii_encindex()] };
    assert!(indexes == [0, 1, 2], "this Ruby numbers its encodings differently: {indexes:?}");
}

#[inline(always)]
pub fn names() -> &'static Names {
    NAMES.get()
}

/// A value that is set once while the library loads and only read afterwards, from every Ractor. Reading it is a plain
/// load: a lock or an atomic would also keep the compiler from merging the loads around it.
pub struct Fixed<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: `set` runs before any method of the library is defined, so before anyone else can read; nobody writes after
// that. Ruby values in it are kept alive by `ractor::keep_forever` or belong to Ruby's core.
unsafe impl<T> Sync for Fixed<T> {}

impl<T> Fixed<T> {
    pub const fn new() -> Fixed<T> {
        Fixed(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// Once, while the library loads.
    pub fn set(&self, value: T) {
        // SAFETY: see above: no one reads yet.
        unsafe { (*self.0.get()).write(value) };
    }

    /// In a method of the library, or while it loads after `set`.
    #[inline(always)]
    pub fn get(&self) -> &T {
        // SAFETY: see above: it was set before this can be called.
        unsafe { (*self.0.get()).assume_init_ref() }
    }
}
