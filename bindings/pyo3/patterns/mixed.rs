//! Arguments of several kinds through PyO3.
//!
//! Shows:  conversions compose: each parameter has its own cost, and borrowed memory is valid for
//!         the call.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  results of a caller's size are made by Python and NumPy, which raise if memory runs out.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::kernels::sum_bytes;
use super::vectors::{NewArray, collected, contiguous};

/// Return a + b + c modulo 2**64.
#[pyfunction]
#[pyo3(signature = (a, b, c, /))]
pub fn add_three(a: i64, b: i64, c: i64) -> i64 {
    a.wrapping_add(b).wrapping_add(c)
}

/// Return the sum of the UTF-8 bytes of a text, plus n, plus x.
#[pyfunction]
#[pyo3(signature = (text, n, x, /))]
pub fn score(text: &str, n: i64, x: f64) -> f64 {
    sum_bytes(text.bytes()) as f64 + n as f64 + x
}

/// Return new bytes, each XORed with mark.
#[pyfunction]
#[pyo3(signature = (data, mark, /))]
pub fn stamp<'py>(data: &Bound<'py, PyBytes>, mark: u8) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = data.as_bytes();
    PyBytes::new_with(data.py(), bytes.len(), |out| {
        out.iter_mut().zip(bytes).for_each(|(out, byte)| *out = byte ^ mark);
        Ok(())
    })
}

/// Return a new array, values * factor.
#[pyfunction]
#[pyo3(signature = (values, factor, /))]
pub fn scaled<'py>(values: &Bound<'py, PyAny>, factor: f64) -> PyResult<NewArray<'py>> {
    let items = contiguous(values.cast()?)?;
    collected(values.py(), items.len() as isize, items.map(|item| item * factor))
}

/// Return a new array, values + n + the sum of the text's bytes.
#[pyfunction]
#[pyo3(signature = (values, n, text, /))]
pub fn shifted<'py>(values: &Bound<'py, PyAny>, n: i64, text: &str) -> PyResult<NewArray<'py>> {
    let items = contiguous(values.cast()?)?;
    let shift = n as f64 + sum_bytes(text.bytes()) as f64;
    collected(values.py(), items.len() as isize, items.map(|item| item + shift))
}
