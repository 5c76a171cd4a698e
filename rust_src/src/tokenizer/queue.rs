//! A priority queue for merges: a calendar, because nearly every new entry lies later than the one
//! just taken. The entries of a day are sorted when it comes; what is due before goes to a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// log2 of the ranks that a calendar can tell apart; the last day takes all higher ones.
const RANK_BITS: u32 = 18;
const NONE: u32 = u32::MAX;
const PAGE: usize = 15;

/// Some entries of a day, and the page with those before.
struct Page {
    entries: [u64; PAGE],
    n: u32,
    previous: u32,
}

/// Pairs of a rank and a position, lowest first.
#[derive(Default)]
pub(super) struct Queue {
    pages: Vec<Page>,
    /// The last page of each day, or `NONE`.
    days: Vec<u32>,
    /// log2 of the ranks in a day.
    day_bits: u32,
    tomorrow: usize,
    /// Today's entries, the lowest last.
    sorted: Vec<u64>,
    late: BinaryHeap<Reverse<u64>>,
}

impl Queue {
    /// Empties the queue, and suits the calendar to about `n` entries.
    pub(super) fn clear(&mut self, n: usize) {
        let bits = n.next_power_of_two().ilog2().min(RANK_BITS);
        self.day_bits = RANK_BITS - bits;
        self.days.clear();
        self.days.resize(1 << bits, NONE);
        self.pages.clear();
        self.sorted.clear();
        self.late.clear();
        self.tomorrow = 0;
    }

    pub(super) fn push(&mut self, rank: u32, position: u32) {
        let entry = u64::from(rank) << 32 | u64::from(position);
        let day = ((rank >> self.day_bits) as usize).min(self.days.len() - 1);
        if day < self.tomorrow {
            self.late.push(Reverse(entry));
            return;
        }
        match self.pages.get_mut(self.days[day] as usize) {
            Some(page) if (page.n as usize) < PAGE => {
                page.entries[page.n as usize] = entry;
                page.n += 1;
            }
            _ => {
                let previous = std::mem::replace(&mut self.days[day], self.pages.len() as u32);
                self.pages.push(Page { entries: [entry; PAGE], n: 1, previous });
            }
        }
    }

    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        while self.sorted.is_empty() && self.late.is_empty() {
            let mut day = *self.days.get(self.tomorrow)?;
            self.tomorrow += 1;
            while let Some(page) = self.pages.get(day as usize) {
                self.sorted.extend(page.entries[..page.n as usize].iter().rev());
                day = page.previous;
            }
            self.sorted.sort_unstable_by_key(|&entry| Reverse(entry));
        }
        let late = self.late.peek().map_or(u64::MAX, |late| late.0);
        let entry = match self.sorted.pop_if(|first| *first <= late) {
            Some(entry) => entry,
            None => self.late.pop()?.0,
        };
        Some(((entry >> 32) as u32, entry as u32))
    }
}
