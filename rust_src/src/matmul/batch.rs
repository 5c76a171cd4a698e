//! Many products of one shape. Threads take whole items, unless more of them find work inside each
//! item; rows that all meet the same `b` are one product.

use super::blocks::Job;
use super::{Float, Operand, Shape, THREAD_WORTH};
use crate::{Error, Isa};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::thread;

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
    /// That the batch is cut into.
    parts: usize,
    /// In each item.
    threads: usize,
    /// Elements of workspace for each part.
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
        let item = Job { shape, a, b, out, out_row: shape.n, workspace: std::ptr::null_mut() };
        let work = shape.m.saturating_mul(shape.k).saturating_mul(shape.n);
        let worth = work.saturating_mul(batch.count) / THREAD_WORTH;
        let parts = threads.min(batch.count).min(worth).max(1);
        let (parts, threads) = match parts >= item.split(threads).count() {
            true => (parts, 1),
            false => (1, threads),
        };
        Plan { item, batch, parts, threads, space: item.space(threads) }
    }

    /// `used`: elements of workspace that belong to others.
    ///
    /// # Safety
    /// As for [`matmul`].
    unsafe fn run(self, isa: Isa, items: Range<usize>, used: usize) {
        let Job { shape, a, b, out, .. } = self.item;
        let workspace = self.item.workspace.wrapping_add(used);
        let [a_next, b_next] = self.batch.strides;
        let far = |operand: Operand, stride: isize, item: usize| Operand {
            start: operand.start.wrapping_offset((item as isize).wrapping_mul(stride)),
            ..operand
        };
        for i in items {
            let out = out.wrapping_add(i * shape.m * shape.n);
            let (a, b) = (far(a, a_next, i), far(b, b_next, i));
            // SAFETY: by the contract.
            unsafe { Job { a, b, out, workspace, ..self.item }.share(isa, self.threads) };
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
    let plan = Plan::<T>::new(batch, shape, operands, std::ptr::null_mut(), threads);
    plan.parts * plan.space
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
    let Shape { m, k, n } = shape;
    if batch.count == 0 || m == 0 || n == 0 || k == 0 {
        let len = batch.count.saturating_mul(m).saturating_mul(n);
        // SAFETY: that is what `out` holds.
        (0..len).for_each(|at| unsafe { out.add(at).write(T::default()) });
        return Ok(());
    }
    let mut plan = Plan::new(batch, shape, operands, out, threads);
    if space.len() < plan.parts * plan.space {
        return Err(Error::ARGUMENT);
    }
    let Plan { parts, space: size, batch: Batch { count, .. }, .. } = plan;
    plan.item.workspace = space.as_mut_ptr().cast();
    let run = move |part: usize| {
        let items = count * part / parts..count * (part + 1) / parts;
        // SAFETY: by the contract, and parts share neither elements of `out` nor workspace.
        unsafe { plan.run(isa, items, part * size) }
    };
    if parts == 1 {
        run(0);
        return Ok(());
    }
    thread::scope(|scope| {
        for part in 1..parts {
            if thread::Builder::new().spawn_scoped(scope, move || run(part)).is_err() {
                run(part);
            }
        }
        run(0);
    });
    Ok(())
}
