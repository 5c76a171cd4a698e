//! Text, bytes and other buffers through PyO3.
//!
//! Shows:  a &str and bytes borrowed for the call; new bytes, filled in by a closure; the buffer of
//!         any object, released when dropped.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a String or Vec<u8> parameter copies its argument. PyBuffer<u8> refuses items of other
//!         types: `borrow` takes them all. A returned Vec<u8> becomes bytes, a Vec<i8> a list.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::items::Items;
use super::kernels::sum_bytes;
use crate::buffers::borrow;

const TEXT: &str = "hello world";

/// Return the sum of the UTF-8 bytes of a text.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn str_in(text: &str) -> i64 {
    sum_bytes(text.bytes())
}

/// Return a new str.
#[pyfunction]
pub fn str_out() -> &'static str {
    TEXT
}

/// Return the sum of the UTF-8 bytes of a text, plus n, plus x.
#[pyfunction]
#[pyo3(signature = (text, n, x, /))]
pub fn score(text: &str, n: i64, x: f64) -> f64 {
    sum_bytes(text.bytes()) as f64 + n as f64 + x
}

/// Return the sum of the bytes.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn bytes_in(data: &Bound<'_, PyBytes>) -> i64 {
    sum_bytes(data.as_bytes().iter().copied())
}

/// Return new bytes.
#[pyfunction]
pub fn bytes_out() -> &'static [u8] {
    TEXT.as_bytes()
}

/// Return new bytes with every bit inverted.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn bytes_map<'py>(data: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = data.as_bytes();
    PyBytes::new_with(data.py(), bytes.len(), |out| {
        out.iter_mut().zip(bytes).for_each(|(out, byte)| *out = !byte);
        Ok(())
    })
}

/// Return the sum of the bytes of a C-contiguous buffer.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn buffer_in(data: &Bound<'_, PyAny>) -> PyResult<i64> {
    let buffer = borrow(data)?;
    // SAFETY: the buffer is contiguous, and stays exported until it is dropped.
    let bytes = unsafe { Items::new(buffer.buf_ptr().cast(), buffer.len_bytes(), 1) };
    Ok(sum_bytes(bytes))
}
