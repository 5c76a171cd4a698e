//! Merge a few bytes: the pair of lowest rank, the leftmost on a tie, until no pair merges. Every
//! merge compares all pairs, which are so few that the machine does sixteen at once.

use super::model::{NO_MERGE, Tables};
use crate::isa::{Isa, Level};

/// Rank and place in one number: the lowest is the next merge.
const PLACE_BITS: u32 = 9;
const NONE: u32 = u32::MAX;

/// The most bytes merged at a time.
pub(super) const MOST: usize = 1 << PLACE_BITS;

/// An id and the number of bytes it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Symbol {
    pub(super) id: u32,
    pub(super) size: u32,
}

/// Merge `pretoken`, of at most `MOST` bytes, to the front of `symbols`, which is at least as
/// long, and return the number of symbols.
#[inline(always)]
pub(super) fn merge(isa: Isa, tables: &Tables, pretoken: &[u8], symbols: &mut [Symbol]) -> usize {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: that level includes the features that the function was compiled for.
    unsafe {
        match isa.level() {
            Level::Avx512 => return x86::avx512(tables, pretoken, symbols),
            Level::Avx2 => return x86::avx2(tables, pretoken, symbols),
            Level::Portable => {}
        }
    }
    let _ = (isa, Level::Portable);
    merge_any(tables, pretoken, symbols)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Symbol, Tables, merge_any};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn avx2(tables: &Tables, pretoken: &[u8], symbols: &mut [Symbol]) -> usize {
        merge_any(tables, pretoken, symbols)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn avx512(tables: &Tables, pretoken: &[u8], symbols: &mut [Symbol]) -> usize {
        merge_any(tables, pretoken, symbols)
    }
}

#[inline(always)]
fn merge_any(tables: &Tables, pretoken: &[u8], symbols: &mut [Symbol]) -> usize {
    match pretoken.len() {
        0..=16 => merge_in::<16>(tables, pretoken, symbols),
        17..=64 => merge_in::<64>(tables, pretoken, symbols),
        _ => merge_in::<MOST>(tables, pretoken, symbols),
    }
}

#[inline(always)]
fn merge_in<const N: usize>(tables: &Tables, pretoken: &[u8], symbols: &mut [Symbol]) -> usize {
    let size = pretoken.len();
    // All arrays are indexed by the first byte of a symbol; `merges` has the merge with the next
    // symbol.
    let mut merges = [NONE; N];
    let (mut ids, mut next, mut previous) = ([0; N], [0u16; N], [0u16; N]);
    for (i, &byte) in pretoken.iter().enumerate() {
        ids[i] = tables.byte_id(byte);
        next[i] = i as u16 + 1;
        previous[i] = (i as u16).wrapping_sub(1);
    }
    for (i, two) in pretoken.windows(2).enumerate() {
        merges[i] = merge_at(i, tables.byte_pair(two[0], two[1]));
    }
    let used = &mut merges[..size.next_multiple_of(16)];
    loop {
        let best = used.iter().fold(NONE, |best, &merge| best.min(merge));
        if best == NONE {
            break;
        }
        let i = best as usize % N;
        let gone = usize::from(next[i]);
        let after = usize::from(next[gone]);
        ids[i] = tables.merged(best >> PLACE_BITS);
        next[i] = after as u16;
        used[gone] = NONE;
        used[i] = NONE;
        if after < size {
            previous[after] = i as u16;
            used[i] = merge_at(i, tables.pair(ids[i], ids[after]));
        }
        if i > 0 {
            let before = usize::from(previous[i]);
            used[before] = merge_at(before, tables.pair(ids[before], ids[i]));
        }
    }
    let (mut n, mut i) = (0, 0);
    while i < size {
        let end = usize::from(next[i]);
        symbols[n] = Symbol { id: ids[i], size: (end - i) as u32 };
        (n, i) = (n + 1, end);
    }
    n
}

#[inline(always)]
fn merge_at(place: usize, rank: u32) -> u32 {
    if rank == NO_MERGE { NONE } else { rank << PLACE_BITS | place as u32 }
}
