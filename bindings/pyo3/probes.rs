//! The cost ledger through PyO3: one function a pattern, each the shortest right way.
//!
//! Shows:  scalars, text, bytes, arrays and lists in; arrays out; a callback that may raise; an error
//!         code turned into an exception; a submodule.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a Vec<f64> takes any sequence; PyArray1 also takes arrays that are not contiguous, which
//!         as_slice() refuses, and misaligned ones, which it does not. The sum of no floats is -0.0.
//!         A Rust allocation that fails ends the process: arrays are made by NumPy.

use std::collections::HashMap;

use cookbook_kernels::Isa;
use pyo3::prelude::*;

/// What this door is made with.
#[pyfunction]
pub fn about() -> HashMap<&'static str, &'static str> {
    HashMap::from([
        ("technology", "PyO3 0.30"),
        ("compiler", env!("COOKBOOK_RUSTC")),
        ("kernel", "Rust"),
        ("isa", Isa::current().name()),
    ])
}

/// The smallest kernels that still prove the arguments arrived.
mod kernels {
    #[inline(never)]
    pub fn noop() {
        std::hint::black_box(());
    }

    pub fn sum_bytes(data: &[u8]) -> i64 {
        data.iter().map(|&byte| i64::from(byte)).sum()
    }

    pub fn sum_floats(values: &[f64]) -> f64 {
        values.iter().fold(0.0, |sum, value| sum + value)
    }

    pub fn call<E>(function: impl Fn(f64) -> Result<f64, E>, x: f64) -> Result<f64, E> {
        Ok(function(x)? + 1.0)
    }

    pub fn fail(code: i32) -> Result<(), i32> {
        if code == 0 { Ok(()) } else { Err(code) }
    }
}

/// One tiny function a pattern; see bindings.protocol.Probes.
#[pymodule(submodule)]
pub mod probes {
    use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use pyo3::types::PyBytes;

    use super::kernels;
    use crate::memory::{empty, readable};

    // ---- no argument -----------------------------------------------------------------------

    #[pyfunction]
    fn noop() {
        kernels::noop();
    }

    #[pyfunction]
    fn noop_nogil(py: Python<'_>) {
        py.detach(kernels::noop);
    }

    // ---- scalars ---------------------------------------------------------------------------

    #[pyfunction]
    #[pyo3(signature = (a, b, /))]
    fn add_int(a: i64, b: i64) -> i64 {
        a.wrapping_add(b)
    }

    #[pyfunction]
    #[pyo3(signature = (a, b, /))]
    fn add_float(a: f64, b: f64) -> f64 {
        a + b
    }

    #[pyfunction]
    #[pyo3(signature = (a, b, c, d, e, f, /))]
    fn six_scalars(a: i64, b: f64, c: i64, d: f64, e: i64, f: f64) -> f64 {
        a as f64 + b + c as f64 + d + e as f64 + f
    }

    #[pyfunction]
    #[pyo3(signature = (x, *, scale=1.0, offset=0.0))]
    fn keywords(x: f64, scale: f64, offset: f64) -> f64 {
        x * scale + offset
    }

    // ---- memory ----------------------------------------------------------------------------

    #[pyfunction]
    #[pyo3(signature = (text, /))]
    fn str_in(text: &str) -> i64 {
        kernels::sum_bytes(text.as_bytes())
    }

    #[pyfunction]
    #[pyo3(signature = (data, /))]
    fn bytes_in(data: &Bound<'_, PyBytes>) -> i64 {
        kernels::sum_bytes(data.as_bytes())
    }

    #[pyfunction]
    #[pyo3(signature = (values, /))]
    fn array_in(values: &Bound<'_, PyArray1<f64>>) -> PyResult<f64> {
        Ok(kernels::sum_floats(readable(values, "values")?.as_slice()?))
    }

    #[pyfunction]
    #[pyo3(signature = (n, /))]
    fn array_out(py: Python<'_>, n: isize) -> PyResult<Bound<'_, PyArrayDyn<f64>>> {
        let array = empty::<f64>(py, &mut [n])?; // ValueError: n < 0
        // SAFETY: the array has n elements, and nobody else has seen it yet.
        (0..n).for_each(|i| unsafe { array.data().offset(i).write(i as f64) });
        Ok(array)
    }

    #[pyfunction]
    #[pyo3(signature = (values, /))]
    fn list_in(values: Vec<f64>) -> f64 {
        kernels::sum_floats(&values)
    }

    // ---- calls -----------------------------------------------------------------------------

    #[pyfunction]
    #[pyo3(signature = (function, x, /))]
    fn callback(function: &Bound<'_, PyAny>, x: f64) -> PyResult<f64> {
        kernels::call(|x| function.call1((x,))?.extract(), x)
    }

    #[pyfunction]
    #[pyo3(signature = (code, /))]
    fn error(code: i32) -> PyResult<()> {
        kernels::fail(code)
            .map_err(|code| PyValueError::new_err(format!("native call failed with code {code}")))
    }
}
