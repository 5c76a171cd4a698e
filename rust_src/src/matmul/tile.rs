//! The tile of the result that stays in registers while k runs: where all the time goes.

use super::Operand;
use super::vector::Vector;

/// A tile's place in memory. A row of `b` is contiguous.
pub(super) struct Tile<T> {
    pub a: Operand,
    pub b: Operand,
    pub out: *mut T,
    /// In elements.
    pub out_row: usize,
    pub k: usize,
    /// Whether `out` already holds the sums over an earlier part of k.
    pub resume: bool,
}

impl<T: Copy + Default> Tile<T> {
    /// Computes `rows` rows (`ROWS`, 4, 2 or 1) and `columns` columns, at most `VECTORS` vectors.
    ///
    /// # Safety
    /// The pointers are good for that tile; `Vector` has its own conditions.
    #[inline(always)]
    pub unsafe fn compute<V: Vector<Scalar = T>, const ROWS: usize, const VECTORS: usize>(
        &self,
        rows: usize,
        columns: usize,
    ) {
        unsafe {
            match rows {
                1 => self.some_vectors::<V, 1, VECTORS>(columns),
                2 => self.some_vectors::<V, 2, VECTORS>(columns),
                _ if rows < ROWS => self.some_vectors::<V, 4, VECTORS>(columns),
                _ if columns == VECTORS * V::LANES => self.rows::<V, ROWS, VECTORS>(None),
                _ => self.some_vectors::<V, ROWS, VECTORS>(columns),
            }
        }
    }

    #[inline(always)]
    unsafe fn some_vectors<V: Vector<Scalar = T>, const ROWS: usize, const VECTORS: usize>(
        &self,
        columns: usize,
    ) {
        unsafe {
            let last = |vectors: usize| Some(V::mask(columns - (vectors - 1) * V::LANES));
            match columns.div_ceil(V::LANES) {
                1 => self.rows::<V, ROWS, 1>(last(1)),
                2 => self.rows::<V, ROWS, 2>(last(2)),
                _ => self.rows::<V, ROWS, VECTORS>(last(VECTORS)),
            }
        }
    }

    /// `last`: the lanes to use of each row's last vector, if not all.
    #[allow(clippy::needless_range_loop)] // with constant bounds, all of this unrolls
    #[inline(always)]
    unsafe fn rows<V: Vector<Scalar = T>, const ROWS: usize, const VECTORS: usize>(
        &self,
        last: Option<V::Mask>,
    ) {
        let mask = |vector: usize| last.filter(|_| vector + 1 == VECTORS);
        unsafe {
            let zero = V::splat(T::default());
            let mut sums = [[zero; VECTORS]; ROWS];
            if self.resume {
                for row in 0..ROWS {
                    for vector in 0..VECTORS {
                        let from = self.out.add(row * self.out_row + vector * V::LANES);
                        sums[row][vector] = load(from, mask(vector));
                    }
                }
            }
            let (mut a, mut b) = (self.a.start, self.b.start);
            for _ in 0..self.k {
                let mut values = [zero; VECTORS];
                for vector in 0..VECTORS {
                    values[vector] = load(b.cast::<T>().add(vector * V::LANES), mask(vector));
                }
                for row in 0..ROWS {
                    let factor = a.wrapping_offset(row as isize * self.a.row_stride).cast::<T>();
                    let factor = V::splat(factor.read_unaligned());
                    for vector in 0..VECTORS {
                        let sum = &mut sums[row][vector];
                        *sum = factor.multiply_add(values[vector], *sum);
                    }
                }
                a = a.wrapping_offset(self.a.column_stride);
                b = b.wrapping_offset(self.b.row_stride);
            }
            for row in 0..ROWS {
                for vector in 0..VECTORS {
                    let to = self.out.add(row * self.out_row + vector * V::LANES);
                    match mask(vector) {
                        Some(mask) => sums[row][vector].store_part(to, mask),
                        None => sums[row][vector].store(to),
                    }
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn load<V: Vector>(from: *const V::Scalar, mask: Option<V::Mask>) -> V {
    unsafe {
        match mask {
            Some(mask) => V::load_part(from, mask),
            None => V::load(from),
        }
    }
}
