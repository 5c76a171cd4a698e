use std::collections::{BTreeSet, HashMap};
use std::slice;

/// A pair of ids, and the id that it becomes.
#[repr(C)]
pub struct Pair {
    left: u32,
    right: u32,
    merged: u32,
}

const GONE: u32 = u32::MAX;

/// The ids as a list in which each place knows its neighbours.
struct Merging<'a> {
    ids: &'a mut [u32],
    before: Vec<usize>,
    after: Vec<usize>,
    ranks: HashMap<(u32, u32), usize>,
    candidates: BTreeSet<(usize, usize)>,
}

impl Merging<'_> {
    fn rank(&self, at: usize) -> Option<usize> {
        let after = *self.after.get(at)?;
        let right = *self.ids.get(after)?;
        self.ranks.get(&(self.ids[at], right)).copied()
    }

    fn offer(&mut self, at: usize) {
        if let Some(rank) = self.rank(at) {
            self.candidates.insert((rank, at));
        }
    }

    fn run(&mut self, pairs: &[Pair]) {
        let n = self.ids.len();
        (0..n).for_each(|at| self.offer(at));
        while let Some((rank, at)) = self.candidates.pop_first() {
            if self.rank(at) != Some(rank) {
                continue; // one of the two has been merged since
            }
            let second = self.after[at];
            self.ids[at] = pairs[rank].merged;
            self.ids[second] = GONE;
            self.after[at] = self.after[second];
            self.after[second] = n;
            if self.after[at] < n {
                self.before[self.after[at]] = at;
            }
            self.offer(at);
            self.offer(self.before[at]);
        }
    }
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
    let ranked = pairs.iter().enumerate();
    let mut merging = Merging {
        ids,
        before: (0..n).map(|at| at.wrapping_sub(1)).collect(),
        after: (1..=n).collect(),
        ranks: ranked
            .map(|(rank, pair)| ((pair.left, pair.right), rank))
            .collect(),
        candidates: BTreeSet::new(),
    };
    merging.run(pairs);
    let mut left = 0;
    for at in 0..n {
        if ids[at] != GONE {
            ids[left] = ids[at];
            left += 1;
        }
    }
    left
}
