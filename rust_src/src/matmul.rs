//! GEMM, out = a @ b, for operands of any strides and alignment.
//!
//! The algorithm is that of Goto and BLIS, in these files:
//!
//! - `blocks.rs` cuts one thread's share into blocks that fit the caches: MC rows of a, KC steps of
//!   k, NC columns of b.
//! - `pack.rs` copies a block of b into B panels, and a block of a into contiguous rows.
//! - `block.rs` is the macrokernel, which covers a block with tiles.
//! - `tile.rs` is the microkernel, which keeps an MR x NR tile of the result in registers.
//! - `parts.rs` divides a product among threads, `batch.rs` a batch of products.
//!
//! Each element of the result is one chain of fused multiply-adds in the order of k. So its bits
//! depend neither on the instruction set, nor on the blocking, nor on the number of threads.

mod arrays;
mod batch;
mod block;
mod blocks;
mod cache;
mod pack;
mod parts;
mod pool;
mod tile;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::Isa;
pub use arrays::{Array, multiply, product};
pub use batch::{Batch, matmul, workspace};
use vector::{Portable, Vector};

/// The sizes of a product: `m` rows by `k`, times `k` by `n` columns.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub m: usize,
    pub k: usize,
    pub n: usize,
}

/// The place of an operand's elements. Strides are in bytes, of any sign; nothing need be aligned.
///
/// It has a pointer, not a slice, because another thread may be writing to the elements. They are
/// then any numbers, but no address depends on them.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The element in row 0, column 0.
    pub start: *const u8,
    /// The distance from one row to the next.
    pub row_stride: isize,
    /// The distance from one column to the next.
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
pub trait Float: Copy + Default + Sync + sealed::Kernel {}
impl Float for f32 {}
impl Float for f64 {}

mod sealed {
    use super::*;

    pub trait Kernel: Sized {
        /// # Safety
        /// As for `Work::run`; the CPU has the instruction set.
        #[allow(private_interfaces, private_bounds)]
        unsafe fn run(isa: Isa, work: impl Work<Self>);
    }
}

/// Code that is compiled once for each instruction set.
trait Work<T> {
    /// Do the work with vectors of type `V`, in tiles of at most `MR` rows and `VECTORS`
    /// vectors (NR).
    ///
    /// # Safety
    /// The conditions of the work itself and of `Vector` hold.
    unsafe fn run<V: Vector<Scalar = T>, const MR: usize, const VECTORS: usize>(self);
}

macro_rules! kernel {
    ($scalar:ty, $avx512:ident, $avx2:ident) => {
        #[allow(private_interfaces, private_bounds)]
        impl sealed::Kernel for $scalar {
            #[inline(always)]
            unsafe fn run(isa: Isa, work: impl Work<Self>) {
                #[cfg(target_arch = "x86_64")]
                {
                    use crate::isa::Level;
                    use std::arch::x86_64::*;

                    #[target_feature(enable = "avx512f")]
                    unsafe fn avx512(work: impl Work<$scalar>) {
                        unsafe { work.run::<$avx512, 8, 3>() }
                    }
                    #[target_feature(enable = "avx2,fma")]
                    unsafe fn avx2(work: impl Work<$scalar>) {
                        unsafe { work.run::<$avx2, 6, 2>() }
                    }
                    // SAFETY: the caller's contract, and the level includes the features.
                    match isa.level() {
                        Level::Avx512 => return unsafe { avx512(work) },
                        Level::Avx2 => return unsafe { avx2(work) },
                        Level::Portable => {}
                    }
                }
                let _ = isa;
                // SAFETY: the caller's contract.
                unsafe { work.run::<Portable<$scalar>, 4, 2>() }
            }
        }
    };
}

kernel!(f32, __m512, __m256);
kernel!(f64, __m512d, __m256d);
