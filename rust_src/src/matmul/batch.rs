//! Many products of one shape. Threads take whole items, unless these are large, or few; rows that
//! all meet the same `b` are one product.

use super::blocks::Job;
use super::parts::{Parts, THREAD_WORTH, useful};
use super::{Float, Operand, Shape, pool};
use crate::{Error, Isa};
use std::mem::MaybeUninit;
use std::ops::Range;

/// Multiplications that are better shared by all threads than done by one.
const LARGE: usize = 1 << 27;

/// So many parts for each thread end together.
const ROUNDS: usize = 16;

/// Bytes of a cache line, with which the workspace begins.
const LINE: usize = 64;

/// How many products there are, and how many bytes the operands `a` and `b` of one lie from those
/// of the next: 0 where all share it.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    pub count: usize,
    pub strides: [isize; 2],
}

/// How the threads share a batch.
#[derive(Clone, Copy)]
struct Plan<T> {
    /// The first product.
    item: Job<T>,
    batch: Batch,
    /// That take whole items.
    threads: usize,
    /// Of each item.
    parts: Parts,
    /// Elements of workspace for each thread that takes whole items.
    space: usize,
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
        let work = shape.m.saturating_mul(shape.k).saturating_mul(shape.n);
        let threads = useful(threads, work.saturating_mul(batch.count));
        let few = batch.count < threads && work > THREAD_WORTH;
        let (threads, inside) = match batch.count == 1 || work > LARGE || few {
            true => (1, threads),
            false => (threads, 1),
        };
        let parts = Parts::of(&item, inside);
        Plan { item, batch, threads, parts, space: parts.threads * parts.space(&item) }
    }

    /// # Safety
    /// As for [`matmul`].
    unsafe fn run(self, isa: Isa, items: Range<usize>, seat: usize) {
        let Job { shape, a, b, out, workspace, .. } = self.item;
        let workspace = workspace.wrapping_add(seat * self.space);
        let [a_next, b_next] = self.batch.strides;
        let far = |operand: Operand, stride: isize, item: usize| Operand {
            start: operand.start.wrapping_offset((item as isize).wrapping_mul(stride)),
            ..operand
        };
        for i in items {
            let out = out.wrapping_add(i * shape.m * shape.n);
            let (a, b) = (far(a, a_next, i), far(b, b_next, i));
            // SAFETY: by the contract.
            unsafe { self.parts.run(isa, &Job { a, b, out, workspace, ..self.item }) };
        }
    }
}

/// Elements of workspace that [`matmul`] wants for these shapes and strides.
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
    match plan.threads * plan.space {
        0 => 0,
        needed => needed + LINE / size_of::<T>(),
    }
}

/// `out = a @ b` for each item of a batch, on at most `threads` threads; the results lie end to end,
/// each C-contiguous. [`Error::ARGUMENT`] when `space` is smaller than [`workspace`] says.
///
/// # Safety
/// `a` (m, k) and `b` (k, n) of every item are readable, and `out` (count, m, n) is writable, aligned
/// and overlaps none of them.
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
        // SAFETY: that is what `out` holds.
        (0..len).for_each(|at| unsafe { out.add(at).write(T::default()) });
        return Ok(());
    }
    if space.len() < workspace::<T>(batch, shape, operands, threads) {
        return Err(Error::ARGUMENT);
    }
    let mut plan = Plan::new(batch, shape, operands, out, threads);
    let space = space.as_mut_ptr().cast::<T>();
    plan.item.workspace = space.wrapping_add(space.align_offset(LINE));
    let Plan { threads, batch: Batch { count, .. }, .. } = plan;
    if threads == 1 {
        // SAFETY: by the contract.
        unsafe { plan.run(isa, 0..count, 0) };
        return Ok(());
    }
    let parts = count.min(ROUNDS * threads);
    let run = |part: usize, seat: usize| {
        let items = count * part / parts..count * (part + 1) / parts;
        // SAFETY: by the contract, and items share no elements of `out`, seats no workspace.
        unsafe { plan.run(isa, items, seat) }
    };
    // SAFETY: nothing there panics.
    unsafe { pool::share(parts, threads, &run) };
    Ok(())
}
