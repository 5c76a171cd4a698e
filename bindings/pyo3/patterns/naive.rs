//! What is commonly written with PyO3, and paid for.
//!
//! Shows:  the owned types that a signature may name instead of borrowed ones.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  all of it compiles and is right: only a clock tells. But an item's __float__ that
//!         changes the dict under a HashMap parameter makes PyO3 panic.

use std::collections::HashMap;

use numpy::{PyArray1, PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use super::kernels::{sum_bytes, sum_floats, weigh};

/// Takes a String: memory of its own and a copy, where &str borrows.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn str_in(text: String) -> i64 {
    sum_bytes(text.bytes())
}

/// Takes a Vec<u8>: memory of its own and a copy, where &Bound<PyBytes> borrows.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn bytes_in(data: Vec<u8>) -> i64 {
    sum_bytes(data.into_iter())
}

/// Takes a PyReadonlyArray: it is entered into a table of all arrays borrowed, and taken out.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn array_in(values: PyReadonlyArray1<'_, f64>) -> PyResult<f64> {
    Ok(sum_floats(values.as_slice()?.iter().copied()))
}

/// Fills a Vec and copies it with to_pyarray: into_pyarray would hand it over.
#[pyfunction]
#[pyo3(signature = (n, /))]
pub fn array_out(py: Python<'_>, n: usize) -> PyResult<Bound<'_, PyArray1<f64>>> {
    let mut values = Vec::new();
    values.try_reserve_exact(n).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    values.extend((0..n).map(|i| i as f64));
    Ok(values.to_pyarray(py))
}

/// Takes a Vec<f64>: an iterator of Python's is asked for each item, and the items are stored.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn list_in(values: Vec<f64>) -> f64 {
    sum_floats(values.into_iter())
}

/// Takes a Vec<String>: every text is copied into memory of its own.
#[pyfunction]
#[pyo3(signature = (texts, /))]
pub fn strings_in(texts: Vec<String>) -> i64 {
    texts.iter().map(|text| sum_bytes(text.bytes())).sum()
}

/// Takes a HashMap<String, f64>: every key is copied and hashed anew, and their order is lost.
#[pyfunction]
#[pyo3(signature = (weights, /))]
pub fn dict_in(weights: HashMap<String, f64>) -> f64 {
    sum_floats(weights.iter().map(|(key, &value)| weigh(key, value)))
}

/// Takes a Py<PyAny> and attaches to the interpreter again to call it: Bound has it attached.
#[pyfunction]
#[pyo3(signature = (function, x, /))]
pub fn callback(function: Py<PyAny>, x: f64) -> PyResult<f64> {
    let result = Python::attach(|py| function.call1(py, (x,))?.extract::<f64>(py))?;
    Ok(result + 1.0)
}

/// Makes the message before it knows whether anything failed: ok_or where ok_or_else belongs.
#[pyfunction]
#[pyo3(signature = (code, /))]
pub fn error(code: i32) -> PyResult<()> {
    let failed = PyValueError::new_err(format!("native call failed with code {code}"));
    (code == 0).then_some(()).ok_or(failed)
}

/// As it is commonly written.
#[pymodule(submodule)]
pub mod naive {
    #[pymodule_export]
    use super::{
        array_in, array_out, bytes_in, callback, dict_in, error, list_in, str_in, strings_in,
    };
}
