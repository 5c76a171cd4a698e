//! The cache of recent pretokens and their ids: a table that begins small and doubles in place when
//! it is full. At its largest size newer pretokens replace older ones. Zeros are an empty table.

use std::ops::Range;

use super::find::{Find, Portable};
use super::keys::{hash, is_long, prefetch};
use super::overflow::{Overflow, read};

/// Ids that fit into an entry.
const NEAR: usize = 3;
/// Added to the number of ids if they are in the overflow, after the bytes of a long pretoken.
const FAR: u32 = 1 << 31;
/// The first and the last number of lines, as powers of two.
const FIRST_BITS: u32 = 13;
const LAST_BITS: u32 = 17;
const LINES: usize = 1 << LAST_BITS;

/// A pretoken without room counts as this many, since others will soon lack it too. It is odd, so
/// that the two entries that can be replaced take turns.
const CROWDED: u32 = 31;

/// The most ids of a pretoken that `get` finds.
pub(super) const SOME: usize = 64;

/// The longest pretoken that is cached.
pub(super) const CACHED_BYTES: usize = 2048;

/// The ids of a pretoken, or in two words their place in the overflow.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Entry {
    ids: [u32; NEAR],
    n: u32,
}

/// Two pretokens, in one line of the processor's cache. The key of an empty entry is zero.
#[derive(Default)]
#[repr(C, align(64))]
struct Line {
    keys: [u128; 2],
    entries: [Entry; 2],
}

/// The ids of pretokens. Lines are filled from the front, and `neighbours` in their order, so that
/// a look-up ends at the first empty entry.
#[repr(C)]
pub(super) struct Cache {
    lines: [Line; LINES],
    overflow: Overflow,
    /// The number of times the table has doubled, and the pretokens added since; one without room
    /// counts as `CROWDED`.
    doubled: u32,
    added: u32,
}

impl Cache {
    fn bits(&self) -> u32 {
        (FIRST_BITS + self.doubled).min(LAST_BITS)
    }

    /// Return the number of a hash's bits that do not select a line.
    #[inline(always)]
    pub(super) fn shift(&self) -> u32 {
        64 - self.bits()
    }

    /// Prefetch a line.
    #[inline(always)]
    pub(super) fn expect(&self, line: u32) {
        prefetch(&self.lines[line as usize % LINES]);
    }

    /// Return the entry of a pretoken.
    ///
    /// # Safety
    /// As for `Window`.
    #[inline(always)]
    unsafe fn entry<F: Find>(&self, line: u32, key: &u128) -> Option<&Entry> {
        for number in neighbours(line) {
            let line = &self.lines[number];
            if let Some(half) = unsafe { F::find(&line.keys, key) } {
                return Some(&line.entries[half]);
            }
            if line.keys[1] == 0 {
                break;
            }
        }
        None
    }

    /// Write the ids of `text[pretoken]`, if they are at most `SOME`, to the front of `ids`; the
    /// memory after them is arbitrary. Return their number, or 0 if they are not cached.
    ///
    /// # Safety
    /// As for `Window`.
    #[inline(always)]
    pub(super) unsafe fn get<F: Find>(
        &self,
        line: u32,
        key: &u128,
        text: &[u8],
        pretoken: Range<usize>,
        ids: &mut [u32; SOME],
    ) -> usize {
        let Some(entry) = (unsafe { self.entry::<F>(line, key) }) else { return 0 };
        let Entry { ids: [a, b, c], n } = *entry;
        ids[..=NEAR].copy_from_slice(&[a, b, c, n]);
        if n as usize <= NEAR { n as usize } else { self.get_far(entry, key, &text[pretoken], ids) }
    }

    /// Do the same for any number of ids.
    pub(super) fn get_many(
        &self,
        line: u32,
        key: &u128,
        pretoken: &[u8],
        ids: &mut [u32; CACHED_BYTES],
    ) -> usize {
        // SAFETY: it runs on any machine.
        let entry = unsafe { self.entry::<Portable>(line, key) };
        entry.map_or(0, |entry| self.get_far(entry, key, pretoken, ids))
    }

    #[inline(never)]
    fn get_far(&self, entry: &Entry, key: &u128, pretoken: &[u8], ids: &mut [u32]) -> usize {
        let n = (entry.n & !FAR) as usize;
        let place = u64::from(entry.ids[0]) | u64::from(entry.ids[1]) << 32;
        let spelled = if is_long(*key) { pretoken.len() } else { 0 };
        let Some(ids) = ids.get_mut(..n) else { return 0 };
        let Some(stored) = self.overflow.get(place, spelled + 4 * n) else { return 0 };
        let (bytes, stored) = stored.split_at(spelled);
        if is_long(*key) && bytes != pretoken {
            return 0;
        }
        read(stored, ids);
        n
    }

    /// Cache a pretoken of at most `CACHED_BYTES` bytes.
    pub(super) fn put(&mut self, line: u32, key: u128, pretoken: &[u8], ids: &[u32]) {
        let mut entry = Entry { n: ids.len() as u32, ..Entry::default() };
        if is_long(key) || ids.len() > NEAR {
            let place = self.overflow.put(if is_long(key) { pretoken } else { &[] }, ids);
            entry.ids = [place as u32, (place >> 32) as u32, 0];
            entry.n |= FAR;
        } else {
            entry.ids[..ids.len()].copy_from_slice(ids);
        }
        self.insert(line, key, entry);
    }

    /// Insert where there is room, else over an entry of its own line.
    fn insert(&mut self, line: u32, key: u128, entry: Entry) {
        let mut places = neighbours(line).flat_map(|line| [(line, 0), (line, 1)]);
        let place = places.find(|&(line, half)| [0, key].contains(&self.lines[line].keys[half]));
        self.added = self.added.wrapping_add(if place.is_some() { 1 } else { CROWDED });
        let own = || (line as usize % LINES, self.added as usize % 2);
        let (line, half) = place.unwrap_or_else(own);
        self.lines[line].keys[half] = key;
        self.lines[line].entries[half] = entry;
    }

    /// Double a table that is half full, unless it has its largest size. Pretokens move from the
    /// last lines to the first: the pretokens of four lines belong in eight of the new lines.
    pub(super) fn grow(&mut self) {
        let bits = self.bits();
        if bits == LAST_BITS || self.added < 1 << bits {
            return;
        }
        self.doubled += 1;
        self.added = 0;
        for first in (0..1 << bits).step_by(4).rev() {
            for line in [0, 1, 2, 3].map(|i| std::mem::take(&mut self.lines[first + i])) {
                for (key, entry) in line.keys.into_iter().zip(line.entries) {
                    if key != 0 {
                        self.insert((hash(key) >> self.shift()) as u32, key, entry);
                    }
                }
            }
        }
    }
}

/// Return a pretoken's own line, and the lines that it may be in if that is full.
#[inline(always)]
fn neighbours(line: u32) -> impl Iterator<Item = usize> {
    (0..4).map(move |i| (line ^ i) as usize % LINES)
}
