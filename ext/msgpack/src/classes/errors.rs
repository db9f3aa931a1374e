//! The exception classes.

use super::val;
use crate::bridge::{ractor, Val};
use magnus::{prelude::*, Attr, Error, RModule, Ruby};

pub struct Errors {
    pub unpack: Val,
    pub malformed_format: Val,
    pub stack: Val,
    pub unexpected_type: Val,
    pub unknown_ext_type: Val,
    pub limit: Val,
}

pub fn init(ruby: &Ruby, msgpack: RModule) -> Result<Errors, Error> {
    let define = |name: &str, parent| msgpack.define_error(name, parent);
    let unpack = define("UnpackError", ruby.exception_standard_error())?;
    unpack.define_attr("offset", Attr::Read)?;
    let malformed_format = define("MalformedFormatError", unpack)?;
    let stack = define("StackError", unpack)?;
    let unexpected_type = define("UnexpectedTypeError", unpack)?;
    let unknown_ext_type = define("UnknownExtTypeError", unpack)?;
    let limit = define("LimitError", unpack)?;
    // Only there to be rescued by.
    let type_error = msgpack.define_module("TypeError")?;
    let class = |e: magnus::ExceptionClass| magnus::RClass::from_value(e.as_value());
    if let Some(c) = class(unexpected_type) {
        c.include_module(type_error)?;
    }
    let keep = |e: magnus::ExceptionClass| {
        let v = Val::from_value(e.as_value());
        ractor::keep_forever(v);
        v
    };
    let held = msgpack.define_class("HeldBuffer", ruby.class_basic_object())?;
    crate::bridge::method::undefine_allocator(val(held));
    Ok(Errors {
        unpack: keep(unpack),
        malformed_format: keep(malformed_format),
        stack: keep(stack),
        unexpected_type: keep(unexpected_type),
        unknown_ext_type: keep(unknown_ext_type),
        limit: keep(limit),
    })
}
