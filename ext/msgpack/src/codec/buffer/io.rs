//! Exchange with the IO.

use super::{
    super::{fail::Fail, port},
    Buffer,
};
use crate::bridge::{
    call::{self, Jump},
    names::names,
    string, Val,
};

impl Buffer {
    /// Sends every piece by `write`, in order, dropping each once it is sent. Returns the bytes sent. Jumps; after a jump
    /// the piece that failed and those behind it are still there.
    fn drain(&self, write: impl Fn(Val)) -> u64 {
        let mut sent = 0;
        while self.len() > 0 {
            if self.front.get().is_none() {
                self.front.set(self.tail.seal());
            }
            let (front, pos, at) = (self.front.get(), self.pos.get(), self.consumed.get());
            let n = string::len(front) - pos;
            write(string::slice_binary(front, pos, n));
            sent += n as u64;
            // The call may have read or cleared some of it itself.
            let left = (at + n as u64).saturating_sub(self.consumed.get());
            self.skip(left as usize);
        }
        sent
    }

    /// Sends everything to the IO, if there is one. Jumps.
    pub fn flush(&self) {
        if !self.port.io().is_nil() {
            self.drain(|piece| self.port.write(piece));
        }
    }

    /// Sends everything to `io.write`. Returns the bytes sent. Jumps.
    pub fn write_to(&self, io: Val) -> u64 {
        self.drain(|piece| port::write_to(io, piece))
    }

    /// One read of at most `n` bytes (and at most the read-ahead size) from the IO, appended. Jumps.
    pub fn refill(&self, n: usize) -> Result<(), Fail> {
        let got = self.port.read(n.min(self.sizes.get().io_buffer))?;
        string::with_bytes(got, |bytes| self.append(bytes));
        Ok(())
    }

    /// As [`Buffer::refill`], with jumps caught.
    pub fn refill_protected(&self, n: usize) -> Result<(), Fail> {
        let mut end = None;
        let read = call::protect(|| {
            end = self.refill(n).err();
            Val::NIL
        });
        match (read, end) {
            (Err(jump), _) if is_eof(jump) => Err(Fail::EofOfIo(jump)),
            (Err(jump), _) => Err(Fail::Jump(jump)),
            (Ok(_), Some(fail)) => Err(fail),
            (Ok(_), None) => Ok(()),
        }
    }
}

/// Whether a jump is an EOFError.
fn is_eof(jump: Jump) -> bool {
    let e = jump.exception();
    !e.is_nil() && call::kind_of(e, names().eof_error)
}
