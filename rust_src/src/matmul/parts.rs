//! A product divided into parts of the result, which are independent of each other.

use super::blocks::{Job, PANEL};
use super::{Float, Shape, cache, pool};
use crate::{Isa, processors};
use std::ops::Range;

/// The least work that repays another thread, even if it has to be woken: about 70 microseconds.
/// Its unit is a multiplication times the bytes of an element.
pub(super) const THREAD_WORTH: usize = 1 << 25;

/// The units of a part: bytes of a row of the result, and rows.
const UNIT: usize = 64;
const UNIT_ROWS: usize = 8;

/// The division of a product: `down` times into rows and `across` times into columns.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub threads: usize,
    down: usize,
    across: usize,
}

/// Return the number of threads, at most `threads`, that the work repays.
pub(super) fn useful(threads: usize, work: usize) -> usize {
    match threads.min(work / THREAD_WORTH + 1) {
        0 | 1 => 1,
        threads => threads.min(processors()),
    }
}

impl Parts {
    /// Divide a product for at most `threads` threads. With two parts for each, they end together
    /// more often. Where b is packed each thread has one part, because every part packs its own
    /// columns and reads all of a.
    pub fn of<T: Float>(job: &Job<T>, threads: usize) -> Self {
        let Shape { m, n, .. } = job.shape;
        let threads = useful(threads, job.work());
        if threads == 1 {
            return Parts { threads, down: 1, across: 1 };
        }
        let (parts, across) = if job.packs_b {
            let blocks = n.div_ceil(cache::columns(size_of::<T>()));
            let widest = n.div_ceil(2 * PANEL / size_of::<T>());
            (threads, blocks.next_multiple_of(threads).min(widest))
        } else {
            (2 * threads, 1)
        };
        let down = parts.div_ceil(across).min(m.div_ceil(UNIT_ROWS));
        Parts { threads, down, across }
    }

    fn part<T: Float>(&self, job: &Job<T>, index: usize) -> Job<T> {
        let Shape { m, k, n } = job.shape;
        let rows = share(m, UNIT_ROWS, index / self.across, self.down);
        let columns = share(n, UNIT / size_of::<T>(), index % self.across, self.across);
        let (top, left) = (rows.start, columns.start);
        Job {
            shape: Shape { m: rows.len(), k, n: columns.len() },
            a: job.a.at(top, 0),
            b: job.b.at(0, left),
            out: job.out.wrapping_add(top * job.out_row + left),
            ..*job
        }
    }

    /// Return the elements of workspace for each thread: enough for the largest part.
    pub fn space<T: Float>(&self, job: &Job<T>) -> usize {
        let Shape { m, k, n } = job.shape;
        let unit = UNIT / size_of::<T>();
        let m = m.min(m.div_ceil(UNIT_ROWS).div_ceil(self.down) * UNIT_ROWS);
        let n = n.min(n.div_ceil(unit).div_ceil(self.across) * unit);
        Job { shape: Shape { m, k, n }, ..*job }.needs().iter().sum()
    }

    /// Compute all parts.
    ///
    /// # Safety
    /// As for [`Job::run`], with `space` elements of workspace for each thread.
    pub unsafe fn run<T: Float>(&self, isa: Isa, job: &Job<T>) {
        if self.threads == 1 {
            // SAFETY: by the contract.
            return unsafe { job.run(isa) };
        }
        let space = self.space(job);
        let run = |index: usize, seat: usize| {
            let workspace = job.workspace.wrapping_add(seat * space);
            // SAFETY: by the contract; parts share neither elements of `out` nor workspace.
            unsafe { Job { workspace, ..self.part(job, index) }.run(isa) }
        };
        // SAFETY: nothing there panics.
        unsafe { pool::share(self.down * self.across, self.threads, &run) };
    }
}

/// Return one of `shares` fair shares of `len`, in whole `unit`s.
fn share(len: usize, unit: usize, index: usize, shares: usize) -> Range<usize> {
    let begin = |index: usize| len.min(len.div_ceil(unit) * index / shares * unit);
    begin(index)..begin(index + 1)
}
