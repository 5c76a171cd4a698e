use std::collections::{BinaryHeap, HashMap};

#[repr(C)]
pub struct Pair(u32, u32, u32);

const NONE: usize = usize::MAX;

fn offer(
    heap: &mut BinaryHeap<(i64, i64, u32, u32)>,
    table: &HashMap<u64, (i64, u32)>,
    ids: &[u32],
    after: &[usize],
    at: usize,
) {
    if at == NONE || after[at] == NONE {
        return;
    }
    let (left, right) = (ids[at], ids[after[at]]);
    if let Some((rank, _)) = table.get(&(u64::from(left) << 32 | u64::from(right))) {
        heap.push((-rank, -(at as i64), left, right));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn merge(
    start: *mut u32,
    n: usize,
    pairs: *const Pair,
    n_pairs: usize,
) -> usize {
    let mut table = HashMap::with_capacity(n_pairs);
    for rank in 0..n_pairs {
        let Pair(left, right, merged) = unsafe { &*pairs.add(rank) };
        table.insert(
            u64::from(*left) << 32 | u64::from(*right),
            (rank as i64, *merged),
        );
    }
    if n < 2 {
        return n;
    }
    let ids = unsafe { std::slice::from_raw_parts_mut(start, n) };
    let mut before: Vec<usize> = std::iter::once(NONE).chain(0..n - 1).collect();
    let mut after: Vec<usize> = (1..n).chain([NONE]).collect();
    let mut heap = BinaryHeap::with_capacity(n);
    for at in 0..n {
        offer(&mut heap, &table, ids, &after, at);
    }
    let mut gone = vec![false; n];
    while let Some((_, at, left, right)) = heap.pop() {
        let at = -at as usize;
        let second = after[at];
        if gone[at] || second == NONE || (ids[at], ids[second]) != (left, right) {
            continue;
        }
        ids[at] = table[&(u64::from(left) << 32 | u64::from(right))].1;
        gone[second] = true;
        after[at] = after[second];
        if after[at] != NONE {
            before[after[at]] = at;
        }
        offer(&mut heap, &table, ids, &after, before[at]);
        offer(&mut heap, &table, ids, &after, at);
    }
    let mut kept = gone.iter().map(|gone| !gone);
    let left: Vec<u32> = ids
        .iter()
        .copied()
        .filter(|_| kept.next().unwrap())
        .collect();
    ids[..left.len()].copy_from_slice(&left);
    left.len()
}
