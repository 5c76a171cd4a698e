//! Byte-level BPE, bit-identical to tiktoken (`docs/tokenizer.md`), over a model that is borrowed.
//!
//! A text is cut at its special tokens (`specials`), then into pieces (`split`); a piece is a token
//! (`model`) or is merged from its bytes (`merge`).

mod batch;
mod cache;
mod encode;
mod merge;
mod model;
mod queue;
mod specials;
mod split;
#[cfg(test)]
mod tests;
mod text;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Code, Error};
pub use encode::Scratch;
use model::Tables;
use specials::Specials;

/// A special token found in a text is text like any other.
pub const PLAIN: u8 = 0;
/// A special token found in a text becomes its id.
pub const ALLOWED: u8 = 1;
/// A special token found in a text is an error.
pub const REFUSED: u8 = 2;

/// A model opened for use. `B` holds the blob (`&[u8]`, an `Arc<[u8]>`, a Python buffer) and must
/// always lend the same bytes.
///
/// A text has less than 4 GiB. `policy` says for each special token whether it is [`PLAIN`],
/// [`ALLOWED`] or [`REFUSED`]; `None` means all plain. Output vectors are appended to.
pub struct Model<B> {
    blob: B,
    specials: Specials,
    /// Tells models apart, for the memory they share.
    number: u64,
}

impl<B: AsRef<[u8]>> Model<B> {
    /// Checks the blob, and sorts its special tokens.
    pub fn open(blob: B) -> Result<Self, Error> {
        static MODELS: AtomicU64 = AtomicU64::new(1);
        let specials = Specials::new(&Tables::open(blob.as_ref())?);
        Ok(Self { blob, specials, number: MODELS.fetch_add(1, Ordering::Relaxed) })
    }

    /// The blob, as given to `open`.
    pub fn blob(&self) -> &B {
        &self.blob
    }

    /// The ids of a text.
    pub fn encode(
        &self,
        text: &str,
        policy: Option<&[u8]>,
        scratch: &mut Scratch,
        ids: &mut Vec<u32>,
    ) -> Result<(), Error> {
        self.each_id(text, policy, scratch, |id| ids.push(id))
    }

    /// The ids of a text, written to the front of `ids`, and how many they are.
    pub fn encode_into(
        &self,
        text: &str,
        policy: Option<&[u8]>,
        scratch: &mut Scratch,
        ids: &mut [u32],
    ) -> Result<usize, Error> {
        let mut n = 0;
        self.each_id(text, policy, scratch, |id| {
            if let Some(slot) = ids.get_mut(n) {
                *slot = id;
            }
            n += 1;
        })?;
        if n > ids.len() {
            let (expected, actual) = (n as i64, ids.len() as i64);
            return Err(Error { code: Code::Capacity, expected, actual, ..Error::ARGUMENT });
        }
        Ok(n)
    }

    /// How many ids a text has.
    pub fn count(
        &self,
        text: &str,
        policy: Option<&[u8]>,
        scratch: &mut Scratch,
    ) -> Result<usize, Error> {
        let mut n = 0;
        self.each_id(text, policy, scratch, |_| n += 1)?;
        Ok(n)
    }

    /// The ids of texts, end to end, and where each text's begin, then where the last one's end.
    /// `threads` is an upper bound on the threads used; `scratch` is for the calling one.
    pub fn encode_batch<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        policy: Option<&[u8]>,
        threads: usize,
        scratch: &mut Scratch,
    ) -> Result<(Vec<u32>, Vec<i64>), Error>
    where
        B: Sync,
    {
        let shares = batch::shares(texts, threads);
        let encoded = batch::run(&shares, scratch, |share, scratch| {
            let (mut ids, mut ends) = (Vec::new(), Vec::with_capacity(share.len()));
            for (number, text) in share.clone().zip(&texts[share]) {
                self.encode(text.as_ref(), policy, scratch, &mut ids)
                    .map_err(|error| Error { record: number as i64, ..error })?;
                ends.push(ids.len() as i64);
            }
            Ok((ids, ends))
        });
        let (mut ids, mut offsets) = (Vec::new(), vec![0]);
        for share in encoded {
            let (share_ids, ends) = share?;
            let before = ids.len() as i64;
            offsets.extend(ends.iter().map(|end| before + end));
            if ids.is_empty() {
                ids = share_ids;
            } else {
                ids.extend_from_slice(&share_ids);
            }
        }
        Ok((ids, offsets))
    }

    /// Where each piece of a text ends, before any merging.
    pub fn split(&self, text: &str, ends: &mut Vec<i64>) -> Result<(), Error> {
        split::each_piece(&self.tables()?, text.as_bytes(), |_, end| ends.push(end as i64));
        Ok(())
    }

    /// The bytes of ids.
    pub fn decode(&self, ids: &[u32], bytes: &mut Vec<u8>) -> Result<(), Error> {
        let tables = self.tables()?;
        for (position, &id) in ids.iter().enumerate() {
            bytes.extend_from_slice(tables.spelling(id).ok_or(Error {
                code: Code::UnknownId,
                record: position as i64,
                actual: i64::from(id),
                ..Error::ARGUMENT
            })?);
        }
        Ok(())
    }

    fn tables(&self) -> Result<Tables<'_>, Error> {
        Tables::locate(self.blob.as_ref()).ok_or(Error::ARGUMENT)
    }

    fn each_id(
        &self,
        text: &str,
        policy: Option<&[u8]>,
        scratch: &mut Scratch,
        mut emit: impl FnMut(u32),
    ) -> Result<(), Error> {
        let tables = self.tables()?;
        let bytes = text.as_bytes();
        if policy.is_some_and(|policy| policy.len() != tables.n_special())
            || u32::try_from(bytes.len()).is_err()
        {
            return Err(Error::ARGUMENT);
        }
        let policy = policy.unwrap_or_default();
        scratch.cache.prepare(self.number, bytes.len());
        let find = |from, wanted| {
            let asked = policy.contains(&wanted);
            asked.then(|| self.specials.find(&tables, bytes, from, policy, wanted)).flatten()
        };
        if let Some(found) = find(0, REFUSED) {
            return Err(Error {
                code: Code::Special,
                offset: found.start as i64,
                field: found.number as i64,
                ..Error::ARGUMENT
            });
        }
        let mut at = 0;
        while let Some(found) = find(at, ALLOWED) {
            encode::encode(&tables, &bytes[at..found.start], scratch, &mut emit);
            tables.special_id(found.number).into_iter().for_each(&mut emit);
            at = found.end;
        }
        encode::encode(&tables, &bytes[at..], scratch, &mut emit);
        Ok(())
    }
}

/// The text that bytes are, or an error at the first byte of the first sequence that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| Error {
        code: Code::Utf8,
        offset: error.valid_up_to() as i64,
        ..Error::ARGUMENT
    })
}
