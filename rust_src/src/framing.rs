//! Write TFRecord frames: length, CRC of the length, payload, CRC of the payload.

use crate::{Input, Isa, crc32c::masked};

/// The bytes of a frame before and after the data.
pub const SIZE: usize = 16;

/// Append the frame of a record to `out`, which need not grow if it has room for the data and
/// [`SIZE`] bytes.
pub fn append(isa: Isa, data: &[u8], out: &mut Vec<u8>) {
    let size = (data.len() as u64).to_le_bytes();
    out.extend_from_slice(&size);
    out.extend_from_slice(&masked(isa, Input::from(size.as_slice())).to_le_bytes());
    out.extend_from_slice(data);
    out.extend_from_slice(&masked(isa, Input::from(data)).to_le_bytes());
}
