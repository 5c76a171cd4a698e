//! Arrays through PyO3 and rust-numpy.
//!
//! Shows:  an array by PyReadonlyArray and PyReadwriteArray, as PyO3's guide has it; an array whose
//!         dtype and dimensions the signature checks, read in place, with any stride and without the
//!         interpreter; a new array.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a PyArray1 may be read-only, misaligned or of any stride. PyReadonlyArray keeps a table
//!         of borrowed arrays, which only Rust code respects. A Rust allocation that fails ends the
//!         process, and PyArray::new panics: see memory.rs.

use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{
    PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::items::Items;
use super::kernels::sum_floats;
use crate::memory::empty;

// ---- as documented -------------------------------------------------------------------------

/// Take a PyReadonlyArray: the array is entered into a table of all borrowed arrays, and removed.
#[pyfunction(name = "array_in")]
#[pyo3(signature = (values, /))]
pub fn idiomatic_array_in(values: PyReadonlyArray1<'_, f64>) -> f64 {
    sum_floats(values.as_array().iter().copied())
}

/// Take a PyReadwriteArray, which is refused while other Rust code borrows the array.
#[pyfunction(name = "array_inplace")]
#[pyo3(signature = (values, factor, /))]
pub fn idiomatic_array_inplace(mut values: PyReadwriteArray1<'_, f64>, factor: f64) {
    values.as_array_mut().iter_mut().for_each(|value| *value *= factor);
}

/// Hand a Vec over to NumPy.
#[pyfunction(name = "array_out")]
#[pyo3(signature = (n, /))]
pub fn idiomatic_array_out(py: Python<'_>, n: u32) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_vec(py, (0..n).map(f64::from).collect())
}

// ---- checked -------------------------------------------------------------------------------
// A slice promises that nobody writes to the array, which Python code and other threads may: these
// read one item at a time, with any stride, and enter the array into no table.

type Array<'py> = Bound<'py, PyArray1<f64>>;
type NewArray<'py> = Bound<'py, PyArrayDyn<f64>>;

fn items<'a>(values: &'a Array<'_>) -> PyResult<Items<'a, f64>> {
    if !values.is_aligned() {
        return Err(PyValueError::new_err("values must be aligned"));
    }
    // SAFETY: NumPy guarantees that the items exist, and `values` keeps them alive.
    Ok(unsafe { Items::new(values.data(), values.len(), values.strides()[0]) })
}

fn contiguous<'a>(values: &'a Array<'_>) -> PyResult<Items<'a, f64>> {
    if !values.is_c_contiguous() {
        return Err(PyValueError::new_err("values must be C-contiguous"));
    }
    items(values)
}

/// Return a new array of the first `n` items.
fn collected(py: Python<'_>, n: isize, items: impl Iterator<Item = f64>) -> PyResult<NewArray<'_>> {
    let array = empty::<f64>(py, &mut [n])?; // ValueError: n < 0
    for (i, item) in (0..n).zip(items) {
        // SAFETY: the array has n items, and nobody else has seen it yet.
        unsafe { array.data().offset(i).write(item) }
    }
    Ok(array)
}

/// Return the sum of a C-contiguous float64 array.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn array_in(values: &Array<'_>) -> PyResult<f64> {
    Ok(sum_floats(contiguous(values)?))
}

/// Return the sum of an array, added up without the GIL.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn array_in_nogil(py: Python<'_>, values: &Array<'_>) -> PyResult<f64> {
    let items = contiguous(values)?;
    Ok(py.detach(|| sum_floats(items)))
}

/// Return the sum of a float64 array of any stride.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn strided_in(values: &Array<'_>) -> PyResult<f64> {
    Ok(sum_floats(items(values)?))
}

/// Return a new array 0.0, 1.0 ... n - 1.
#[pyfunction]
#[pyo3(signature = (n, /))]
pub fn array_out(py: Python<'_>, n: isize) -> PyResult<NewArray<'_>> {
    collected(py, n, (0..n).map(|i| i as f64))
}

/// Return a new array with every item doubled.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn array_map<'py>(values: &Array<'py>) -> PyResult<NewArray<'py>> {
    let items = contiguous(values)?;
    collected(values.py(), items.len() as isize, items.map(|item| item * 2.0))
}

/// Multiply an array in place.
#[pyfunction]
#[pyo3(signature = (values, factor, /))]
pub fn array_inplace(values: &Bound<'_, PyAny>, factor: f64) -> PyResult<()> {
    let values = values.cast::<PyArray1<f64>>()?; // checked after any __float__ has run
    // SAFETY: an array of NumPy's, of which the flags can always be read.
    if unsafe { (*values.as_array_ptr()).fields.flags } & NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err("values must be writable"));
    }
    for (i, item) in contiguous(values)?.enumerate() {
        // SAFETY: contiguous, so that item i lies there, and writable.
        unsafe { values.data().add(i).write(item * factor) }
    }
    Ok(())
}

/// Return a new array, values * factor.
#[pyfunction]
#[pyo3(signature = (values, factor, /))]
pub fn scaled<'py>(values: &Bound<'py, PyAny>, factor: f64) -> PyResult<NewArray<'py>> {
    let items = contiguous(values.cast()?)?;
    collected(values.py(), items.len() as isize, items.map(|item| item * factor))
}
