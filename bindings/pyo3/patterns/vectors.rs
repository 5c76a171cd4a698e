//! One-dimensional arrays of float64, borrowed and new.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::items::Items;
use crate::empty::empty;

pub type Array<'py> = Bound<'py, PyArray1<f64>>;
pub type NewArray<'py> = Bound<'py, PyArrayDyn<f64>>;

pub fn strided<'a>(values: &'a Array<'_>) -> PyResult<Items<'a, f64>> {
    if !values.is_aligned() {
        return Err(PyValueError::new_err("values must be aligned"));
    }
    // SAFETY: NumPy guarantees that the items exist, and `values` keeps them alive.
    Ok(unsafe { Items::new(values.data(), values.len(), values.strides()[0]) })
}

pub fn contiguous<'a>(values: &'a Array<'_>) -> PyResult<Items<'a, f64>> {
    if !values.is_c_contiguous() {
        return Err(PyValueError::new_err("values must be C-contiguous"));
    }
    strided(values)
}

/// Return a new array of the first `n` items.
pub fn collected(
    py: Python<'_>,
    n: isize,
    items: impl Iterator<Item = f64>,
) -> PyResult<NewArray<'_>> {
    let array = empty::<f64>(py, &mut [n])?; // ValueError: n < 0
    for (i, item) in (0..n).zip(items) {
        // SAFETY: the array has n items, and nobody else has seen it yet.
        unsafe { array.data().offset(i).write(item) }
    }
    Ok(array)
}
