//! Lists, dicts and tuples through PyO3.
//!
//! Shows:  owned collections that a signature names, as PyO3's guide has them; iterators that hold
//!         each item while it is used; a list filled in place; a tuple.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  iterating over a dict that changes panics. An item's __float__ may change it: check
//!         first, as here. Without the GIL another thread may: lock it, which costs nothing with
//!         the GIL. When memory runs out, PyList::new panics and Vec ends the process.

use std::collections::HashMap;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyDict, PyList};

use super::kernels::{sum_bytes, sum_floats, weigh};

// ---- as documented -------------------------------------------------------------------------

/// Take a Vec<f64>: any sequence, whose items are copied before the work begins.
#[pyfunction(name = "list_in")]
#[pyo3(signature = (values, /))]
pub fn idiomatic_list_in(values: Vec<f64>) -> f64 {
    sum_floats(values.into_iter())
}

/// Take a Vec<String>: every text is copied into memory of its own.
#[pyfunction(name = "strings_in")]
#[pyo3(signature = (texts, /))]
pub fn idiomatic_strings_in(texts: Vec<String>) -> i64 {
    texts.iter().map(|text| sum_bytes(text.bytes())).sum()
}

/// Extract a HashMap<String, f64>: every key is copied and hashed anew, and their order is lost.
#[pyfunction(name = "dict_in")]
#[pyo3(signature = (weights, /))]
pub fn idiomatic_dict_in(weights: &Bound<'_, PyDict>) -> PyResult<f64> {
    let copy = weights.copy()?; // extracting panics if an item's __float__ changes the dict
    let weights: HashMap<String, f64> = copy.extract()?;
    Ok(sum_floats(weights.iter().map(|(key, &value)| weigh(key, value))))
}

// ---- checked -------------------------------------------------------------------------------
// Items are read where they are, in order; a dict that changes meanwhile is an error and no panic.

/// Return the sum of a list of floats.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn list_in(values: &Bound<'_, PyList>) -> PyResult<f64> {
    with_critical_section(values, || {
        values.iter().try_fold(0.0, |sum, value| Ok(sum + value.extract::<f64>()?))
    })
}

/// Return a new list 0.0, 1.0 ... n - 1.
#[pyfunction]
#[pyo3(signature = (n, /))]
pub fn list_out(py: Python<'_>, n: isize) -> PyResult<Bound<'_, PyAny>> {
    if n < 0 {
        return Err(PyValueError::new_err("n must not be negative"));
    }
    // SAFETY: each call returns a new reference or NULL; the list takes over the references to its
    // items, and nobody else has seen it yet.
    unsafe {
        let list = Bound::from_owned_ptr_or_err(py, ffi::PyList_New(n))?;
        for i in 0..n {
            let item = Bound::from_owned_ptr_or_err(py, ffi::PyFloat_FromDouble(i as f64))?;
            ffi::PyList_SET_ITEM(list.as_ptr(), i, item.into_ptr());
        }
        Ok(list)
    }
}

/// Return the sum of the UTF-8 bytes of a list of texts.
#[pyfunction]
#[pyo3(signature = (texts, /))]
pub fn strings_in(texts: &Bound<'_, PyList>) -> PyResult<i64> {
    with_critical_section(texts, || {
        texts.iter().try_fold(0, |sum, text| Ok(sum + sum_bytes(text.extract::<&str>()?.bytes())))
    })
}

/// Return the sum of each key's UTF-8 bytes times its value.
#[pyfunction]
#[pyo3(signature = (weights, /))]
pub fn dict_in(weights: &Bound<'_, PyDict>) -> PyResult<f64> {
    with_critical_section(weights, || {
        let n = weights.len();
        weights.iter().take(n).try_fold(0.0, |sum, (key, value)| {
            let term = weigh(key.extract()?, value.extract()?);
            drop((key, value)); // may run Python code too
            if weights.len() != n {
                return Err(PyRuntimeError::new_err("the dict changed size during iteration"));
            }
            Ok(sum + term)
        })
    })
}

/// Return the smaller and the larger of two integers.
#[pyfunction]
#[pyo3(signature = (a, b, /))]
pub fn tuple_out(a: i64, b: i64) -> (i64, i64) {
    (a.min(b), a.max(b))
}
