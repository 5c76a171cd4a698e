//! Varints of one byte, as nearly all in the frame of a message are; within a word; and of any
//! length.

use super::{Fault, Message, Result};
use crate::{Code, Input};

/// The top bit of each byte, which is clear in a varint's last byte.
const STOPS: u64 = 0x8080_8080_8080_8080;

impl<'a> Message<'a> {
    /// Take a varint, without its bits above 64.
    #[inline(always)]
    pub fn varint(&mut self) -> Result<u64> {
        let at = self.at();
        match self.rest.u8() {
            Some(byte @ 0..0x80) => {
                self.take(1);
                Ok(u64::from(byte))
            }
            _ => {
                let mut rest = *self; // a copy, so that `self` can stay in registers
                let value = rest.long_varint();
                *self = rest;
                value.ok_or_else(|| Fault::at(Code::Varint, at))
            }
        }
    }

    #[inline(never)]
    pub(super) fn long_varint(&mut self) -> Option<u64> {
        self.varint_in_word().or_else(|| {
            let mut value = 0;
            for shift in (0..70).step_by(7) {
                let byte = self.take(1)?.u8()?;
                value |= u64::from(byte & 0x7f) << shift;
                if byte < 0x80 {
                    return Some(value);
                }
            }
            None
        })
    }

    /// Take a varint of at most 8 bytes, when at least 8 are left.
    #[inline(always)]
    pub fn varint_in_word(&mut self) -> Option<u64> {
        let (word, stops) = self.word()?;
        self.take_through(stops)?;
        Some(close_gaps(word & through(stops)))
    }

    /// Take two varints of together at most 8 bytes, with one step from load to load for both.
    #[inline(always)]
    pub fn two_varints_in_word(&mut self) -> Option<[u64; 2]> {
        let (word, stops) = self.word()?;
        let second = stops & stops.wrapping_sub(1);
        self.take_through(second)?;
        let first = through(stops);
        let shift = first.count_ones();
        Some([close_gaps(word & first), close_gaps((word & through(second) & !first) >> shift)])
    }

    /// Return the next eight bytes, and the top bits of those that end a varint.
    #[inline(always)]
    fn word(&self) -> Option<(u64, u64)> {
        self.rest.u64().map(|word| (word, !word & STOPS))
    }

    /// Move past the byte that the lowest of `stops` marks, if there is one.
    #[inline(always)]
    fn take_through(&mut self, stops: u64) -> Option<Input<'a>> {
        (stops != 0).then(|| self.take(stops.trailing_zeros() as usize / 8 + 1))?
    }
}

/// Return the lowest of `stops` and all bits below it.
#[inline(always)]
fn through(stops: u64) -> u64 {
    stops ^ stops.wrapping_sub(1)
}

/// Return the number that the low seven bits of each byte make. Groups of 7 bits are joined to
/// groups of 14, of 28 and of 56:
///
/// ```text
/// ..  0aaaaaaa 0bbbbbbb  ->  00aaaaaa abbbbbbb  ->  28 bits  ->  56 bits
/// ```
#[inline(always)]
fn close_gaps(bytes: u64) -> u64 {
    let sevens = bytes & !STOPS;
    let pairs = (sevens & 0x007f_007f_007f_007f) | ((sevens & 0x7f00_7f00_7f00_7f00) >> 1);
    let fours = (pairs & 0x0000_3fff_0000_3fff) | ((pairs & 0x3fff_0000_3fff_0000) >> 2);
    (fours & 0x0fff_ffff) | ((fours & 0x0fff_ffff_0000_0000) >> 4)
}
