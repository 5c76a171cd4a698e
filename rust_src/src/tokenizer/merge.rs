//! From a piece that is no token to ids: merge the pair of lowest rank, the leftmost on a tie, until
//! no pair merges.

use super::cache::LONG;
use super::model::{NO_MERGE, Tables};
use super::queue::Queue;

/// A part of the piece, and what it makes with the part after it.
#[derive(Clone, Copy)]
struct Part {
    id: u32,
    rank: u32,
    merged: u32,
}

impl Part {
    fn new(id: u32) -> Self {
        Self { id, rank: NO_MERGE, merged: 0 }
    }

    #[inline(always)]
    fn meet(&mut self, tables: &Tables, next: Option<u32>) {
        (self.rank, self.merged) = next.map_or((NO_MERGE, 0), |next| tables.pair(self.id, next));
    }
}

/// Up to `LONG` bytes: looking at every pair for the best one beats keeping them in order. The ids go
/// to the front of `ids`, which has room for as many as there are bytes; how many they are.
pub(super) fn merge_few(tables: &Tables, piece: &[u8], ids: &mut [u32]) -> usize {
    let mut parts = [Part::new(0); LONG];
    let mut n = piece.len();
    for (part, &byte) in parts.iter_mut().zip(piece) {
        part.id = tables.byte_id(byte);
    }
    for (part, two) in parts.iter_mut().zip(piece.windows(2)) {
        (part.rank, part.merged) = tables.byte_pair(two[0], two[1]);
    }
    while let Some((i, best)) = parts[..n].iter().enumerate().min_by_key(|(_, part)| part.rank)
        && best.rank != NO_MERGE
    {
        parts[i].id = best.merged;
        parts.copy_within(i + 2..n, i + 1);
        n -= 1;
        let next = parts[..n].get(i + 1).map(|next| next.id);
        parts[i].meet(tables, next);
        if i > 0 {
            let next = parts[i].id;
            parts[i - 1].meet(tables, Some(next));
        }
    }
    ids.iter_mut().zip(&parts[..n]).for_each(|(id, part)| *id = part.id);
    n
}

/// A part that knows where its neighbours are; of `size` 0 once it is merged into the one before.
struct Link {
    part: Part,
    size: u32,
    previous: u32,
}

pub(super) fn merge_many(tables: &Tables, piece: &[u8], emit: &mut impl FnMut(&[u32])) {
    let (mut links, mut queue) = (Vec::with_capacity(piece.len()), Queue::default());
    queue.clear(piece.len());
    links.extend(piece.iter().zip(0u32..).map(|(&byte, i)| Link {
        part: Part::new(tables.byte_id(byte)),
        size: 1,
        previous: i.saturating_sub(1),
    }));
    for i in 0..piece.len() {
        meet(tables, &mut links, &mut queue, i);
    }
    while let Some((rank, i)) = queue.pop() {
        let i = i as usize;
        if links[i].size == 0 || links[i].part.rank != rank {
            continue; // this pair is no more
        }
        let next = i + links[i].size as usize;
        let size = std::mem::take(&mut links[next].size);
        links[i].size += size;
        links[i].part.id = links[i].part.merged;
        if let Some(after) = links.get_mut(next + size as usize) {
            after.previous = i as u32;
        }
        meet(tables, &mut links, &mut queue, i);
        if i > 0 {
            let previous = links[i].previous as usize;
            meet(tables, &mut links, &mut queue, previous);
        }
    }
    let parts = links.iter().filter(|link| link.size > 0);
    parts.for_each(|link| emit(&[link.part.id]));
}

/// Looks up what part `i` and the next make, and has that wait for its turn.
fn meet(tables: &Tables, links: &mut [Link], queue: &mut Queue, i: usize) {
    let next = links.get(i + links[i].size as usize).map(|next| next.part.id);
    let part = &mut links[i].part;
    part.meet(tables, next);
    if part.rank != NO_MERGE {
        queue.push(part.rank, i as u32);
    }
}
