//! Objects through PyO3: Rust structs as Python classes.
//!
//! Shows:  a class with attributes, a constructor, a property and a method; an iterator.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  without `frozen` each use of &self or &mut self counts borrows, and a second &mut self
//!         raises "Already borrowed". A frozen class has no &mut self: what changes is an atomic.
//!         A freelist takes a lock, which costs as much as it saves.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Two doubles.
#[pyclass(frozen, get_all, module = "ffi_cookbook_pyo3.patterns")]
pub struct Point {
    x: f64,
    y: f64,
}

#[pymethods]
impl Point {
    #[new]
    fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
}

/// Return x + y of a Point.
#[pyfunction]
#[pyo3(signature = (point, /))]
pub fn struct_in(point: &Point) -> f64 {
    point.x + point.y
}

/// Return a new Point.
#[pyfunction]
#[pyo3(signature = (x, y, /))]
pub fn struct_out(x: f64, y: f64) -> Point {
    Point { x, y }
}

/// An int64 that wraps modulo 2**64.
#[pyclass(frozen, module = "ffi_cookbook_pyo3.patterns")]
pub struct Counter(AtomicI64);

#[pymethods]
impl Counter {
    #[new]
    fn new(value: i64) -> Self {
        Counter(value.into())
    }

    #[getter]
    fn value(&self) -> i64 {
        self.0.load(Relaxed)
    }

    #[setter]
    fn set_value(&self, value: i64) {
        self.0.store(value, Relaxed);
    }

    /// Add n and return the new value.
    #[pyo3(signature = (n, /))]
    fn add(&self, n: i64) -> i64 {
        self.0.fetch_add(n, Relaxed).wrapping_add(n)
    }
}

/// n - 1, n - 2 ... 0.
#[pyclass(frozen, module = "ffi_cookbook_pyo3.patterns")]
pub struct Countdown(AtomicI64);

#[pymethods]
impl Countdown {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self) -> Option<i64> {
        let before = self.0.fetch_update(Relaxed, Relaxed, |n| (n > 0).then(|| n - 1));
        before.ok().map(|n| n - 1)
    }

    /// Without this, pickle would look for the class by a name that no module has.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("cannot pickle 'Countdown' object"))
    }
}

/// Return an iterator over n - 1, n - 2 ... 0.
#[pyfunction]
#[pyo3(signature = (n, /))]
pub fn countdown(n: i64) -> Countdown {
    Countdown(n.into())
}
