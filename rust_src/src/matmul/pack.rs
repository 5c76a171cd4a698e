//! Copies of blocks of the operands, in an order in which the tiles read them well.

use super::block::panels;
use super::blocks::pieces;
use super::vector::Vector;
use super::{Operand, Work};

/// A copy of `b` in panels as wide as a tile, row by row, each of whole vectors. Its condition: `b` is
/// readable, `to` has room for whole vectors and overlaps nothing.
pub(super) struct Panels<T> {
    pub b: Operand,
    pub rows: usize,
    pub columns: usize,
    pub to: *mut T,
}

impl<T: Copy> Work<T> for Panels<T> {
    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>, const ROWS: usize, const VECTORS: usize>(self) {
        let Panels { b, rows, columns, to } = self;
        for (j, vectors, lanes) in panels::<V>(columns, VECTORS) {
            let (panel, from) = (to.wrapping_add(j * rows), b.at(0, j));
            let last = (vectors - 1) * V::LANES;
            let pitch = last + V::LANES;
            if b.column_stride != size_of::<T>() as isize {
                unsafe { transpose(from.transposed(), [last + lanes, rows], panel, pitch) };
                continue;
            }
            for row in 0..rows {
                let from = from.at(row, 0).start.cast::<T>();
                let to = panel.wrapping_add(row * pitch);
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

/// Copies a into contiguous rows, `pitch` elements apart.
///
/// # Safety
/// a is readable, `to` has room and overlaps nothing.
pub(super) unsafe fn pack_a<T: Copy>(
    a: Operand,
    [rows, columns]: [usize; 2],
    to: *mut T,
    pitch: usize,
) {
    unsafe { transpose(a.transposed(), [columns, rows], to, pitch) }
}

/// A cache line of each row at a time, for there may be more rows than ways in the cache.
#[inline(always)]
unsafe fn transpose<T: Copy>(from: Operand, [rows, columns]: [usize; 2], to: *mut T, pitch: usize) {
    for (left, count) in pieces(columns, 64 / size_of::<T>(), 1) {
        for row in 0..rows {
            for column in left..left + count {
                let value = from.at(row, column).start.cast::<T>();
                unsafe { to.add(column * pitch + row).write(value.read_unaligned()) };
            }
        }
    }
}
