//! Byte-level BPE with tiktoken's ids (`docs/tokenizer.md`), over a borrowed model.
//!
//! A text is cut at its special tokens (`specials`), then into pretokens: one at a time (`split`),
//! or all that 64 bytes hold (`scan`: `bytes`, `kinds`, `window`). A pretoken is found in the cache
//! (`block`, `cache`), or among the tokens (`model`), or merged from its bytes (`merge`, `chunks`).

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused))] // only x86 has windows

#[cfg(target_arch = "x86_64")]
mod ahead;
mod batch;
mod block;
mod bytes;
mod cache;
mod chunks;
mod encode;
mod find;
mod interrupt;
mod job;
mod keys;
mod kinds;
mod merge;
mod model;
mod overflow;
mod pool;
mod scan;
mod sink;
mod specials;
mod split;
#[cfg(test)]
mod tests;
mod text;
mod whole;
mod window;

use std::mem::MaybeUninit;

use crate::isa::Isa;
use crate::{Code, Error};
use encode::Scratch;
pub use interrupt::Interrupt;
use job::Job;
use model::Tables;
use pool::Pool;
use scan::{BLOCK, next_pretokens};
use sink::{Count, Front, uninit};
use specials::Specials;
use text::{Text, in_views};

/// Special tokens in a text are encoded like any other text.
pub const PLAIN: u8 = 0;
/// Special tokens in a text become their ids.
pub const ALLOWED: u8 = 1;
/// Special tokens in a text are an error.
pub const REFUSED: u8 = 2;

/// A model opened for use. `B` holds the blob (`&[u8]`, an `Arc<[u8]>`, a Python buffer) and must
/// always return the same bytes.
///
/// Any number of threads may use it at once. Each thread's cache takes at most 15 MB, and stays
/// with the model for the next call.
///
/// A pretoken has less than 2 GiB. `policy` says for each special token whether it is [`PLAIN`],
/// [`ALLOWED`] or [`REFUSED`]; `None` means all plain. Output vectors are appended to. Calls return
/// [`Code::DataCapacity`] when memory runs out, and [`Code::Interrupted`] when the [`Interrupt`]
/// ends them.
pub struct Model<B> {
    blob: B,
    specials: Specials,
    pool: Pool,
}

impl<B: AsRef<[u8]>> Model<B> {
    /// Check the blob.
    pub fn open(blob: B) -> Result<Self, Error> {
        let specials = Specials::new(&Tables::open(blob.as_ref())?).ok_or(Error::ARGUMENT)?;
        Ok(Self { blob, specials, pool: Pool::new() })
    }

    /// The number of special tokens, which is the size of a `policy`.
    pub fn n_special(&self) -> usize {
        self.tables(None).map_or(0, |tables| tables.n_special())
    }

    /// The blob, as given to `open`.
    pub fn blob(&self) -> &B {
        &self.blob
    }

    /// Encode a text.
    pub fn encode(
        &self,
        text: &str,
        policy: Option<&[u8]>,
        ids: &mut Vec<u32>,
        interrupt: Option<&Interrupt<'_>>,
    ) -> Result<(), Error> {
        let done = self.job(policy, interrupt)?.encode(text, ids);
        Interrupt::ended(interrupt).and(done)
    }

    /// Encode a text to the front of `ids` and return the number of ids.
    pub fn encode_into(
        &self,
        text: &str,
        policy: Option<&[u8]>,
        ids: &mut [u32],
        interrupt: Option<&Interrupt<'_>>,
    ) -> Result<usize, Error> {
        let mut sink = Front { ids: uninit(ids), n: 0 };
        let done = self.job(policy, interrupt)?.encode(text, &mut sink);
        Interrupt::ended(interrupt).and(done)?;
        if sink.n > sink.ids.len() {
            let (expected, actual) = (sink.n as i64, sink.ids.len() as i64);
            return Err(Error { code: Code::Capacity, expected, actual, ..Error::ARGUMENT });
        }
        Ok(sink.n)
    }

    /// Return the number of ids of a text.
    pub fn count(
        &self,
        text: &str,
        policy: Option<&[u8]>,
        interrupt: Option<&Interrupt<'_>>,
    ) -> Result<usize, Error> {
        let mut count = Count(0);
        let done = self.job(policy, interrupt)?.encode(text, &mut count);
        Interrupt::ended(interrupt).and(done)?;
        Ok(count.0)
    }

    /// Encode texts. Return their ids end to end, and the offset where each text's ids begin,
    /// followed by the end of the last. `threads` is an upper bound on the threads used.
    pub fn encode_batch<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        policy: Option<&[u8]>,
        threads: usize,
        interrupt: Option<&Interrupt<'_>>,
    ) -> Result<(Vec<u32>, Vec<i64>), Error>
    where
        B: Sync,
    {
        let (size, mut ids) = (batch::size(texts), Vec::new());
        ids.try_reserve_exact(size).map_err(|_| Error::memory(size))?;
        let room = ids.spare_capacity_mut();
        let offsets = self.encode_batch_into(texts, policy, threads, room, interrupt)?;
        // SAFETY: that many were written.
        unsafe { ids.set_len(offsets.last().map_or(0, |&end| end as usize)) };
        Ok((ids, offsets))
    }

    /// Do the same as `encode_batch`, but write the ids to the front of `ids`, which must be as
    /// long as the texts have bytes. The last offset is the number of ids.
    pub fn encode_batch_into<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        policy: Option<&[u8]>,
        threads: usize,
        ids: &mut [MaybeUninit<u32>],
        interrupt: Option<&Interrupt<'_>>,
    ) -> Result<Vec<i64>, Error>
    where
        B: Sync,
    {
        if ids.len() < batch::size(texts) {
            return Err(Error::ARGUMENT);
        }
        let done = batch::encode(texts, threads, ids, interrupt, || self.job(policy, interrupt));
        Interrupt::ended(interrupt).and(done)
    }

    /// Append the end of each pretoken of a text, before any merging.
    pub fn split(
        &self,
        text: &str,
        ends: &mut Vec<i64>,
        interrupt: Option<&Interrupt<'_>>,
    ) -> Result<(), Error> {
        let tables = self.tables(interrupt)?;
        let mut block = [0u32; BLOCK];
        let done = in_views(text.as_bytes(), |view, until, before| {
            let text = Text::new(&tables, view);
            let mut at = 0;
            while at < until && !tables.stopped() {
                let n = next_pretokens(Isa::current(), &text, at, &mut block);
                ends.try_reserve(n).map_err(|_| Error::memory(view.len()))?;
                ends.extend(block[..n].iter().map(|&end| before as i64 + i64::from(end)));
                at = block[n - 1] as usize;
            }
            Ok(if tables.stopped() { view.len() } else { at })
        });
        Interrupt::ended(interrupt).and(done)
    }

    /// Append the bytes of ids.
    pub fn decode(
        &self,
        ids: &[u32],
        bytes: &mut Vec<u8>,
        interrupt: Option<&Interrupt<'_>>,
    ) -> Result<(), Error> {
        const CHECKED: usize = 1 << 10;
        let tables = self.tables(interrupt)?;
        for (number, ids) in ids.chunks(CHECKED).enumerate() {
            if tables.stopped() {
                break;
            }
            decode_some(&tables, ids, number * CHECKED, bytes)?;
        }
        Interrupt::ended(interrupt)
    }

    fn tables<'a>(&'a self, interrupt: Option<&'a Interrupt<'a>>) -> Result<Tables<'a>, Error> {
        let mut tables = Tables::locate(self.blob.as_ref()).ok_or(Error::ARGUMENT)?;
        tables.interrupt = interrupt;
        Ok(tables)
    }

    fn job<'a>(
        &'a self,
        policy: Option<&'a [u8]>,
        interrupt: Option<&'a Interrupt<'a>>,
    ) -> Result<Job<'a>, Error> {
        let tables = self.tables(interrupt)?;
        if policy.is_some_and(|policy| policy.len() != tables.n_special()) {
            return Err(Error::ARGUMENT);
        }
        Ok(Job {
            tables,
            isa: Isa::current(),
            specials: &self.specials,
            policy: policy.unwrap_or_default(),
            scratch: self.pool.take().ok_or_else(|| Error::memory(size_of::<Scratch>()))?,
        })
    }
}

/// Append the bytes of ids, the first of which is at `position` in the whole call.
fn decode_some(
    tables: &Tables,
    ids: &[u32],
    position: usize,
    bytes: &mut Vec<u8>,
) -> Result<(), Error> {
    for (i, &id) in ids.iter().enumerate() {
        let spelling = tables.spelling(id).ok_or(Error {
            code: Code::UnknownId,
            record: (position + i) as i64,
            actual: i64::from(id),
            ..Error::ARGUMENT
        })?;
        bytes.try_reserve(spelling.len()).map_err(|_| Error::memory(size_of_val(ids)))?;
        bytes.extend_from_slice(spelling);
    }
    Ok(())
}

/// Return the text of the bytes, or an error at the first byte of the first sequence that is not
/// UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| Error {
        code: Code::Utf8,
        offset: error.valid_up_to() as i64,
        ..Error::ARGUMENT
    })
}
