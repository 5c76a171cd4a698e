//! One thread's share of a product, cut into blocks that fit the caches. Where rows of the result
//! meet long columns, blocks of the operands are first copied ("packed") into the order in which the
//! tiles read them.

use super::tile::Tile;
use super::vector::Vector;
use super::{Operand, Shape};

/// Length of a block along k, and bytes of a block along m and n.
const BLOCK_K: usize = 512;
const BLOCK_M: usize = 512;
const BLOCK_N: usize = 8256;

/// Bytes of an operand that stay in the caches as they are.
const SMALL: usize = 1 << 20;

/// What to compute: `out` has rows of `out_row` elements.
#[derive(Clone, Copy)]
pub(super) struct Job<T> {
    pub shape: Shape,
    pub a: Operand,
    pub b: Operand,
    pub out: *mut T,
    pub out_row: usize,
    /// Room for packed blocks.
    pub workspace: *mut T,
}

// SAFETY: a job only says where things are; who runs it answers for what it does to them.
unsafe impl<T> Send for Job<T> {}

impl<T: Copy + Default> Job<T> {
    const SIZE: usize = size_of::<T>();

    /// Reading a scattered operand in place touches a cache line and a page for each element.
    fn packs_a(&self) -> bool {
        let Shape { m, k, n } = self.shape;
        let scattered = self.a.column_stride != Self::SIZE as isize && k > 1;
        scattered && n >= 64 && m.saturating_mul(k) > SMALL / Self::SIZE
    }

    /// A tile wants the rows of `b` contiguous; and as every strip of `a` meets all of `b`, it pays to
    /// have them close together too.
    fn packs_b(&self) -> bool {
        let Shape { m, k, n } = self.shape;
        let scattered = self.b.column_stride != Self::SIZE as isize && n > 1;
        scattered || (m >= 64 && k.saturating_mul(n) > SMALL / Self::SIZE)
    }

    /// How many elements of workspace this takes, for packed blocks of `a` and of `b`.
    pub fn needs(&self) -> [usize; 2] {
        let Shape { m, k, n } = self.shape;
        let block = |packs: bool, len: usize, max: usize| match packs {
            true => k.min(BLOCK_K) * len.min(max / Self::SIZE),
            false => 0,
        };
        [block(self.packs_a(), m, BLOCK_M), block(self.packs_b(), n, BLOCK_N)]
    }

    /// # Safety
    /// The operands are readable, `out` and as much `workspace` as it needs writable and overlapping
    /// nothing; `Vector` has its own conditions.
    #[inline(always)]
    pub unsafe fn run<V: Vector<Scalar = T>, const ROWS: usize, const VECTORS: usize>(&self) {
        let Shape { m, k, n } = self.shape;
        let (packs_a, packs_b) = (self.packs_a(), self.packs_b());
        let packed_a = self.workspace;
        let packed_b = packed_a.wrapping_add(self.needs()[0]);
        for (p, depth) in blocks(k, BLOCK_K) {
            for (j, columns) in blocks(n, BLOCK_N / Self::SIZE) {
                let b = self.b.at(p, j);
                if packs_b {
                    for (j, width) in panels(columns, V::LANES, VECTORS) {
                        unsafe {
                            b.at(0, j).transposed().pack(width, depth, packed_b.add(j * depth))
                        };
                    }
                }
                for (i, rows) in blocks(m, BLOCK_M / Self::SIZE) {
                    let a = self.a.at(i, p);
                    if packs_a {
                        for (i, height) in strips(rows, ROWS) {
                            unsafe { a.at(i, 0).pack(height, depth, packed_a.add(i * depth)) };
                        }
                    }
                    let out = self.out.wrapping_add(i * self.out_row + j);
                    for (j, width) in panels(columns, V::LANES, VECTORS) {
                        let b = match packs_b {
                            true => Operand::packed(packed_b.wrapping_add(j * depth), width)
                                .transposed(),
                            false => b.at(0, j),
                        };
                        for (i, height) in strips(rows, ROWS) {
                            let a = match packs_a {
                                true => Operand::packed(packed_a.wrapping_add(i * depth), height),
                                false => a.at(i, 0),
                            };
                            let out = out.wrapping_add(i * self.out_row + j);
                            let tile =
                                Tile { a, b, out, out_row: self.out_row, k: depth, resume: p > 0 };
                            unsafe { tile.compute::<V, ROWS, VECTORS>(height, width) };
                        }
                    }
                }
            }
        }
    }
}

impl Operand {
    /// Elements that `pack` laid out, `width` for each step along k.
    fn packed<T>(start: *const T, width: usize) -> Self {
        let size = size_of::<T>() as isize;
        let start = start.cast();
        Operand { start, row_stride: size, column_stride: size * width as isize }
    }

    /// Copies the first `rows` rows and `columns` columns, column by column.
    ///
    /// # Safety
    /// They are readable, `to` has room and overlaps nothing.
    #[inline(always)]
    unsafe fn pack<T: Copy>(self, rows: usize, columns: usize, to: *mut T) {
        let copy = |row: usize, column: usize| unsafe {
            let from = self.at(row, column).start.cast::<T>();
            to.add(column * rows + row).write(from.read_unaligned());
        };
        if self.row_stride == size_of::<T>() as isize {
            for column in 0..columns {
                (0..rows).for_each(|row| copy(row, column));
            }
            return;
        }
        // A cache line of each row at a time, for there may be more rows than ways in the cache.
        for (column, count) in blocks(columns, 64 / size_of::<T>()) {
            for row in 0..rows {
                (column..column + count).for_each(|column| copy(row, column));
            }
        }
    }
}

/// Starts and lengths of the pieces of `len`, all of length `max` but the last.
#[inline(always)]
pub(super) fn blocks(len: usize, max: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).step_by(max).map(move |start| (start, max.min(len - start)))
}

/// The same for columns: whole vectors, spread evenly over as few panels of `max` as will do.
#[inline(always)]
fn panels(columns: usize, lanes: usize, max: usize) -> impl Iterator<Item = (usize, usize)> {
    let vectors = columns.div_ceil(lanes);
    let count = vectors.div_ceil(max);
    let start = move |panel: usize| columns.min(vectors * panel / count * lanes);
    (0..count).map(move |panel| (start(panel), start(panel + 1) - start(panel)))
}

/// The same for rows: strips of `max`, then of 4, 2 and 1, the heights a tile can have.
#[inline(always)]
fn strips(rows: usize, max: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = next;
        let height = [max, 4, 2, 1].into_iter().find(|&height| height <= rows - start)?;
        next += height;
        Some((start, height))
    })
}
