use std::collections::HashMap;
use std::slice;

/// A pair of ids, and the id that it becomes.
#[repr(C)]
pub struct Pair {
    left: u32,
    right: u32,
    merged: u32,
}

/// # Safety
///
/// `ids` points to `n` ids and `pairs` to `n_pairs` pairs that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn merge(
    ids: *mut u32,
    n: usize,
    pairs: *const Pair,
    n_pairs: usize,
) -> usize {
    if n == 0 || n_pairs == 0 {
        return n;
    }
    let ids = unsafe { slice::from_raw_parts_mut(ids, n) };
    let pairs = unsafe { slice::from_raw_parts(pairs, n_pairs) };
    let ranks: HashMap<(u32, u32), usize> = pairs
        .iter()
        .enumerate()
        .map(|(rank, pair)| ((pair.left, pair.right), rank))
        .collect();
    let rank_of = |ids: &[u32], at: usize| {
        let two = (*ids.get(at)?, *ids.get(at + 1)?);
        ranks.get(&two).copied()
    };
    let mut list = ids.to_vec();
    let mut ranked: Vec<usize> = (0..n)
        .map(|at| rank_of(&list, at).unwrap_or(usize::MAX))
        .collect();
    while let Some((at, &rank)) = ranked.iter().enumerate().min_by_key(|(_, rank)| **rank) {
        if rank == usize::MAX {
            break;
        }
        list[at] = pairs[rank].merged;
        list.remove(at + 1);
        ranked.remove(at + 1);
        for place in [at.saturating_sub(1), at] {
            ranked[place] = rank_of(&list, place).unwrap_or(usize::MAX);
        }
    }
    ids[..list.len()].copy_from_slice(&list);
    list.len()
}
