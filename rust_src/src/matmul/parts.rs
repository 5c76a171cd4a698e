//! A product cut into parts of the result, which need nothing of each other.

use super::blocks::{Job, PANEL, STRIPS};
use super::{Float, Shape, pool};
use crate::{Isa, processors};

/// Multiplications that are worth a thread.
pub(super) const THREAD_WORTH: usize = 1 << 20;

/// Parts of so many rows and columns, `across` of them side by side.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub threads: usize,
    pub count: usize,
    rows: usize,
    columns: usize,
    across: usize,
}

/// Of so many threads, those that repay waking them for so many multiplications.
pub(super) fn useful(threads: usize, work: usize) -> usize {
    match threads.min(work / THREAD_WORTH + 1) {
        0 | 1 => 1,
        threads => threads.min(processors()),
    }
}

impl Parts {
    /// For at most `threads` threads. Twice as many parts end together more often; where b is packed
    /// they are columns, for each part packs its own.
    pub fn of<T: Float>(job: &Job<T>, threads: usize) -> Self {
        let Shape { m, k, n } = job.shape;
        let threads = useful(threads, m.saturating_mul(k).saturating_mul(n));
        if threads == 1 {
            return Parts { threads, count: 1, rows: m, columns: n, across: 1 };
        }
        let (wanted, unit) = (2 * threads, PANEL / size_of::<T>());
        let across = if job.packs_b() { wanted.min(n.div_ceil(2 * unit)) } else { 1 };
        let columns = n.div_ceil(across * unit) * unit;
        let across = n.div_ceil(columns);
        let rows = m.div_ceil(wanted.div_ceil(across) * STRIPS) * STRIPS;
        Parts { threads, count: m.div_ceil(rows) * across, rows, columns, across }
    }

    fn part<T: Float>(&self, job: &Job<T>, index: usize) -> Job<T> {
        let Shape { m, k, n } = job.shape;
        let (top, left) = (index / self.across * self.rows, index % self.across * self.columns);
        Job {
            shape: Shape { m: self.rows.min(m - top), k, n: self.columns.min(n - left) },
            a: job.a.at(top, 0),
            b: job.b.at(0, left),
            out: job.out.wrapping_add(top * job.out_row + left),
            ..*job
        }
    }

    /// Elements of workspace for each thread: what the first part needs, which is the largest.
    pub fn space<T: Float>(&self, job: &Job<T>) -> usize {
        self.part(job, 0).needs().iter().sum()
    }

    /// Computes them all.
    ///
    /// # Safety
    /// As for [`Job::run`], with `space` elements of workspace for each thread.
    pub unsafe fn run<T: Float>(&self, isa: Isa, job: &Job<T>) {
        if self.count == 1 {
            // SAFETY: by the contract.
            return unsafe { job.run(isa) };
        }
        let space = self.space(job);
        let run = |index: usize, seat: usize| {
            let workspace = job.workspace.wrapping_add(seat * space);
            // SAFETY: by the contract, and parts share neither elements of `out` nor workspace.
            unsafe { Job { workspace, ..self.part(job, index) }.run(isa) }
        };
        // SAFETY: nothing there panics.
        unsafe { pool::share(self.count, self.threads, &run) };
    }
}
