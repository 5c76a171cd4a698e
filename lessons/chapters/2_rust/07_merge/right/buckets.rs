use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    left: u32,
    right: u32,
    merged: u32,
}

#[derive(Clone, Copy)]
struct Symbol {
    id: u32,
    before: Option<usize>,
    after: Option<usize>,
}

/// The candidates of each rank in a heap of their own.
type Buckets = BTreeMap<usize, BinaryHeap<Reverse<usize>>>;

struct Table(Vec<(u32, u32, usize)>);

impl Table {
    fn rank(&self, symbols: &[Symbol], at: usize) -> Option<usize> {
        let symbol = symbols[at];
        let key = (symbol.id, symbols[symbol.after?].id);
        let found = self.0.binary_search_by_key(&key, |pair| (pair.0, pair.1));
        found.ok().map(|place| self.0[place].2)
    }

    fn offer(&self, buckets: &mut Buckets, symbols: &[Symbol], at: usize) {
        if let Some(rank) = self.rank(symbols, at) {
            buckets.entry(rank).or_default().push(Reverse(at));
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn merge(ids: *mut u32, n: usize, pairs: *const Pair, n_pairs: usize) -> usize {
    let pairs: Vec<Pair> = (0..n_pairs).map(|i| unsafe { *pairs.add(i) }).collect();
    let listed = pairs.iter().enumerate();
    let mut table = Table(
        listed
            .map(|(rank, pair)| (pair.left, pair.right, rank))
            .collect(),
    );
    table.0.sort_unstable();
    let mut symbols: Vec<Symbol> = (0..n)
        .map(|i| Symbol {
            id: unsafe { ids.add(i).read() },
            before: i.checked_sub(1),
            after: Some(i + 1).filter(|after| *after < n),
        })
        .collect();
    let mut buckets = Buckets::new();
    for at in 0..n {
        table.offer(&mut buckets, &symbols, at);
    }
    while let Some(mut entry) = buckets.first_entry() {
        let rank = *entry.key();
        let Some(Reverse(at)) = entry.get_mut().pop() else {
            entry.remove();
            continue;
        };
        if table.rank(&symbols, at) != Some(rank) {
            continue;
        }
        let gone = symbols[at].after.unwrap();
        symbols[at].id = pairs[rank].merged;
        symbols[at].after = symbols[gone].after.take();
        if let Some(after) = symbols[at].after {
            symbols[after].before = Some(at);
        }
        table.offer(&mut buckets, &symbols, at);
        if let Some(before) = symbols[at].before {
            table.offer(&mut buckets, &symbols, before);
        }
    }
    let mut left = 0;
    let mut place = Some(0).filter(|_| n > 0);
    while let Some(at) = place {
        unsafe { ids.add(left).write(symbols[at].id) };
        left += 1;
        place = symbols[at].after;
    }
    left
}
