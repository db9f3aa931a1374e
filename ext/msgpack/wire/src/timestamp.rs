//! The timestamp extension, type id -1: three layouts, the shortest that fits is written.
//!
//! Source: MessagePack specification, section "Timestamp extension type".
//!
//! | layout | payload | when |
//! |---|---|---|
//! | timestamp 32 | `u32` seconds | 0 ≤ sec < 2³², nsec = 0 |
//! | timestamp 64 | one `u64`: nsec in the top 30 bits, sec in the low 34 | 0 ≤ sec < 2³⁴ |
//! | timestamp 96 | `u32` nsec, `i64` sec | otherwise |
//!
//! All big-endian.

use crate::error::TimestampError;

/// The type id of the extension.
pub const TYPE_ID: i8 = -1;

/// Bits of the seconds in timestamp 64; the nanoseconds have the other 30.
const SEC_BITS: u32 = 34;
const SEC34_MAX: i64 = (1 << SEC_BITS) - 1;
const NSEC30_MAX: u32 = (1 << 30) - 1;

/// A point in time: seconds since 1970-01-01T00:00:00Z, leap seconds not counted, plus nanoseconds.
///
/// The specification allows `nsec` up to 999 999 999. That is not checked in either direction, what
/// fits its field passes unchanged: other implementations do the same, and a reader that refuses
/// their data helps nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Timestamp {
    /// Seconds.
    pub sec: i64,
    /// Nanoseconds, added to `sec` also when that is negative.
    pub nsec: u32,
}

/// An encoded payload of 4, 8 or 12 bytes; the head of the extension is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payload {
    bytes: [u8; 12],
    len: u8,
}

impl Payload {
    #[inline]
    fn new<const N: usize>(head: [u8; N]) -> Payload {
        let mut bytes = [0; 12];
        bytes[..N].copy_from_slice(&head);
        Payload { bytes, len: N as u8 }
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl Timestamp {
    /// The shortest payload.
    ///
    /// # Errors
    ///
    /// `Nsec` if the 8-byte layout applies and `nsec` needs more than its 30 bits. Such a value is
    /// no valid number of nanoseconds, so it is not worth a longer layout.
    ///
    /// ```
    /// use msgpack_wire::timestamp::Timestamp;
    /// let payload = Timestamp { sec: 0, nsec: 1 }.encode().unwrap();
    /// assert_eq!(payload.as_bytes(), [0, 0, 0, 4, 0, 0, 0, 0]);
    /// ```
    #[inline]
    pub fn encode(self) -> Result<Payload, TimestampError> {
        let Timestamp { sec, nsec } = self;
        if !(0..=SEC34_MAX).contains(&sec) {
            let [a, b, c, d] = nsec.to_be_bytes();
            let [e, f, g, h, i, j, k, l] = sec.to_be_bytes();
            return Ok(Payload::new([a, b, c, d, e, f, g, h, i, j, k, l]));
        }
        match u32::try_from(sec) {
            Ok(sec) if nsec == 0 => Ok(Payload::new(sec.to_be_bytes())),
            _ if nsec > NSEC30_MAX => Err(TimestampError::Nsec(nsec)),
            _ => Ok(Payload::new((u64::from(nsec) << SEC_BITS | sec as u64).to_be_bytes())),
        }
    }

    /// Reads a payload; its length tells the layout.
    ///
    /// # Errors
    ///
    /// `Size` if it has not 4, 8 or 12 bytes.
    ///
    /// ```
    /// use msgpack_wire::timestamp::Timestamp;
    /// let moment = Timestamp::decode(&[0, 0, 0, 4, 0, 0, 0, 0]);
    /// assert_eq!(moment, Ok(Timestamp { sec: 0, nsec: 1 }));
    /// ```
    #[inline]
    pub fn decode(payload: &[u8]) -> Result<Timestamp, TimestampError> {
        if let Ok(sec) = <[u8; 4]>::try_from(payload) {
            return Ok(Timestamp { sec: i64::from(u32::from_be_bytes(sec)), nsec: 0 });
        }
        if let Ok(both) = <[u8; 8]>::try_from(payload) {
            let both = u64::from_be_bytes(both);
            return Ok(Timestamp { sec: (both & SEC34_MAX as u64) as i64, nsec: (both >> SEC_BITS) as u32 });
        }
        match <[u8; 12]>::try_from(payload) {
            Ok([a, b, c, d, sec @ ..]) => {
                Ok(Timestamp { sec: i64::from_be_bytes(sec), nsec: u32::from_be_bytes([a, b, c, d]) })
            }
            Err(_) => Err(TimestampError::Size(payload.len())),
        }
    }
}
