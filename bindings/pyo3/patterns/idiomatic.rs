//! The idioms of PyO3's guide, where they copy more or let more pass than the other pages do.
//!
//! Shows:  arrays by PyReadonlyArray and PyReadwriteArray; owned collections that a signature names.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a Vec that cannot be allocated ends the process. A HashMap parameter panics if another
//!         thread, or an item's __float__, changes the dict: convert a copy of it.

use std::collections::HashMap;

use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::kernels::{sum_bytes, sum_floats, weigh};

/// Take a PyReadonlyArray: the array is entered into a table of all borrowed arrays, and removed.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn array_in(values: PyReadonlyArray1<'_, f64>) -> PyResult<f64> {
    Ok(sum_floats(values.as_slice()?.iter().copied()))
}

/// Take a PyReadwriteArray, which is refused while other Rust code borrows the array.
#[pyfunction]
#[pyo3(signature = (values, factor, /))]
pub fn array_inplace(mut values: PyReadwriteArray1<'_, f64>, factor: f64) -> PyResult<()> {
    values.as_slice_mut()?.iter_mut().for_each(|value| *value *= factor);
    Ok(())
}

/// Hand a Vec over to NumPy.
#[pyfunction]
#[pyo3(signature = (n, /))]
pub fn array_out(py: Python<'_>, n: u32) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_vec(py, (0..n).map(f64::from).collect())
}

/// Take a Vec<f64>: any sequence, whose items are copied before the work begins.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn list_in(values: Vec<f64>) -> f64 {
    sum_floats(values.into_iter())
}

/// Take a Vec<String>: every text is copied into memory of its own.
#[pyfunction]
#[pyo3(signature = (texts, /))]
pub fn strings_in(texts: Vec<String>) -> i64 {
    texts.iter().map(|text| sum_bytes(text.bytes())).sum()
}

/// Extract a HashMap<String, f64>: every key is copied and hashed anew, and their order is lost.
#[pyfunction]
#[pyo3(signature = (weights, /))]
pub fn dict_in(weights: &Bound<'_, PyDict>) -> PyResult<f64> {
    let weights: HashMap<String, f64> = weights.copy()?.extract()?;
    Ok(sum_floats(weights.iter().map(|(key, &value)| weigh(key, value))))
}

/// The idioms of PyO3's guide.
#[pymodule(submodule)]
pub mod idiomatic {
    #[pymodule_export]
    use super::{array_in, array_inplace, array_out, dict_in, list_in, strings_in};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn name(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::super::importable(module, "ffi_cookbook_pyo3.patterns.idiomatic")
    }
}
