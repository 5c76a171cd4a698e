//! What recent short pieces became: a table of fixed size in which a new piece replaces whatever was
//! in its slot. Text repeats itself, and this fits a cache of the processor where a model does not.

use super::model::short_hash;

/// log2 of the entries: half a megabyte of them.
const BITS: u32 = 14;
/// A piece of more ids is not kept.
const MOST: usize = 3;
/// The table is made once this many bytes of text have been seen: a few short ones do without.
const WORTHWHILE: usize = 1 << 14;

/// The ids of a piece; none if it is not known.
#[derive(Clone, Copy, Default)]
pub(super) struct Ids {
    ids: [u32; MOST],
    n: u32,
}

impl Ids {
    pub(super) fn as_slice(&self) -> &[u32] {
        self.ids.get(..self.n as usize).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Entry {
    key: u128,
    ids: Ids,
}

/// Remembers for one model, the one with this number.
#[derive(Default)]
pub(super) struct Cache {
    model: u64,
    seen: usize,
    entries: Vec<Entry>,
}

impl Cache {
    /// Forgets what another model made of pieces, and gets ready for a text of `size` bytes.
    pub(super) fn prepare(&mut self, model: u64, size: usize) {
        if self.model != model {
            self.entries.clear();
            (self.model, self.seen) = (model, 0);
        }
        self.seen = self.seen.saturating_add(size);
        if self.entries.is_empty() && self.seen >= WORTHWHILE {
            self.entries.resize(1 << BITS, Entry::default());
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u128) -> Ids {
        match self.entries.get(slot(key)) {
            Some(entry) if entry.key == key => entry.ids,
            _ => Ids::default(),
        }
    }

    pub(super) fn put(&mut self, key: u128, ids: &[u32]) {
        if ids.len() <= MOST
            && let Some(entry) = self.entries.get_mut(slot(key))
        {
            entry.key = key;
            entry.ids.ids[..ids.len()].copy_from_slice(ids);
            entry.ids.n = ids.len() as u32;
        }
    }
}

fn slot(key: u128) -> usize {
    (short_hash(key) >> (64 - BITS)) as usize
}
