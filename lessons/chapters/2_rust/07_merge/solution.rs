//! Make it faster, and prove it: the merge loop of a BPE tokenizer.
//!
//! ```text
//! pairs: (1, 2) becomes 9, (9, 3) becomes 10, (2, 2) becomes 11
//! merge([1, 2, 2, 1, 2, 3])      leaves [9, 2, 10] and returns 3
//! ```
//!
//! The pairs are in the order in which they were learned: the first one has rank 0. Of all
//! neighbours in `ids` that are a pair, those of the lowest rank are merged, the leftmost of several,
//! again and again until none is left. The remaining ids are then at the start of `ids`. No pair
//! occurs twice, and no id is u32::MAX. `ids` may be null if `n` is 0, `pairs` if there are none.
//!
//! This solution is right. But each merge looks at all neighbours again, and moves all ids after
//! it: the work grows with the square of `n`. The checker merges half a million ids and waits a few
//! seconds, which is more than enough for work that grows with n log n.
//: use std::collections::HashMap;
// BEGIN SOLUTION
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
// END SOLUTION
use std::slice;

/// A pair of ids, and the id that it becomes.
#[repr(C)]
pub struct Pair {
    left: u32,
    right: u32,
    merged: u32,
}

// BEGIN SOLUTION
const GONE: u32 = u32::MAX;

/// The ids as a list in which each place knows its neighbours.
struct Merging<'a> {
    ids: &'a mut [u32],
    before: Vec<usize>,
    after: Vec<usize>,
    ranks: HashMap<(u32, u32), usize>,
    heap: BinaryHeap<Reverse<(usize, usize)>>,
}

impl Merging<'_> {
    fn rank(&self, at: usize) -> Option<usize> {
        let after = *self.after.get(at)?;
        let right = *self.ids.get(after)?;
        self.ranks.get(&(self.ids[at], right)).copied()
    }

    fn offer(&mut self, at: usize) {
        if let Some(rank) = self.rank(at) {
            self.heap.push(Reverse((rank, at)));
        }
    }

    fn run(&mut self, pairs: &[Pair]) {
        let n = self.ids.len();
        (0..n).for_each(|at| self.offer(at));
        while let Some(Reverse((rank, at))) = self.heap.pop() {
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

// END SOLUTION
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
    //: let ranks: HashMap<(u32, u32), usize> = pairs
    //:     .iter()
    //:     .enumerate()
    //:     .map(|(rank, pair)| ((pair.left, pair.right), rank))
    //:     .collect();
    //: let mut left = n;
    //: loop {
    //:     let neighbours = ids[..left].windows(2).enumerate();
    //:     let ranked = neighbours.filter_map(|(at, two)| Some((ranks.get(&(two[0], two[1]))?, at)));
    //:     let Some((&rank, at)) = ranked.min() else {
    //:         return left;
    //:     };
    //:     ids[at] = pairs[rank].merged;
    //:     ids.copy_within(at + 2..left, at + 1);
    //:     left -= 1;
    //: }
    // BEGIN SOLUTION
    let ranked = pairs.iter().enumerate();
    let mut merging = Merging {
        ids,
        before: (0..n).map(|at| at.wrapping_sub(1)).collect(),
        after: (1..=n).collect(),
        ranks: ranked
            .map(|(rank, pair)| ((pair.left, pair.right), rank))
            .collect(),
        heap: BinaryHeap::new(),
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
    // END SOLUTION
}
