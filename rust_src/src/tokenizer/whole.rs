//! Merge a pretoken of any size at once: the fallback of `chunks`.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, TryReserveError};

use super::model::{NO_MERGE, Tables};
use super::sink::Sink;

/// A symbol, indexed by its first byte; `next` is 0 once it is merged into the one before.
struct Link {
    id: u32,
    next: u32,
    previous: u32,
    /// The rank of the merge with the next.
    rank: u32,
}

/// The rank and the place of a merge, lowest first. It is outdated if its rank is not that of its
/// link.
type Queue = BinaryHeap<Reverse<(u32, u32)>>;

/// Merge a pretoken of less than 4 GiB.
pub(super) fn merge_whole(
    tables: &Tables,
    pretoken: &[u8],
    sink: &mut impl Sink,
) -> Result<(), TryReserveError> {
    let (mut queue, mut links) = (Queue::new(), Vec::new());
    queue.try_reserve_exact(2 * pretoken.len())?; // each merge removes one and adds at most two
    links.try_reserve_exact(pretoken.len())?;
    links.extend((0u32..).zip(pretoken).map(|(i, &byte)| Link {
        id: tables.byte_id(byte),
        next: i + 1,
        previous: i.wrapping_sub(1),
        rank: NO_MERGE,
    }));
    for i in 0..links.len() {
        rate(tables, &mut links, &mut queue, i);
    }
    while let Some(Reverse((rank, place))) = queue.pop()
        && !tables.stopped()
    {
        let i = place as usize;
        if links[i].rank != rank || links[i].next == 0 {
            continue;
        }
        let gone = links[i].next as usize;
        let after = std::mem::take(&mut links[gone].next);
        links[i].next = after;
        links[i].id = tables.merged(rank);
        if let Some(link) = links.get_mut(after as usize) {
            link.previous = place;
        }
        rate(tables, &mut links, &mut queue, i);
        if i > 0 {
            let before = links[i].previous as usize;
            rate(tables, &mut links, &mut queue, before);
        }
    }
    links.iter().filter(|link| link.next > 0).try_for_each(|link| sink.put(&[link.id]))
}

/// Look up the merge of the symbol at `i` with the next, and queue it.
fn rate(tables: &Tables, links: &mut [Link], queue: &mut Queue, i: usize) {
    let next = links.get(links[i].next as usize);
    let rank = next.map_or(NO_MERGE, |next| tables.pair(links[i].id, next.id));
    links[i].rank = rank;
    if rank != NO_MERGE {
        queue.push(Reverse((rank, i as u32)));
    }
}
