//! What recent pieces became: a table that begins small, doubles in place where it fills up, and has
//! a newer piece take the place of an older one when it is as large as it may be. Zeros are an empty
//! table.

use std::ops::Range;

use super::find::{Find, Portable};
use super::keys::{hash, is_long, prefetch};
use super::ring::{Ring, read};

/// Ids that lie beside their piece.
const NEAR: usize = 3;
/// Added to the number of ids that lie in the ring, and so do the bytes of a long piece before them.
const FAR: u32 = 1 << 31;
/// Lines at first, and at last, as powers of two.
const FIRST_BITS: u32 = 13;
const LAST_BITS: u32 = 17;
const LINES: usize = 1 << LAST_BITS;

/// What a piece without room counts: where one is, the others will be soon. Odd, so that the two that
/// it can take the place of take turns.
const CROWDED: u32 = 31;

/// The most ids of a piece that `get` finds.
pub(super) const SOME: usize = 64;

/// The longest piece that is remembered.
pub(super) const KEPT: usize = 2048;

/// The ids of a piece: themselves, or in two words where in the ring they are.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Entry {
    ids: [u32; NEAR],
    n: u32,
}

/// A line of the processor's cache: two pieces by their keys, which are zero where there is none.
#[derive(Default)]
#[repr(C, align(64))]
struct Line {
    keys: [u128; 2],
    entries: [Entry; 2],
}

/// The ids of pieces. Lines fill from the front, and `neighbours` in their order, so that a look-up ends
/// where there is room.
#[repr(C)]
pub(super) struct Recent {
    lines: [Line; LINES],
    ring: Ring,
    /// How often it doubled, and how many pieces came since, those that found no room counted more.
    doubled: u32,
    came: u32,
}

impl Recent {
    fn bits(&self) -> u32 {
        (FIRST_BITS + self.doubled).min(LAST_BITS)
    }

    /// The bits of a hash that are not the number of a line.
    #[inline(always)]
    pub(super) fn shift(&self) -> u32 {
        64 - self.bits()
    }

    /// Has the processor fetch a line.
    #[inline(always)]
    pub(super) fn expect(&self, line: u32) {
        prefetch(&self.lines[line as usize % LINES]);
    }

    /// Where a piece is.
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

    /// Writes the ids of `text[piece]`, if they are no more than `SOME`, to the front of `ids`, and
    /// maybe something behind them; how many they are, 0 if they are not known.
    ///
    /// # Safety
    /// As for `Window`.
    #[inline(always)]
    pub(super) unsafe fn get<F: Find>(
        &self,
        line: u32,
        key: &u128,
        text: &[u8],
        piece: Range<usize>,
        ids: &mut [u32; SOME],
    ) -> usize {
        let Some(entry) = (unsafe { self.entry::<F>(line, key) }) else { return 0 };
        let Entry { ids: [a, b, c], n } = *entry;
        ids[..=NEAR].copy_from_slice(&[a, b, c, n]);
        if n as usize <= NEAR { n as usize } else { self.get_far(entry, key, &text[piece], ids) }
    }

    /// `get` of any number of ids.
    pub(super) fn get_many(
        &self,
        line: u32,
        key: &u128,
        piece: &[u8],
        ids: &mut [u32; KEPT],
    ) -> usize {
        // SAFETY: any machine can.
        let entry = unsafe { self.entry::<Portable>(line, key) };
        entry.map_or(0, |entry| self.get_far(entry, key, piece, ids))
    }

    #[inline(never)]
    fn get_far(&self, entry: &Entry, key: &u128, piece: &[u8], ids: &mut [u32]) -> usize {
        let n = (entry.n & !FAR) as usize;
        let place = u64::from(entry.ids[0]) | u64::from(entry.ids[1]) << 32;
        let spelled = if is_long(*key) { piece.len() } else { 0 };
        let Some(ids) = ids.get_mut(..n) else { return 0 };
        let Some(kept) = self.ring.get(place, spelled + 4 * n) else { return 0 };
        let (bytes, kept) = kept.split_at(spelled);
        if is_long(*key) && bytes != piece {
            return 0;
        }
        read(kept, ids);
        n
    }

    /// Remembers a piece of at most `KEPT` bytes.
    pub(super) fn put(&mut self, line: u32, key: u128, piece: &[u8], ids: &[u32]) {
        let mut entry = Entry { n: ids.len() as u32, ..Entry::default() };
        if is_long(key) || ids.len() > NEAR {
            let place = self.ring.put(if is_long(key) { piece } else { &[] }, ids);
            entry.ids = [place as u32, (place >> 32) as u32, 0];
            entry.n |= FAR;
        } else {
            entry.ids[..ids.len()].copy_from_slice(ids);
        }
        self.insert(line, key, entry);
    }

    /// Where there is room, else in the place of one of its own line's.
    fn insert(&mut self, line: u32, key: u128, entry: Entry) {
        let mut places = neighbours(line).flat_map(|line| [(line, 0), (line, 1)]);
        let place = places.find(|&(line, half)| [0, key].contains(&self.lines[line].keys[half]));
        self.came = self.came.wrapping_add(if place.is_some() { 1 } else { CROWDED });
        let own = || (line as usize % LINES, self.came as usize % 2);
        let (line, half) = place.unwrap_or_else(own);
        self.lines[line].keys[half] = key;
        self.lines[line].entries[half] = entry;
    }

    /// Doubles a table that is half full, if it may: pieces move. From the last lines to the first, since
    /// those of four belong into the eight of twice the number.
    pub(super) fn grow(&mut self) {
        let bits = self.bits();
        if bits == LAST_BITS || self.came < 1 << bits {
            return;
        }
        self.doubled += 1;
        self.came = 0;
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

/// A piece's own line, and those that it is in where there was no room.
#[inline(always)]
fn neighbours(line: u32) -> impl Iterator<Item = usize> {
    (0..4).map(move |i| (line ^ i) as usize % LINES)
}
