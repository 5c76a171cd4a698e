//! NumPy arrays as matrices: what the kernel is told of them, and whether two share memory.

use std::ops::Range;

use cookbook_kernels::matmul::Operand;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

pub type Array<'py, T> = Bound<'py, PyArrayDyn<T>>;

/// An array as the kernel sees it: a batch of matrices, of one where there are two dimensions.
pub struct Matrices {
    pub count: usize,
    pub rows: usize,
    pub columns: usize,
    /// In bytes, from one matrix to the next.
    pub stride: isize,
    pub first: Operand,
}

impl Matrices {
    pub fn of<T: Element>(array: &Array<'_, T>) -> Self {
        let (shape, strides) = (array.shape(), array.strides());
        let d = array.ndim() - 2; // where the matrix begins
        let count = if d == 0 { 1 } else { shape[0] };
        let stride = if count == 1 { 0 } else { strides[0] };
        let (row_stride, column_stride) = (strides[d], strides[d + 1]);
        let first = Operand { start: array.data().cast(), row_stride, column_stride };
        Matrices { count, rows: shape[d], columns: shape[d + 1], stride, first }
    }
}

/// The addresses from the first byte to one past the last, where there is any.
fn bounds<T: Element>(array: &Array<'_, T>) -> Range<isize> {
    let start = array.data() as isize;
    if array.is_empty() {
        return start..start;
    }
    let extents = array.shape().iter().zip(array.strides());
    let extents = extents.map(|(&n, stride)| (n as isize - 1) * stride);
    let (low, high) =
        extents.fold((0, 0), |(low, high), extent| (low + extent.min(0), high + extent.max(0)));
    start + low..start + high + size_of::<T>() as isize
}

/// Whether the memory between their first and last elements meets.
pub fn overlap<T: Element>(one: &Array<'_, T>, other: &Array<'_, T>) -> bool {
    let [x, y] = [one, other].map(bounds);
    !one.is_empty() && !other.is_empty() && x.start < y.end && y.start < x.end
}
