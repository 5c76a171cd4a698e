//! Encoding of integers as protobuf's varints: seven bits a byte, the lowest first. Bit 7 of a byte
//! says that another one follows.
//!
//! ```text
//! 300 = 10 0101100  ->  1|0101100  0|0000010
//! ```

use crate::Input;

/// The most bytes that an integer of 64 bits takes.
pub const LONGEST: usize = 10;

/// Append the varints of native 64-bit integers to `out`, which need not grow if it has room for
/// [`LONGEST`] bytes of each. Bytes after the last whole integer are ignored.
pub fn encode(mut values: Input<'_>, out: &mut Vec<u8>) {
    while let (Some(bytes), Some((_, rest))) = (values.array(), values.split(size_of::<u64>())) {
        let mut value = u64::from_ne_bytes(bytes);
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
        values = rest;
    }
}
