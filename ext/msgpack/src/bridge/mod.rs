//! The Ruby bridge: the only module with `unsafe`. It knows Ruby, and nothing of MessagePack.
//!
//! # The contract of this layer
//!
//! **Values.** A [`Val`] is a live Ruby value. It may stand in locals, in arguments, in a
//! [`stack::Stack`] and in the [`Slot`](data::Slot)s of a [`data::Data`] object, which marks them;
//! the collector finds it there. Nothing else may hold one.
//!
//! **Jumps.** A Ruby exception, `throw` or thread kill is a `longjmp`: frames between the raise and
//! the rescue vanish without running destructors. So every function says which of three kinds it is:
//!
//! * *never raises*: may be called anywhere;
//! * *memory only*: allocates Ruby memory; may collect garbage, may raise NoMemoryError, runs no user code;
//! * *jumps*: may raise or run user code.
//!
//! While a function of the second or third kind is called, no frame below the method's entry may own
//! anything with a destructor: plain `Copy` data, references, machine-stack arrays and memory that the
//! collector owns are all that codec and classes keep in locals. Where state has to be put right after
//! user code, [`call::protect`] turns the jump into a [`call::Jump`] value.
//!
//! **Borrows.** State that user code can reach is in `Cell`s. A byte view of a Ruby string lives only as
//! long as the closure that got it, and no user code runs inside.
//!
//! **Panics** become Ruby's `fatal` at the entry points made by magnus; callbacks that C calls
//! ([`hash::each`], marking, freeing) have no panicking operation.
//!
//! **Ractors.** The only statics are type descriptors, [`names::Names`], written once while the library
//! loads, and the registry of the default factory ([`ractor::Shared`]).

pub mod array;
pub mod call;
pub mod data;
pub mod hash;
pub mod key_cache;
pub mod method;
pub mod names;
pub mod number;
pub mod ractor;
pub mod raise;
pub mod stack;
pub mod string;
pub mod tail;
pub mod time;
pub mod val;
pub mod writer;

pub use val::Val;
