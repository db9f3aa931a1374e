//! `MessagePack::Packer`.

use super::{buffer, io_arguments::IoArguments};
use crate::{
    bridge::{
        array, call,
        data::{self, Obj},
        hash, method,
        names::names,
        number, raise, string, Val,
    },
    codec::{
        encode::Encoder,
        fail, options,
        packer::{self, PackCore},
        registry::{self, Callable, PackType, Side},
    },
};
use magnus::{method as m, prelude::*, Error, RClass, Value};

struct Packer;

impl method::Allocate for Packer {
    fn allocate(class: Val) -> Val {
        packer::allocate(class, registry::empty(), false).val()
    }
}

#[inline(always)]
fn core(packer: Val) -> Obj<PackCore> {
    data::get::<PackCore>(packer)
}

/// Runs `f` with an encoder for the packer, and returns the packer.
#[inline(always)]
fn write_with(this: Val, f: impl FnOnce(&mut Encoder<'_>)) -> Val {
    packer::write(core(this), f);
    this
}

/// Gives a packer its options and IO. Jumps.
pub fn configure(pk: Obj<PackCore>, args: IoArguments) {
    if !args.options.is_nil() {
        let mode = hash::get(args.options, names().sym_compatibility_mode);
        if !mode.is_nil() {
            pk.set_compatibility(mode.truthy());
        }
    }
    args.apply_to(&pk.buffer);
}

fn initialize(this: Val, args: &[Value]) -> Val {
    configure(core(this), IoArguments::of_packer(method::vals(args)));
    this
}

/// Ractors copy an object by this method.
fn initialize_copy(this: Val, _: Val) -> Val {
    raise::class_name_in(names().type_error, "can not copy ", this, " object.")
}

fn compatibility_mode(this: Val) -> bool {
    core(this).compatibility()
}

// ---- writing ----

fn write(this: Val, v: Val) -> Val {
    write_with(this, |e| e.value(v))
}

fn write_nil(this: Val) -> Val {
    write_with(this, |e| e.nil())
}

fn write_true(this: Val) -> Val {
    write_with(this, |e| e.bool(true))
}

fn write_false(this: Val) -> Val {
    write_with(this, |e| e.bool(false))
}

fn write_int(this: Val, v: Val) -> Val {
    raise::check_integer(v);
    write_with(this, |e| e.integer(v))
}

fn write_float(this: Val, v: Val) -> Val {
    let f = number::to_f64(v);
    write_with(this, |e| e.float_bits(f.to_bits()))
}

fn write_float32(this: Val, v: Val) -> Val {
    if !number::is_numeric(v) {
        raise::with(names().arg_error, "Expected numeric")
    }
    let f = number::to_f64(v) as f32;
    write_with(this, |e| e.float32(f))
}

fn write_string(this: Val, v: Val) -> Val {
    raise::check_string(v);
    write_with(this, |e| e.string(v))
}

fn write_symbol(this: Val, v: Val) -> Val {
    if !v.is_symbol() {
        raise::check_symbol(v);
    }
    write_with(this, |e| e.symbol(v))
}

fn write_bin(this: Val, v: Val) -> Val {
    raise::check_string(v);
    write_with(this, |e| e.binary(v))
}

fn write_bin_header(this: Val, n: Val) -> Val {
    let n = number::to_u32(n);
    write_with(this, |e| e.bin_header(n))
}

fn write_array(this: Val, v: Val) -> Val {
    raise::check_array(v);
    write_with(this, |e| e.array(v))
}

fn write_hash(this: Val, v: Val) -> Val {
    raise::check_hash(v);
    write_with(this, |e| e.hash(v))
}

fn write_array_header(this: Val, n: Val) -> Val {
    let n = number::to_u32(n);
    write_with(this, |e| e.array_header(n))
}

fn write_map_header(this: Val, n: Val) -> Val {
    let n = number::to_u32(n);
    write_with(this, |e| e.map_header(n))
}

fn write_ext(this: Val, type_id: Val, payload: Val) -> Val {
    let type_id = fail::ext_type_id(type_id);
    let payload = string::coerce(payload);
    write_with(this, |e| e.ext_value(type_id, payload))
}

fn write_extension(this: Val, v: Val) -> Val {
    raise::check_struct(v);
    let id = call::struct_member(v, 0);
    if !id.is_fixnum() {
        fail::not_signed_char(id)
    }
    let type_id = fail::ext_type_id(id);
    let payload = string::coerce(call::struct_member(v, 1));
    write_with(this, |e| e.ext_value(type_id, payload))
}

// ---- output ----

fn flush(this: Val) -> Val {
    core(this).buffer.flush();
    this
}

fn full_pack(this: Val) -> Val {
    let pk = core(this);
    if pk.buffer.port.io().is_nil() {
        return pk.buffer.take_all();
    }
    pk.buffer.flush();
    Val::NIL
}

fn to_s(this: Val) -> Val {
    core(this).buffer.to_s()
}

fn to_a(this: Val) -> Val {
    core(this).buffer.to_a()
}

fn size(this: Val) -> usize {
    core(this).buffer.len()
}

fn is_empty(this: Val) -> bool {
    core(this).buffer.len() == 0
}

fn reset(this: Val) -> Val {
    core(this).buffer.clear();
    Val::NIL
}

fn write_to(this: Val, io: Val) -> u64 {
    core(this).buffer.write_to(io)
}

fn view(this: Val) -> Val {
    buffer::view(this, &core(this).view)
}

// ---- ext types ----

fn register_type_internal(this: Val, type_id: Val, class: Val, callable: Val) -> Val {
    raise::check_frozen(this, c"can't modify frozen MessagePack::Packer");
    if !class.is_module() {
        let shown = string::text_of(class, true);
        let message = {
            let text =
                string::with_bytes(shown, |t| format!("expected Module/Class got: {}", String::from_utf8_lossy(t)));
            string::utf8(text.as_bytes())
        };
        raise::exception(call::new_exception(names().arg_error, message))
    }
    let type_id = fail::ext_type_id(type_id);
    let side = Side::new(Callable::from_ruby(callable));
    let new = PackType { class, type_id, side, recursive: false, oversized: false };
    let pk = core(this);
    pk.set_registry(registry::extended(pk.registry(), Some(new), None));
    Val::NIL
}

/// `{class => [type, callable, flags]}` in the order of registration.
pub fn pack_types(packs: &[PackType]) -> Val {
    let h = hash::new();
    for t in packs {
        let callable = if t.side.usable_here() { t.side.callable.to_ruby() } else { Val::NIL };
        let flags = t.recursive as i64 | (t.oversized as i64) << 1;
        hash::set(h, t.class, array::from_slice(&[Val::small_int(t.type_id as i64), callable, Val::small_int(flags)]));
    }
    h
}

fn registered_types_internal(this: Val) -> Val {
    let registry = core(this).registry();
    let types = pack_types(registry.packs());
    registry.keep();
    types
}

/// A packer with the types of a registry. Jumps.
pub fn new(registry: Obj<registry::Registry>, args: IoArguments) -> Obj<PackCore> {
    let compatibility = !args.options.is_nil() && options::compatibility_mode(args.options);
    let pk = packer::new(registry, compatibility);
    args.apply_to(&pk.buffer);
    pk
}

pub fn init(class: RClass) -> Result<(), Error> {
    method::define_allocator::<Packer>(super::val(class));
    method::undefine(super::val(class), c"dup");
    method::undefine(super::val(class), c"clone");
    class.define_private_method("initialize", m!(initialize, -1))?;
    class.define_private_method("initialize_copy", m!(initialize_copy, 1))?;
    class.define_method("compatibility_mode?", m!(compatibility_mode, 0))?;
    class.define_method("write", m!(write, 1))?;
    class.define_alias("pack", "write")?;
    class.define_method("write_nil", m!(write_nil, 0))?;
    class.define_method("write_true", m!(write_true, 0))?;
    class.define_method("write_false", m!(write_false, 0))?;
    class.define_method("write_int", m!(write_int, 1))?;
    class.define_method("write_float", m!(write_float, 1))?;
    class.define_method("write_float32", m!(write_float32, 1))?;
    class.define_method("write_string", m!(write_string, 1))?;
    class.define_method("write_symbol", m!(write_symbol, 1))?;
    class.define_method("write_bin", m!(write_bin, 1))?;
    class.define_method("write_bin_header", m!(write_bin_header, 1))?;
    class.define_method("write_array", m!(write_array, 1))?;
    class.define_method("write_hash", m!(write_hash, 1))?;
    class.define_method("write_array_header", m!(write_array_header, 1))?;
    class.define_method("write_map_header", m!(write_map_header, 1))?;
    class.define_method("write_ext", m!(write_ext, 2))?;
    class.define_method("write_extension", m!(write_extension, 1))?;
    class.define_method("flush", m!(flush, 0))?;
    class.define_method("full_pack", m!(full_pack, 0))?;
    class.define_method("to_s", m!(to_s, 0))?;
    class.define_alias("to_str", "to_s")?;
    class.define_method("to_a", m!(to_a, 0))?;
    class.define_method("size", m!(size, 0))?;
    class.define_method("empty?", m!(is_empty, 0))?;
    class.define_method("reset", m!(reset, 0))?;
    class.define_alias("clear", "reset")?;
    class.define_method("write_to", m!(write_to, 1))?;
    class.define_method("buffer", m!(view, 0))?;
    class.define_method("register_type_internal", m!(register_type_internal, 3))?;
    class.define_private_method("registered_types_internal", m!(registered_types_internal, 0))?;
    Ok(())
}
