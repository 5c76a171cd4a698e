//! Products of batches of matrices, divided among threads. A thread computes whole items. When each
//! has had the same number of items, all threads share the remaining large ones. If all items share
//! `b` and the rows of `a` are evenly spaced, the batch is one product.

use super::blocks::{Job, LINE};
use super::parts::{Parts, THREAD_WORTH, useful};
use super::{Float, Operand, Shape, pool};
use crate::{Error, Isa};
use std::mem::MaybeUninit;
use std::ops::Range;

/// The fixed cost of an item, in multiplications times the bytes of an element; it dominates up to
/// 16 x 16.
const ITEM: usize = 1 << 14;

/// Parts for each thread, so that threads end together even if one begins late.
const ROUNDS: usize = 16;

/// The number of products, and the distance in bytes from the operand `a` or `b` of one to that of
/// the next: 0 if all share it.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    pub count: usize,
    pub strides: [isize; 2],
}

/// The division of a batch among threads.
#[derive(Clone, Copy)]
struct Plan<T> {
    /// The first product.
    item: Job<T>,
    batch: Batch,
    threads: usize,
    /// The number of items that are each computed by one thread.
    whole: usize,
    /// The division of every other item over the threads.
    parts: Parts,
}

impl<T: Float> Plan<T> {
    fn new(
        mut batch: Batch,
        mut shape: Shape,
        [mut a, b]: [Operand; 2],
        out: *mut T,
        threads: usize,
    ) -> Self {
        let [next, b_next] = batch.strides;
        if shape.m == 1 {
            a.row_stride = next;
        }
        if b_next == 0 && (shape.m as isize).checked_mul(a.row_stride) == Some(next) {
            shape.m = shape.m.saturating_mul(batch.count); // it fits if `out` does
            batch.count = 1;
        }
        let item = Job::new(shape, [a, b], out);
        let work = item.work().saturating_add(ITEM);
        let threads = useful(threads, work.saturating_mul(batch.count));
        let left = if work < THREAD_WORTH { 0 } else { batch.count % threads };
        Plan { item, batch, threads, whole: batch.count - left, parts: Parts::of(&item, threads) }
    }

    /// Return the number of elements of workspace: enough for each thread that computes whole items
    /// or parts.
    fn space(&self) -> usize {
        let whole = self.threads.min(self.whole) * self.item.needs().iter().sum::<usize>();
        whole.max(self.parts.threads * self.parts.space(&self.item))
    }

    fn at(&self, i: usize) -> Job<T> {
        let Job { shape, a, b, out, .. } = self.item;
        let [a_next, b_next] = self.batch.strides;
        let far = |operand: Operand, next: isize| Operand {
            start: operand.start.wrapping_offset((i as isize).wrapping_mul(next)),
            ..operand
        };
        let (a, b) = (far(a, a_next), far(b, b_next));
        Job { a, b, out: out.wrapping_add(i * shape.m * shape.n), ..self.item }
    }

    /// # Safety
    /// As for [`matmul`].
    unsafe fn run_whole(&self, isa: Isa, items: Range<usize>, seat: usize) {
        let space = self.item.needs().iter().sum::<usize>();
        let workspace = self.item.workspace.wrapping_add(seat * space);
        for i in items {
            // SAFETY: by the contract.
            unsafe { Job { workspace, ..self.at(i) }.run(isa) };
        }
    }
}

/// Return the number of elements of workspace that [`matmul`] needs for these shapes and strides.
pub fn workspace<T: Float>(
    batch: Batch,
    shape: Shape,
    operands: [Operand; 2],
    threads: usize,
) -> usize {
    let out = std::ptr::null_mut::<T>();
    if batch.count == 1 && Job::new(shape, operands, out).is_small() {
        return 0;
    }
    let plan = Plan::new(batch, shape, operands, out, threads);
    match plan.space() {
        0 => 0,
        needed => needed + LINE / size_of::<T>(),
    }
}

/// Compute `out = a @ b` for each item of a batch, on at most `threads` threads. The results lie
/// end to end, each C-contiguous. Return [`Error::ARGUMENT`] when `space` is smaller than
/// [`workspace`] says.
///
/// # Safety
/// `a` (m, k) and `b` (k, n) of every item are readable, and `out` (count, m, n) is writable,
/// aligned and overlaps none of them.
pub unsafe fn matmul<T: Float>(
    isa: Isa,
    batch: Batch,
    shape: Shape,
    operands: [Operand; 2],
    out: *mut T,
    space: &mut [MaybeUninit<T>],
    threads: usize,
) -> Result<(), Error> {
    let first = Job::new(shape, operands, out);
    if batch.count == 1 && first.is_small() {
        // SAFETY: by the contract.
        unsafe { first.run_at_once(isa) };
        return Ok(());
    }
    let Shape { m, k, n } = shape;
    if batch.count == 0 || m == 0 || n == 0 || k == 0 {
        let len = batch.count.saturating_mul(m).saturating_mul(n);
        // SAFETY: `out` holds `len` elements.
        (0..len).for_each(|at| unsafe { out.add(at).write(T::default()) });
        return Ok(());
    }
    if space.len() < workspace::<T>(batch, shape, operands, threads) {
        return Err(Error::ARGUMENT);
    }
    let mut plan = Plan::new(batch, shape, operands, out, threads);
    let space = space.as_mut_ptr().cast::<T>();
    plan.item.workspace = space.wrapping_add(space.align_offset(LINE));
    let Plan { threads, whole, .. } = plan;
    let parts = if threads == 1 { 1 } else { whole.min(ROUNDS * threads) };
    let run = |part: usize, seat: usize| {
        let items = whole * part / parts..whole * (part + 1) / parts;
        // SAFETY: by the contract, and items share no elements of `out`, and seats share no
        //         workspace.
        unsafe { plan.run_whole(isa, items, seat) }
    };
    // SAFETY: nothing there panics.
    unsafe { pool::share(parts, threads, &run) };
    for i in whole..plan.batch.count {
        // SAFETY: by the contract.
        unsafe { plan.parts.run(isa, &plan.at(i)) };
    }
    Ok(())
}
