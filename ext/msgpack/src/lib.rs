//! MessagePack for Ruby.
use magnus::{Error, Ruby};

#[magnus::init(name = "msgpack")]
fn init(_ruby: &Ruby) -> Result<(), Error> {
    Ok(())
}
