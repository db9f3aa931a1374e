//! The codec: where the wire format and Ruby's values meet. It defines no Ruby class and has no unsafe code.
//!
//! Reading order: [`encode`] (a Ruby value to bytes), [`decode`] (bytes to a Ruby value: one resumable loop),
//! [`buffer`] (pieces of bytes, read and written at opposite ends), [`port`] (the IO behind a buffer),
//! [`registry`] (ext types), [`bigint`] and [`timestamp`] (payloads the gem knows), then [`packer`] and [`unpacker`], which put them together for the classes.

pub mod bigint;
pub mod buffer;
pub mod decode;
pub mod encode;
pub mod ext;
pub mod fail;
pub mod limits;
pub mod one_shot;
pub mod options;
pub mod packer;
pub mod port;
pub mod registry;
pub mod timestamp;
pub mod types;
pub mod unpacker;
