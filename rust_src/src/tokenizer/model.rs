//! The borrowed binary model of `docs/tokenizer.md`: opening it, and every look-up in it.
//!
//! Numbers are read with `from_le_bytes`, so neither alignment nor endianness matters, and entries
//! with `get`, so that with a blob that contradicts itself a look-up finds nothing and reads
//! nothing outside.

use super::interrupt::Interrupt;
use super::keys::{K1, SHORT, hash, prefetch, probe};
use super::split::CL100K;
use crate::Error;

const MAGIC: &[u8; 8] = b"ckbpe\0\0\x03";
const HEADER: usize = 192;
const ALIGNMENT: u64 = 64;
/// The place of the sections' offsets in the header, and their number.
const OFFSETS: usize = 48;
const SECTIONS: usize = 15;
/// Blocks of code points.
const UNICODE_INDEX: usize = 0x11_0000 / 128;
const CLASSES: u8 = 7;
/// Runs as cl100k, with classes in which marks are letters.
const QWEN35: u32 = 4;
/// The first pattern that is an automaton.
const AUTOMATON: u32 = 5;
/// The entries of a state of the automaton: one for each class, and one for the end of the text.
pub(super) const COLUMNS: usize = 32;
/// The bits of an id, and of a rank, in a pair's entry.
const ID_BITS: u32 = 21;
/// The rank of two parts that do not merge.
pub(super) const NO_MERGE: u32 = u32::MAX;

/// The sections of a blob.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) pattern: u32,
    pub(super) max_digits: usize,
    unicode_index: &'a [[u8; 2]],
    unicode_blocks: &'a [[u8; 128]],
    byte_ids: &'a [[u8; 4]],
    short_keys: &'a [[u8; 16]],
    short_ids: &'a [[u8; 4]],
    long_ids: &'a [[u8; 4]],
    pairs: &'a [[u8; 8]],
    defined: &'a [u8],
    token_offsets: &'a [[u8; 4]],
    token_bytes: &'a [u8],
    special_ids: &'a [[u8; 4]],
    byte_pairs: &'a [[u8; 4]],
    pair_filter: &'a [u8],
    merged: &'a [[u8; 4]],
    special_prefixes: &'a [[u8; 4]],
    /// Its states, none for a pattern that is not an automaton.
    pub(super) automaton: &'a [[u8; 2 * COLUMNS]],
    /// The interrupt of the call that uses these tables.
    pub(super) interrupt: Option<&'a Interrupt<'a>>,
}

impl<'a> Tables<'a> {
    /// Return the sections at the header's offsets, each within the blob.
    pub(super) fn locate(blob: &'a [u8]) -> Option<Self> {
        let header: &[u8; HEADER] = blob.first_chunk()?;
        let long = |at: usize| Some(u64::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let int = |at: usize| Some(u32::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let slots = |at| int(at).filter(|bits| (1..=30).contains(bits)).map(|bits| 1usize << bits);
        let size = |at| usize::try_from(long(at)?).ok();
        if !header.starts_with(MAGIC) || size(8)? != blob.len() {
            return None;
        }
        let pattern = int(16).filter(|&pattern| pattern > 0)?;
        let n_blocks = int(44).filter(|n| (1..=256).contains(n))?;
        let (n_ids, n_special) = (int(24)? as usize, int(28)? as usize);
        let (short, long, pairs) = (slots(32)?, slots(36)?, slots(40)?);
        let token_offsets: &[[u8; 4]] = section(blob, size(112)?, n_ids.checked_add(1)?)?;
        let n_bytes = u32::from_le_bytes(*token_offsets.last()?) as usize;
        Some(Self {
            pattern: if pattern == QWEN35 { CL100K } else { pattern },
            max_digits: int(20)? as usize,
            unicode_index: section(blob, size(48)?, UNICODE_INDEX)?,
            unicode_blocks: section(blob, size(56)?, n_blocks as usize)?,
            byte_ids: section(blob, size(64)?, 256)?,
            short_keys: section(blob, size(72)?, short)?,
            short_ids: section(blob, size(80)?, short)?,
            long_ids: section(blob, size(88)?, long)?,
            pairs: section(blob, size(96)?, pairs)?,
            defined: section::<1>(blob, size(104)?, n_ids)?.as_flattened(),
            token_offsets,
            token_bytes: section::<1>(blob, size(120)?, n_bytes)?.as_flattened(),
            special_ids: section(blob, size(128)?, n_special)?,
            byte_pairs: section(blob, size(136)?, 1 << 16)?,
            pair_filter: section::<1>(blob, size(144)?, pairs / 2)?.as_flattened(),
            merged: section(blob, size(152)?, int(168)? as usize)?,
            special_prefixes: section(blob, size(160)?, n_special)?,
            automaton: section(blob, size(176)?, int(172)? as usize)?,
            interrupt: None,
        })
    }

    /// Locate the sections and check the Unicode tables.
    pub(super) fn open(blob: &'a [u8]) -> Result<Self, Error> {
        let tables = Self::locate(blob).ok_or(Error::ARGUMENT)?;
        let offsets = blob[OFFSETS..HEADER].as_chunks().0;
        let n_states = tables.automaton.len();
        let allowed = |&offset: &[u8; 8]| {
            let offset = u64::from_le_bytes(offset);
            offset >= HEADER as u64 && offset.is_multiple_of(ALIGNMENT)
        };
        let n_blocks = tables.unicode_blocks.len();
        let classes = if n_states > 0 { COLUMNS as u8 - 1 } else { CLASSES };
        let entries = tables.automaton.as_flattened().as_chunks().0;
        let sound = offsets[..SECTIONS].iter().chain(&offsets[SECTIONS + 1..][..1]).all(allowed)
            && (tables.pattern >= AUTOMATON) == (n_states > 0)
            && entries.iter().all(|&entry| usize::from(u16::from_le_bytes(entry) >> 1) < n_states)
            && tables.unicode_index.iter().all(|&i| usize::from(u16::from_le_bytes(i)) < n_blocks)
            && tables.unicode_blocks.as_flattened().iter().all(|&class| class < classes);
        if sound { Ok(tables) } else { Err(Error::ARGUMENT) }
    }

    /// Return true if the call is to end.
    #[inline(always)]
    pub(super) fn stopped(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::stopped)
    }

    /// Return the classes of the code points from `128 * number` on.
    pub(super) fn unicode_block(&self, number: usize) -> &'a [u8; 128] {
        let index = self.unicode_index.get(number).map_or(0, |&i| u16::from_le_bytes(i));
        self.unicode_blocks.get(usize::from(index)).unwrap_or(&[0; 128])
    }

    /// Prefetch the memory that `short_id` will read.
    pub(super) fn expect_short(&self, key: u128) {
        let slot = (hash(key) >> (64 - self.short_keys.len().trailing_zeros())) as usize;
        self.short_keys.get(slot).into_iter().for_each(prefetch);
        self.short_ids.get(slot).into_iter().for_each(prefetch);
    }

    /// Return the id of the token with this `key_of`.
    #[inline(always)]
    pub(super) fn short_id(&self, key: u128) -> Option<u32> {
        for slot in probe(hash(key), self.short_keys.len()) {
            let found = u128::from_le_bytes(*self.short_keys.get(slot)?);
            if found == key {
                return self.short_ids.get(slot).map(|&id| u32::from_le_bytes(id));
            }
            if found >> (8 * SHORT) == 0 {
                return None;
            }
        }
        None
    }

    /// Return the id of a token of more than `SHORT` bytes that has this `long_hash`.
    pub(super) fn long_id(&self, hash: u64, token: &[u8]) -> Option<u32> {
        for slot in probe(hash, self.long_ids.len()) {
            let id = u32::from_le_bytes(*self.long_ids.get(slot)?).checked_sub(1)?;
            if self.bytes(id) == Some(token) {
                return Some(id);
            }
        }
        None
    }

    /// Return the rank of merging two ids, or `NO_MERGE`.
    #[inline(always)]
    pub(super) fn pair(&self, left: u32, right: u32) -> u32 {
        let key = u64::from(left) << ID_BITS | u64::from(right);
        let hash = key.wrapping_mul(K1);
        let place = (hash >> (62 - self.pairs.len().trailing_zeros())) as usize;
        if self.pair_filter.get(place / 8).is_none_or(|bits| bits >> (place % 8) & 1 == 0) {
            return NO_MERGE;
        }
        for slot in probe(hash, self.pairs.len()) {
            let entry = self.pairs.get(slot).map_or(u64::MAX, |&entry| u64::from_le_bytes(entry));
            if entry == u64::MAX {
                break;
            }
            if entry >> ID_BITS == key {
                return entry as u32 & ((1 << ID_BITS) - 1);
            }
        }
        NO_MERGE
    }

    /// Return the `pair` of the ids of two bytes.
    #[inline(always)]
    pub(super) fn byte_pair(&self, left: u8, right: u8) -> u32 {
        let place = usize::from(left) << 8 | usize::from(right);
        let rank = self.byte_pairs.get(place).map_or(NO_MERGE, |&rank| u32::from_le_bytes(rank));
        if rank < 1 << ID_BITS { rank } else { NO_MERGE }
    }

    /// Return the id that a merge of this rank gives.
    #[inline(always)]
    pub(super) fn merged(&self, rank: u32) -> u32 {
        self.merged.get(rank as usize).map_or(rank, |&id| u32::from_le_bytes(id))
    }

    pub(super) fn byte_id(&self, byte: u8) -> u32 {
        self.byte_ids.get(usize::from(byte)).map_or(0, |&id| u32::from_le_bytes(id))
    }

    /// Return the bytes of an id that is in use, or none if its offsets contradict each other.
    pub(super) fn spelling(&self, id: u32) -> Option<&'a [u8]> {
        self.defined.get(id as usize).filter(|&&kind| kind != 0)?;
        Some(self.bytes(id).unwrap_or_default())
    }

    fn bytes(&self, id: u32) -> Option<&'a [u8]> {
        let [start, end] = *self.token_offsets.get(id as usize..)?.first_chunk()?;
        self.token_bytes.get(u32::from_le_bytes(start) as usize..u32::from_le_bytes(end) as usize)
    }

    pub(super) fn n_special(&self) -> usize {
        self.special_ids.len()
    }

    /// Return the number of the longest other special token that this one begins with.
    pub(super) fn special_prefix(&self, number: usize) -> Option<usize> {
        let prefix = u32::from_le_bytes(*self.special_prefixes.get(number)?);
        (prefix < u32::MAX).then_some(prefix as usize)
    }

    /// Return the id of the special token with this number.
    pub(super) fn special_id(&self, number: usize) -> Option<u32> {
        self.special_ids.get(number).map(|&id| u32::from_le_bytes(id))
    }
}

fn section<const N: usize>(blob: &[u8], offset: usize, rows: usize) -> Option<&[[u8; N]]> {
    let end = offset.checked_add(rows.checked_mul(N)?)?;
    Some(blob.get(offset..end)?.as_chunks().0)
}
