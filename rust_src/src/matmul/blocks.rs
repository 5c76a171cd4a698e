//! One thread's share of a product, cut into blocks that fit the caches. A block of `b`, KC x NC,
//! stays in L2 while all rows of `a` are multiplied by it. If that pays, a block of `b` is packed
//! into B panels, and a block of `a` into contiguous rows.

use super::block::Block;
use super::pack::{Panels, pack_a};
use super::{Float, Operand, Shape, cache};
use crate::Isa;

/// The rows of a block of `b`; and MC, as the bytes of a column of a packed block of `a`.
pub(super) const KC: usize = 512;
const MC_BYTES: usize = 768;

/// Bytes of a row of `b`, and rows of `a`, that are a whole number of tiles for any vector:
/// multiples of NR and of MR.
pub(super) const PANEL: usize = 192;
const STRIPS: usize = 24;

/// Rows of `a` up to which packing does not pay, for a `b` whose rows lie a page apart, for one whose
/// rows crowd into few sets of the cache, and for one whose vectors straddle cache lines.
const FEW: usize = 16;
const SOME: usize = 64;
const MANY: usize = 112;

/// Bytes of an `a` of scattered columns up to which packing it does not pay.
const IN_L2: usize = 1 << 19;

/// Bytes of a page, and of a cache line.
const PAGE: usize = 4096;
pub(super) const LINE: usize = 64;

/// Multiplications up to which a product is one block.
const SMALL: usize = 1 << 18;

/// The product to compute. The rows of `out` are `out_row` elements apart.
#[derive(Clone, Copy)]
pub(super) struct Job<T> {
    pub shape: Shape,
    pub a: Operand,
    pub b: Operand,
    pub out: *mut T,
    pub out_row: usize,
    /// True if the operand is packed. The parts of a product pack as the whole product would.
    pub packs_a: bool,
    pub packs_b: bool,
    /// Memory for packed blocks, which begins with a cache line.
    pub workspace: *mut T,
}

// SAFETY: a job only describes memory; the thread that runs it must uphold the contract.
unsafe impl<T> Sync for Job<T> {}

impl<T: Float> Job<T> {
    const SIZE: usize = size_of::<T>();
    const LINE: usize = LINE / Self::SIZE;

    /// Decide what to pack. Reading a scattered operand in place touches a cache line and a page
    /// for each element. Every strip of `a` is multiplied by all of `b`, so it pays to have rows in
    /// few pages, vectors in one line, and lines in many sets.
    #[inline(always)]
    pub fn new(shape: Shape, [a, mut b]: [Operand; 2], out: *mut T) -> Self {
        let Shape { m, k, n } = shape;
        if n == 1 {
            b.column_stride = Self::SIZE as isize; // any stride but 0, which marks a packed b
        }
        let scattered = |x: Operand| x.column_stride != Self::SIZE as isize;
        let packs_a = scattered(a) && k > 1 && n >= 64 && m.saturating_mul(k) > IN_L2 / Self::SIZE;
        let paged = b.row_stride.unsigned_abs() >= PAGE;
        let split = !(b.start as usize | b.row_stride as usize).is_multiple_of(LINE);
        let crowded = b.row_stride.unsigned_abs().is_multiple_of(PAGE / 2);
        let packs_b = (scattered(b) && n > 1)
            || (paged && m > FEW)
            || (crowded && m > SOME)
            || (split && m > MANY);
        let workspace = std::ptr::null_mut();
        Job { shape, a, b, out, out_row: shape.n, packs_a, packs_b, workspace }
    }

    /// Return the number of multiplications times the bytes of an element.
    pub fn work(&self) -> usize {
        let Shape { m, k, n } = self.shape;
        m.saturating_mul(k).saturating_mul(n).saturating_mul(Self::SIZE)
    }

    /// Return true if it needs neither workspace nor threads.
    #[inline(always)]
    pub fn is_small(&self) -> bool {
        let Shape { m, k, n } = self.shape;
        self.b.column_stride == Self::SIZE as isize
            && k <= KC
            && m.max(n) <= SMALL
            && (1..=SMALL).contains(&(m * k).saturating_mul(n))
    }

    /// # Safety
    /// As for [`Job::run`], for a job that is small.
    #[inline(always)]
    pub unsafe fn run_at_once(&self, isa: Isa) {
        let Job { shape, a, b, out, out_row, .. } = *self;
        // SAFETY: by the contract.
        unsafe { T::run(isa, &Block { shape, a, b, out, out_row, resume: false }) };
    }

    /// Return the number of elements of workspace that this needs, for packed blocks of `a` and of
    /// `b`: whole cache lines.
    pub fn needs(&self) -> [usize; 2] {
        let Shape { m, k, n } = self.shape;
        let depth = k.min(KC);
        let columns = n.min(cache::columns(Self::SIZE)).next_multiple_of(Self::LINE);
        [
            if self.packs_a { m.min(MC_BYTES / Self::SIZE) * Self::pitch(depth) } else { 0 },
            if self.packs_b { depth * columns } else { 0 },
        ]
    }

    /// Return the distance between packed rows of `a`: a whole number of lines, and not a power of
    /// two, for which too many rows would share a place in the caches.
    fn pitch(depth: usize) -> usize {
        depth.next_multiple_of(Self::LINE) + Self::LINE
    }

    /// # Safety
    /// The matrices are readable, `workspace` has as many elements as this needs, and the memory
    /// that is written overlaps nothing.
    pub unsafe fn run(&self, isa: Isa) {
        if self.is_small() {
            // SAFETY: by the contract.
            return unsafe { self.run_at_once(isa) };
        }
        let Shape { m, k, n } = self.shape;
        let Job { packs_a, packs_b, .. } = *self;
        let (packed_a, packed_b) = (self.workspace, self.workspace.wrapping_add(self.needs()[0]));
        let most_rows = if packs_a { MC_BYTES / Self::SIZE } else { m };
        for (j, columns) in pieces(n, cache::columns(Self::SIZE), PANEL / Self::SIZE) {
            for (p, depth) in pieces(k, KC, 1) {
                let mut b = self.b.at(p, j);
                if packs_b {
                    // SAFETY: by the contract.
                    unsafe { T::run(isa, Panels { b, rows: depth, columns, to: packed_b }) };
                    b = Operand { start: packed_b.cast(), row_stride: 0, column_stride: 0 };
                }
                for (i, rows) in pieces(m, most_rows, STRIPS) {
                    let mut a = self.a.at(i, p);
                    if packs_a {
                        // SAFETY: by the contract.
                        unsafe { pack_a(a, [rows, depth], packed_a, Self::pitch(depth)) };
                        a = Operand {
                            start: packed_a.cast(),
                            row_stride: (Self::pitch(depth) * Self::SIZE) as isize,
                            column_stride: Self::SIZE as isize,
                        };
                    }
                    let shape = Shape { m: rows, k: depth, n: columns };
                    let out = self.out.wrapping_add(i * self.out_row + j);
                    let block = Block { shape, a, b, out, out_row: self.out_row, resume: p > 0 };
                    // SAFETY: by the contract, and the packed blocks are filled in.
                    unsafe { T::run(isa, &block) };
                }
            }
        }
    }
}

/// Return the starts and lengths of the parts of `len`. Each has length `most`, but the last two
/// share the rest, in whole `unit`s.
#[inline(always)]
pub(super) fn pieces(len: usize, most: usize, unit: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let (start, left) = (next, len - next);
        let piece = match left {
            0 => return None,
            _ if left <= most => left,
            _ if left < 2 * most => left.div_ceil(2 * unit) * unit,
            _ => most,
        };
        next += piece;
        Some((start, piece))
    })
}
