//! Packing: blocks of the operands are copied into the order in which the microkernel reads them.
//!
//! ```text
//! b, KC x NC           packed
//! 0 1 | 2 3            0 1 4 5 8 9 | 2 3 6 7 ..    panel after panel, each as wide as a tile
//! 4 5 | 6 7    ->
//! 8 9 | ..
//! ```

use super::block::panels;
use super::blocks::{LINE, pieces};
use super::vector::Vector;
use super::{Operand, Work};

/// Rows of a contiguous `b` that are packed side by side, each read along its length.
const SLAB: usize = 16;

/// Packing of `b` into B panels as wide as a tile, row by row, each row in whole vectors. Its
/// condition: `b` is readable, `to` has room for whole vectors and overlaps nothing.
pub(super) struct Panels<T> {
    pub b: Operand,
    pub rows: usize,
    pub columns: usize,
    pub to: *mut T,
}

impl<T: Copy> Work<T> for Panels<T> {
    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>, const MR: usize, const VECTORS: usize>(self) {
        let Panels { b, rows, columns, to } = self;
        let contiguous = b.column_stride == size_of::<T>() as isize;
        for (top, height) in pieces(rows, if contiguous { SLAB } else { rows }, 1) {
            for (j, vectors, lanes) in panels::<V>(columns, VECTORS) {
                let last = (vectors - 1) * V::LANES;
                let pitch = last + V::LANES;
                let (from, to) = (b.at(top, j), to.wrapping_add(j * rows + top * pitch));
                if !contiguous {
                    unsafe { transpose(from.transposed(), [last + lanes, height], to, pitch) };
                    continue;
                }
                for row in 0..height {
                    let from = from.at(row, 0).start.cast::<T>();
                    let to = to.wrapping_add(row * pitch);
                    unsafe {
                        for lane in (0..last).step_by(V::LANES) {
                            V::load(from.add(lane)).store(to.add(lane));
                        }
                        V::load_part(from.add(last), V::mask(lanes)).store(to.add(last));
                    }
                }
            }
        }
    }
}

/// Pack a into contiguous rows that are `pitch` elements apart.
///
/// # Safety
/// `a` is readable, `to` has room and overlaps nothing.
pub(super) unsafe fn pack_a<T: Copy>(
    a: Operand,
    [rows, columns]: [usize; 2],
    to: *mut T,
    pitch: usize,
) {
    unsafe { transpose(a.transposed(), [columns, rows], to, pitch) }
}

/// Copy one cache line of each row at a time, because there may be more rows than ways in the
/// cache.
#[inline(always)]
unsafe fn transpose<T: Copy>(from: Operand, [rows, columns]: [usize; 2], to: *mut T, pitch: usize) {
    for (left, count) in pieces(columns, LINE / size_of::<T>(), 1) {
        for row in 0..rows {
            for column in left..left + count {
                let value = from.at(row, column).start.cast::<T>();
                unsafe { to.add(column * pitch + row).write(value.read_unaligned()) };
            }
        }
    }
}
