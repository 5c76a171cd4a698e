//! The contract of matmul, once for every caller: which arrays may be multiplied, and where the
//! product may be written. An array is described, and only its description is read before the
//! product is computed.

use super::{Batch, Float, Operand, Shape, matmul, workspace};
use crate::error::Code;
use crate::{Error, Isa};

/// The most threads that are ever used.
const MAX_THREADS: i64 = 64;

/// The numbers by which an [`Error`] names an argument.
const A: i64 = 0;
const B: i64 = 1;
const OUT: i64 = 2;

/// An array of up to three dimensions. If it has more, only `ndim` is read.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    data: *mut u8,
    itemsize: usize,
    ndim: usize,
    shape: [usize; 3],
    /// In bytes, of any sign.
    strides: [isize; 3],
}

// SAFETY: it is an address, and only an unsafe function reads from it.
unsafe impl Send for Array {}
// SAFETY: likewise.
unsafe impl Sync for Array {}

/// An array as a batch of matrices, which has one matrix where the array has two dimensions.
struct Matrices {
    count: usize,
    rows: usize,
    columns: usize,
    next: isize,
    first: Operand,
}

fn refusal(code: Code, field: i64, expected: usize, actual: usize) -> Error {
    let (expected, actual) = (expected as i64, actual as i64);
    Error { code, offset: 0, record: 0, field, expected, actual }
}

impl Array {
    /// Describe an array of floating-point numbers of `itemsize` bytes.
    pub fn new(data: *mut u8, itemsize: usize, shape: &[usize], strides: &[isize]) -> Array {
        let mut array = Array { data, itemsize, ndim: shape.len(), shape: [0; 3], strides: [0; 3] };
        for (i, (&size, &stride)) in shape.iter().zip(strides).take(3).enumerate() {
            (array.shape[i], array.strides[i]) = (size, stride);
        }
        array
    }

    /// Return true if the product of two matrices has at most 32,768 multiply-adds: a few
    /// microseconds, for which a caller keeps its lock. The arrays are not checked.
    pub fn is_brief(&self, b: &Array) -> bool {
        const BRIEF: f64 = 32768.0; // multiply-adds
        let sizes = [self.shape[0], self.shape[1], b.shape[1]];
        self.ndim == 2 && b.ndim == 2 && sizes.map(|n| n as f64).iter().product::<f64>() <= BRIEF
    }

    /// Return the number of elements in each of up to three dimensions.
    pub fn shape(&self) -> &[usize] {
        &self.shape[..self.ndim.min(3)]
    }

    fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    fn matrices(&self, field: i64) -> Result<Matrices, Error> {
        let d = match self.ndim {
            2 => 0,
            3 => 1,
            n => return Err(refusal(Code::Dimensions, field, 0, n)),
        };
        let count = if d == 0 { 1 } else { self.shape[0] };
        let next = if count == 1 { 0 } else { self.strides[0] };
        let (row_stride, column_stride) = (self.strides[d], self.strides[d + 1]);
        let first = Operand { start: self.data, row_stride, column_stride };
        Ok(Matrices { count, rows: self.shape[d], columns: self.shape[d + 1], next, first })
    }

    /// Return true if the elements are aligned and without gaps, like those of `product`. The
    /// stride of a dimension of one element does not matter.
    fn is_contiguous(&self, product: &Array) -> bool {
        let fits = |i: usize| self.shape[i] < 2 || self.strides[i] == product.strides[i];
        self.data.addr().is_multiple_of(self.itemsize) && (0..self.ndim).all(fits)
    }

    /// Return the addresses of the first byte and of the end. They may wrap around, because strides
    /// may be any numbers.
    fn bounds(&self) -> (usize, usize) {
        let mut bounds = (self.data.addr(), self.data.addr().wrapping_add(self.itemsize));
        for (&size, &stride) in self.shape().iter().zip(&self.strides) {
            let extent = size.wrapping_sub(1).wrapping_mul(stride as usize);
            let end = if stride < 0 { &mut bounds.0 } else { &mut bounds.1 };
            *end = end.wrapping_add(extent);
        }
        bounds
    }

    fn overlaps(&self, other: &Array) -> bool {
        let ((first, last), (low, high)) = (self.bounds(), other.bounds());
        !self.is_empty() && !other.is_empty() && first < high && low < last
    }

    fn check_out(&self, product: &Array, operands: [&Array; 2]) -> Result<(), Error> {
        if self.itemsize != product.itemsize {
            return Err(refusal(Code::Dtype, OUT, product.itemsize, self.itemsize));
        }
        self.matrices(OUT)?;
        if self.shape() != product.shape() {
            let (matrices, d) =
                if product.ndim == 3 { (product.shape[0] as i64, 1) } else { (-1, 0) };
            let refused = refusal(Code::Shape, OUT, product.shape[d], product.shape[d + 1]);
            return Err(Error { offset: matrices, ..refused });
        }
        if !self.is_empty() && !self.is_contiguous(product) {
            return Err(refusal(Code::Layout, OUT, 0, 0));
        }
        match operands.iter().position(|operand| operand.overlaps(self)) {
            Some(at) => Err(refusal(Code::Overlap, OUT, OUT as usize, at)),
            None => Ok(()),
        }
    }
}

/// Return the description of the C-contiguous product of `a` and `b`, without its memory.
pub fn product(a: &Array, b: &Array) -> Result<Array, Error> {
    for (field, array) in [(A, a), (B, b)] {
        if !matches!(array.itemsize, 4 | 8) || array.itemsize != a.itemsize {
            return Err(refusal(Code::Dtype, field, a.itemsize, array.itemsize));
        }
    }
    let (x, y) = (a.matrices(A)?, b.matrices(B)?);
    if x.columns != y.rows {
        return Err(refusal(Code::InnerSize, B, x.columns, y.rows));
    }
    if x.count != y.count && x.count != 1 && y.count != 1 {
        return Err(refusal(Code::BatchSize, B, x.count, y.count));
    }
    let sizes = [if x.count == 1 { y.count } else { x.count }, x.rows, y.columns];
    let shape = &sizes[3 - a.ndim.max(b.ndim)..];
    let mut out = Array::new(std::ptr::null_mut(), a.itemsize, shape, &[0; 3]);
    let mut stride = a.itemsize as isize;
    for i in (0..out.ndim).rev() {
        out.strides[i] = stride;
        let grown = stride.checked_mul(out.shape[i].max(1) as isize);
        stride = grown.ok_or(refusal(Code::Memory, OUT, 0, 0))?;
    }
    Ok(out)
}

/// Compute `out = a @ b`, where each of `a` and `b` is a matrix or a batch of matrices. A matrix,
/// or a batch of one, is broadcast over the other's batch. Return an [`Error`] before anything is
/// written.
///
/// # Safety
/// The elements of `a` and `b` are readable, those of `out` writable.
pub unsafe fn multiply(a: &Array, b: &Array, out: &Array, threads: i64) -> Result<(), Error> {
    let product = product(a, b)?;
    if threads < 1 {
        return Err(Error { actual: threads, ..refusal(Code::Threads, 0, 1, 0) });
    }
    out.check_out(&product, [a, b])?;
    let threads = threads.min(MAX_THREADS) as usize;
    // SAFETY: by the contract and the checks.
    match out.itemsize {
        4 => unsafe { fill::<f32>(a, b, out, threads) },
        _ => unsafe { fill::<f64>(a, b, out, threads) },
    }
}

/// # Safety
/// As for [`matmul`].
unsafe fn fill<T: Float>(a: &Array, b: &Array, out: &Array, threads: usize) -> Result<(), Error> {
    let (x, y) = (a.matrices(A)?, b.matrices(B)?);
    let count = if x.count == 1 { y.count } else { x.count };
    let batch = Batch { count, strides: [x.next, y.next] };
    let shape = Shape { m: x.rows, k: x.columns, n: y.columns };
    let operands = [x.first, y.first];
    let mut space = Vec::new();
    space
        .try_reserve_exact(workspace::<T>(batch, shape, operands, threads))
        .map_err(|_| refusal(Code::Memory, OUT, 0, 0))?;
    let (isa, room, result) = (Isa::current(), space.spare_capacity_mut(), out.data.cast());
    // SAFETY: by the contract.
    unsafe { matmul::<T>(isa, batch, shape, operands, result, room, threads) }
}
