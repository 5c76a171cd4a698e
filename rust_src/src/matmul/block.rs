//! The macrokernel: a block of a product, whose operands the caches hold, computed tile by tile.

use super::blocks::pieces;
use super::tile::Tile;
use super::vector::Vector;
use super::{Operand, Shape, Work};

/// The block to compute. The rows of `out` are `out_row` elements apart.
#[derive(Clone, Copy)]
pub(super) struct Block<T> {
    pub shape: Shape,
    pub a: Operand,
    /// A block with contiguous rows, or B panels as [`Panels`](super::pack::Panels) packs them:
    /// their column stride is 0.
    pub b: Operand,
    pub out: *mut T,
    pub out_row: usize,
    /// True if `out` already holds the sums over an earlier part of k.
    pub resume: bool,
}

/// The condition of this work: the matrices are readable, `out` is writable and overlaps nothing.
impl<T: Copy + Default> Work<T> for &Block<T> {
    #[inline(always)]
    unsafe fn run<V: Vector<Scalar = T>, const MR: usize, const VECTORS: usize>(self) {
        let Shape { m, k, n } = self.shape;
        let size = size_of::<T>() as isize;
        let packed = self.b.column_stride == 0;
        let column_stride = if packed { k as isize * size } else { size };
        for (i, rows) in pieces(m, MR, 1) {
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
                unsafe { tile.compute::<V, MR, VECTORS>(rows, vectors, lanes) };
            }
        }
    }
}

/// Return the panels of at most `most` vectors: the first column of each, its number of vectors,
/// and the lanes of its last vector.
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
