//! The CRC of any part of a buffer, in about the time that two blocks take.
//!
//! A search over damaged bytes may meet a forged header every twelve bytes, and each may claim much
//! of the buffer. Summing every claim would take quadratic time. So the CRC of each prefix of the
//! buffer is stored, block by block, and the CRC of a claim is combined from two of them:
//!
//! ```text
//!     until[first] |<-- head -->|<------- blocks ------->|<-- tail -->|
//!     ...--+-------|------------+------------+-----------|------------+--...
//!                 from    first * BLOCK            last * BLOCK      end
//!
//!     body             = past(crc(head) ^ until[first], blocks) ^ until[last]
//!     crc(from .. end) = past(body, tail) ^ crc(tail)
//! ```
//!
//! The table takes 1/64 of the buffer.

use crate::crc32c::{crc32c, past};
use crate::{Error, Input, Isa};

const BLOCK: usize = 256;

/// The sums of a buffer from `start` on.
pub(crate) struct Sums<'a> {
    isa: Isa,
    data: Input<'a>,
    start: usize,
    /// Bytes of data that were summed and turned out to be bad.
    pub in_vain: usize,
    /// The CRC of the first i blocks.
    until: Vec<u32>,
}

impl<'a> Sums<'a> {
    pub fn new(isa: Isa, buffer: Input<'a>, start: usize) -> Self {
        let data = buffer.split(start).map_or(buffer, |(_, rest)| rest);
        Sums { isa, data, start, in_vain: 0, until: Vec::new() }
    }

    /// Return the CRC of the data of the record at `position`, which begin at `from` in the buffer.
    /// They are summed directly as long as fewer bytes have been summed in vain than have been
    /// passed.
    pub fn crc(&mut self, position: usize, from: usize, data: Input<'_>) -> Result<u32, Error> {
        let from = from - self.start;
        let (first, last) = (from.div_ceil(BLOCK), (from + data.len()) / BLOCK);
        if self.in_vain <= position - self.start || first >= last {
            return Ok(crc32c(self.isa, data));
        }
        self.reach(last)?;
        let known = |blocks: usize| self.until.get(blocks).copied().unwrap_or_default();
        let (head, rest) = data.split(first * BLOCK - from).unwrap_or((data, data));
        let size = (last - first) * BLOCK;
        let tail = rest.split(size).map_or(rest, |(_, tail)| tail);
        let sum = past(self.isa, crc32c(self.isa, head) ^ known(first), size) ^ known(last);
        Ok(past(self.isa, sum, tail.len()) ^ crc32c(self.isa, tail))
    }

    /// Extend the table to the end of block `last`.
    fn reach(&mut self, last: usize) -> Result<(), Error> {
        if self.until.is_empty() {
            let blocks = self.data.len() / BLOCK + 1;
            self.until.try_reserve_exact(blocks).map_err(|_| Error::MEMORY)?;
            self.until.push(0);
        }
        let mut sum = self.until.last().copied().unwrap_or_default();
        while self.until.len() <= last {
            let Some(block) = self.data.range((self.until.len() - 1) * BLOCK, BLOCK) else { break };
            sum = past(self.isa, sum, BLOCK) ^ crc32c(self.isa, block);
            self.until.push(sum);
        }
        Ok(())
    }
}
