//! Matrix multiplication of any strides and alignment.
//!
//! Each element of the result is one chain of fused multiply-adds in the order of k, so neither the
//! instruction set, the blocking nor the number of threads changes a bit of it.

mod batch;
mod blocks;
mod tile;
mod vector;

use crate::Isa;
pub use batch::{Batch, matmul, workspace};
use blocks::Job;
use std::thread;
use vector::Portable;

/// `m` rows by `k`, times `k` by `n` columns.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub m: usize,
    pub k: usize,
    pub n: usize,
}

/// Where an operand's elements are. Strides are in bytes, of any sign; nothing need be aligned.
///
/// A pointer rather than a slice, because another thread may be writing to the elements: they are
/// then any numbers, but they steer nothing.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The element in row 0, column 0.
    pub start: *const u8,
    /// From one row to the next.
    pub row_stride: isize,
    /// From one column to the next.
    pub column_stride: isize,
}

impl Operand {
    #[inline(always)]
    fn at(self, row: usize, column: usize) -> Self {
        let offset = (row as isize).wrapping_mul(self.row_stride);
        let offset = offset.wrapping_add((column as isize).wrapping_mul(self.column_stride));
        Operand { start: self.start.wrapping_offset(offset), ..self }
    }

    #[inline(always)]
    fn transposed(self) -> Self {
        let Operand { start, row_stride, column_stride } = self;
        Operand { start, row_stride: column_stride, column_stride: row_stride }
    }
}

/// f32 or f64.
pub trait Float: Copy + Default + Send + sealed::Kernel {}
impl Float for f32 {}
impl Float for f64 {}

mod sealed {
    use super::*;

    pub trait Kernel: Sized {
        /// # Safety
        /// As for [`Job::run`].
        #[allow(private_interfaces)]
        unsafe fn run(isa: Isa, job: &Job<Self>);
    }
}

macro_rules! kernel {
    ($scalar:ty, $avx512:ident, $avx2:ident) => {
        #[allow(private_interfaces)]
        impl sealed::Kernel for $scalar {
            unsafe fn run(isa: Isa, job: &Job<Self>) {
                #[cfg(target_arch = "x86_64")]
                {
                    use crate::isa::Level;
                    use std::arch::x86_64::*;

                    #[target_feature(enable = "avx512f")]
                    unsafe fn avx512(job: &Job<$scalar>) {
                        unsafe { job.run::<$avx512, 8, 3>() }
                    }
                    #[target_feature(enable = "avx2,fma")]
                    unsafe fn avx2(job: &Job<$scalar>) {
                        unsafe { job.run::<$avx2, 6, 2>() }
                    }
                    // SAFETY: passed on, and the level includes the features.
                    match isa.level() {
                        Level::Avx512 => return unsafe { avx512(job) },
                        Level::Avx2 => return unsafe { avx2(job) },
                        Level::Portable => {}
                    }
                }
                let _ = isa;
                // SAFETY: passed on.
                unsafe { job.run::<Portable<$scalar>, 4, 2>() }
            }
        }
    };
}

kernel!(f32, __m512, __m256);
kernel!(f64, __m512d, __m256d);

/// Multiplications that are worth a thread of their own (starting one takes 20 microseconds).
const THREAD_WORTH: usize = 8 << 20;

/// Parts that a result is cut into begin at multiples of this many rows or columns.
const PART: usize = 48;

impl<T: Float> Job<T> {
    /// Cuts the longer side of the result into at most `threads` parts.
    fn split(self, threads: usize) -> impl Iterator<Item = Job<T>> {
        let Shape { m, k, n } = self.shape;
        let worth = m.saturating_mul(k).saturating_mul(n) / THREAD_WORTH;
        let count = threads.min(worth).max(1);
        let len = m.max(n).div_ceil(count).max(1).next_multiple_of(PART);
        blocks::blocks(m.max(n), len).map(move |(start, len)| {
            let (shape, a, b, out) = match n >= m {
                true => (Shape { n: len, ..self.shape }, self.a, self.b.at(0, start), start),
                false => (Shape { m: len, ..self.shape }, self.a.at(start, 0), self.b, start * n),
            };
            Job { shape, a, b, out: self.out.wrapping_add(out), ..self }
        })
    }
    /// Elements of workspace for all of them.
    fn space(self, threads: usize) -> usize {
        self.split(threads).map(|part| part.needs().iter().sum::<usize>()).sum()
    }

    /// Computes them, each on a thread of its own.
    ///
    /// # Safety
    /// As for [`Job::run`].
    unsafe fn share(self, isa: Isa, threads: usize) {
        if self.split(threads).nth(1).is_none() {
            // SAFETY: by the contract.
            return unsafe { T::run(isa, &self) };
        }
        let mut parts = self.split(threads).peekable();
        thread::scope(|scope| {
            let mut used = 0;
            while let Some(mut part) = parts.next() {
                part.workspace = self.workspace.wrapping_add(used);
                used += part.needs().iter().sum::<usize>();
                // SAFETY: by the contract, and parts share neither elements of `out` nor workspace.
                let run = move || unsafe { T::run(isa, &part) };
                let last = parts.peek().is_none();
                if last || thread::Builder::new().spawn_scoped(scope, run).is_err() {
                    run();
                }
            }
        });
    }
}
