//! The MessagePack wire format.
#![forbid(unsafe_code)]
