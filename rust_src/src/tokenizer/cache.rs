//! What recent pieces became: tables of fixed size in which a newer piece takes the place of an older
//! one. Zeros are an empty table.

use super::keys::{SHORT, prefetch, short_hash};

/// Ids that lie beside their piece.
const NEAR: usize = 3;

/// A short piece: its key, its first ids, and how many they are.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    key: u128,
    ids: [u32; NEAR],
    n: u32,
}

/// A line of the processor's cache; a piece can be in either half.
#[repr(C, align(64))]
struct Line([Entry; 2]);

/// The ids of short pieces.
#[repr(C)]
pub(super) struct Recent {
    lines: [Line; 1 << 16],
    /// The other ids of the entries.
    more: [[u32; SHORT - NEAR]; 2 << 16],
    turn: usize,
}

/// The line in which a piece is looked up, from its `short_key`.
#[inline(always)]
pub(super) fn line_of(key: u128) -> u16 {
    (short_hash(key) >> 48) as u16
}

impl Recent {
    /// Has the processor fetch a line.
    #[inline(always)]
    pub(super) fn expect(&self, line: u16) {
        prefetch(&self.lines[usize::from(line)]);
    }

    /// Writes the ids of a piece to the front of `out`, and maybe more than them; how many they are,
    /// 0 if the piece is not known.
    #[inline(always)]
    pub(super) fn get(&self, line: u16, key: u128, out: &mut [u32; SHORT]) -> usize {
        let Line(halves) = &self.lines[usize::from(line)];
        let half = usize::from(halves[0].key != key);
        let Entry { key: found, ids, n } = halves[half];
        if found != key {
            return 0;
        }
        let [a, b, c] = ids;
        out[..=NEAR].copy_from_slice(&[a, b, c, n]);
        if n as usize > NEAR {
            out[NEAR..].copy_from_slice(&self.more[2 * usize::from(line) + half]);
        }
        n as usize
    }

    /// Remembers the first `n` of `ids`.
    pub(super) fn put(&mut self, line: u16, key: u128, ids: &[u32; SHORT], n: usize) {
        let Line(halves) = &mut self.lines[usize::from(line)];
        let empty = halves.iter().position(|entry| entry.n == 0);
        self.turn += 1;
        let half = empty.unwrap_or(self.turn % 2);
        halves[half] = Entry { key, ids: [ids[0], ids[1], ids[2]], n: n as u32 };
        if n > NEAR {
            self.more[2 * usize::from(line) + half].copy_from_slice(&ids[NEAR..]);
        }
    }
}

/// The longest piece that `Far` has room for.
pub(super) const LONG: usize = 64;
const FAR_BITS: u32 = 14;
const FAR_IDS: usize = 46;

/// The ids of longer pieces.
#[repr(C)]
pub(super) struct Far([FarEntry; 1 << FAR_BITS]);

#[repr(C)]
struct FarEntry {
    size: u16,
    n: u16,
    piece: [u8; LONG],
    ids: [u32; FAR_IDS],
}

impl Far {
    /// `hash`: the model's, of the whole piece.
    pub(super) fn get(&self, hash: u64, piece: &[u8]) -> Option<&[u32]> {
        let entry = &self.0[(hash >> (64 - FAR_BITS)) as usize];
        let found = entry.piece.get(..usize::from(entry.size))? == piece;
        if found { entry.ids.get(..usize::from(entry.n)) } else { None }
    }

    /// Remembers them unless they are too many.
    pub(super) fn put(&mut self, hash: u64, piece: &[u8], ids: &[u32]) {
        let entry = &mut self.0[(hash >> (64 - FAR_BITS)) as usize];
        if let (Some(bytes), Some(kept)) =
            (entry.piece.get_mut(..piece.len()), entry.ids.get_mut(..ids.len()))
        {
            bytes.copy_from_slice(piece);
            kept.copy_from_slice(ids);
            (entry.size, entry.n) = (piece.len() as u16, ids.len() as u16);
        }
    }
}
