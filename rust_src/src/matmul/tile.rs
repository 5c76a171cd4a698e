//! The microkernel: an MR x NR tile of the result stays in registers while k runs. Nearly all of
//! the time is spent here.
//!
//! ```text
//!                        b   [ b0 ][ b1 ][ b2 ]      one row of b: NR in vectors
//!        a   | a0 |         [s00][s01][s02]
//!            | a1 |  ->     [s10][s11][s12]          MR x NR sums, all in registers;
//!            | .. |         [ .. ]                   s[r][c] = a[r] * b[c] + s[r][c], for each k
//! ```

use super::Operand;
use super::vector::{Vector, prefetch};

/// The distance, in rows of `b`, at which they are prefetched into L1 ahead of their use.
const AHEAD: usize = 12;

/// The place of a tile in memory. A row of `b` is contiguous.
pub(super) struct Tile<T> {
    pub a: Operand,
    pub b: *const u8,
    /// In bytes.
    pub b_row: isize,
    pub out: *mut T,
    /// In elements.
    pub out_row: usize,
    pub k: usize,
    /// True if `out` already holds the sums over an earlier part of k.
    pub resume: bool,
}

impl<T: Copy + Default> Tile<T> {
    /// Compute a tile of `rows` rows (at most `MR`, which is at most 8) and `vectors` vectors
    /// (at most `VECTORS`, NR, which is at most 3), of which the last has `lanes` lanes.
    ///
    /// # Safety
    /// The pointers are valid for that tile; `Vector` has its own conditions.
    #[inline(always)]
    pub unsafe fn compute<V: Vector<Scalar = T>, const MR: usize, const VECTORS: usize>(
        &self,
        rows: usize,
        vectors: usize,
        lanes: usize,
    ) {
        macro_rules! heights {
            ($($height:literal)*) => {
                match rows {
                    $($height if $height <= MR => unsafe {
                        match vectors {
                            3 if 3 <= VECTORS => self.rows::<V, $height, 3>(lanes),
                            2 => self.rows::<V, $height, 2>(lanes),
                            _ => self.rows::<V, $height, 1>(lanes),
                        }
                    },)*
                    _ => {}
                }
            };
        }
        if rows == MR && vectors == VECTORS && lanes == V::LANES {
            unsafe { self.sums::<V, MR, VECTORS>(None) }
        } else {
            heights!(1 2 3 4 5 6 7 8)
        }
    }

    #[inline(always)]
    unsafe fn rows<V: Vector<Scalar = T>, const MR: usize, const VECTORS: usize>(
        &self,
        lanes: usize,
    ) {
        unsafe { self.sums::<V, MR, VECTORS>(Some(V::mask(lanes))) }
    }

    /// Compute an edge tile or a whole one. `last` has the lanes to use of each row's last vector,
    /// if not all.
    #[allow(clippy::needless_range_loop)] // with constant bounds, all of this unrolls
    #[inline(always)]
    unsafe fn sums<V: Vector<Scalar = T>, const MR: usize, const VECTORS: usize>(
        &self,
        last: Option<V::Mask>,
    ) {
        let mask = |vector: usize| last.filter(|_| vector + 1 == VECTORS);
        unsafe {
            let zero = V::splat(T::default());
            let mut sums = [[zero; VECTORS]; MR];
            if self.resume {
                for row in 0..MR {
                    for vector in 0..VECTORS {
                        let from = self.out.add(row * self.out_row + vector * V::LANES);
                        sums[row][vector] = load(from, mask(vector));
                        prefetch(from.wrapping_add(VECTORS * V::LANES)); // for the next tile
                    }
                }
            }
            let rows = row_offsets(self.a.row_stride);
            let (mut a, mut b) = (self.a.start, self.b);
            let ahead = self.b_row.wrapping_mul(AHEAD as isize);
            for _ in 0..self.k {
                let mut values = [zero; VECTORS];
                for vector in 0..VECTORS {
                    let from = b.cast::<T>().wrapping_add(vector * V::LANES);
                    values[vector] = load(from, mask(vector));
                    prefetch(from.wrapping_byte_offset(ahead));
                }
                for row in 0..MR {
                    let factor = a.wrapping_offset(rows[row]).cast::<T>();
                    let factor = V::splat(factor.read_unaligned());
                    for vector in 0..VECTORS {
                        let sum = &mut sums[row][vector];
                        *sum = factor.multiply_add(values[vector], *sum);
                    }
                }
                a = a.wrapping_offset(self.a.column_stride);
                b = b.wrapping_offset(self.b_row);
            }
            for row in 0..MR {
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

/// Return the offset of each row of `a` from the first, as one register times 1, 2 or 4, which an
/// address can hold:
///
/// ```text
/// row       0     1      2        3      4        5      6        7
/// address   p     p+s    p+2*s    p+t    p+4*s    p+u    p+2*t    p+v
///                                        registers: the stride s, t = 3s, u = 5s, v = 7s
/// ```
///
/// By default the compiler adds the stride seven times in each step, which delays short tiles.
#[inline(always)]
fn row_offsets(stride: isize) -> [isize; 8] {
    let [one, three, five, seven] = [1, 3, 5, 7].map(|row| opaque(stride.wrapping_mul(row)));
    let twice = |offset: isize| offset.wrapping_mul(2);
    [0, one, twice(one), three, twice(twice(one)), five, twice(three), seven]
}

/// Return the same value, but hide from the compiler how it was computed.
#[inline(always)]
fn opaque(value: isize) -> isize {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    let value = {
        let mut value = value;
        // SAFETY: the instruction is only a comment.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) value,
                options(pure, nomem, nostack, preserves_flags));
        }
        value
    };
    value
}
