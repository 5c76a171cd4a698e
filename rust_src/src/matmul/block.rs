//! A block of a product, all of whose operands the caches hold, tile by tile.

use super::blocks::pieces;
use super::tile::Tile;
use super::vector::Vector;
use super::{Operand, Shape, Work};

/// What to compute: `out` has rows of `out_row` elements.
#[derive(Clone, Copy)]
pub(super) struct Block<T> {
    pub shape: Shape,
    pub a: Operand,
    /// Of contiguous rows; or, with a column stride of 0, packed by [`Panels`](super::pack::Panels).
    pub b: Operand,
    pub out: *mut T,
    pub out_row: usize,
    /// Whether `out` already holds the sums over an earlier part of k.
    pub resume: bool,
}

/// Its condition: the matrices are there, `out` is writable and overlaps nothing.
impl<T: Copy + Default> Work<T> for &Block<T> {
    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>, const ROWS: usize, const VECTORS: usize>(self) {
        let Shape { m, k, n } = self.shape;
        let size = size_of::<T>() as isize;
        let packed = self.b.column_stride == 0;
        let column_stride = if packed { k as isize * size } else { size };
        for (i, rows) in pieces(m, ROWS, 1) {
            for (j, vectors, lanes) in panels::<V>(n, VECTORS) {
                let pitch = (vectors * V::LANES) as isize * size;
                let row_stride = if packed { pitch } else { self.b.row_stride };
                let tile = Tile {
                    a: self.a.at(i, 0),
                    b: self.b.start.wrapping_offset(j as isize * column_stride),
                    b_row: row_stride,
                    out: self.out.wrapping_add(i * self.out_row + j),
                    out_row: self.out_row,
                    k,
                    resume: self.resume,
                };
                unsafe { tile.compute::<V, ROWS, VECTORS>(rows, vectors, lanes) };
            }
        }
    }
}

/// Columns in panels of at most `most` vectors: where each starts, its vectors, and the lanes of the
/// last one.
#[inline(always)]
pub(super) fn panels<V: Vector>(
    columns: usize,
    most: usize,
) -> impl Iterator<Item = (usize, usize, usize)> {
    pieces(columns.div_ceil(V::LANES), most, 1).map(move |(start, vectors)| {
        let last = (start + vectors - 1) * V::LANES;
        (start * V::LANES, vectors, V::LANES.min(columns - last))
    })
}
