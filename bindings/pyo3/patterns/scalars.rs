//! Scalars through PyO3.
//!
//! Shows:  the signature is the conversion; defaults and keyword-only arguments; the GIL released
//!         while a closure runs.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  + on integers wraps in a release build and panics in a debug build: wrapping_add says
//!         which is meant. A `bool` parameter takes numpy.bool too. A panic reaches Python as PanicException; `except Exception` misses it.

use pyo3::prelude::*;
use pyo3::types::PyBool;

use super::kernels;

/// Do nothing.
#[pyfunction]
pub fn noop() {
    kernels::noop();
}

/// Do nothing, with the GIL released.
#[pyfunction]
pub fn noop_nogil(py: Python<'_>) {
    py.detach(kernels::noop);
}

/// Take an int64.
#[pyfunction]
#[pyo3(signature = (a, /))]
pub fn int_in(a: i64) {
    kernels::take_int(a);
}

/// Return an int64, 42.
#[pyfunction]
pub fn int_out() -> i64 {
    42
}

/// Return the other truth value.
#[pyfunction]
#[pyo3(signature = (flag, /))]
pub fn invert(flag: &Bound<'_, PyBool>) -> bool {
    !flag.is_true()
}

/// Return a + b modulo 2**64.
#[pyfunction]
#[pyo3(signature = (a, b, /))]
pub fn add_int(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

/// Return a + b.
#[pyfunction]
#[pyo3(signature = (a, b, /))]
pub fn add_float(a: f64, b: f64) -> f64 {
    a + b
}

/// Return the sum of six numbers.
#[pyfunction]
#[pyo3(signature = (a, b, c, d, e, f, /))]
pub fn six_scalars(a: i64, b: f64, c: i64, d: f64, e: i64, f: f64) -> f64 {
    a as f64 + b + c as f64 + d + e as f64 + f
}

/// Return x * scale + offset.
#[pyfunction]
#[pyo3(signature = (x, *, scale=1.0, offset=0.0))]
pub fn keywords(x: f64, scale: f64, offset: f64) -> f64 {
    x * scale + offset
}
