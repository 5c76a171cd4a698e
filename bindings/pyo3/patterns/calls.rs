//! Calling back, failing and being interrupted, through PyO3.
//!
//! Shows:  a Python function called, whose exception is an Err like any other; errors as
//!         exceptions, one of them a class written in Python; Ctrl-C looked for between slices.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  PyErr::new makes no exception yet, but its arguments are made at once: `ok_or(...)`
//!         makes them for every success too. Ctrl-C waits until somebody asks check_signals.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::kernels;

pyo3::import_exception!(bindings.errors, PatternError);

const SLICE: u64 = 65536;

/// Return function(x) + 1.
#[pyfunction]
#[pyo3(signature = (function, x, /))]
pub fn callback(function: &Bound<'_, PyAny>, x: f64) -> PyResult<f64> {
    kernels::call(|x| function.call1((x,))?.extract(), x)
}

/// Raise ValueError if the native function fails.
#[pyfunction]
#[pyo3(signature = (code, /))]
pub fn error(code: i32) -> PyResult<()> {
    kernels::fail(code)
        .map_err(|code| PyValueError::new_err(format!("native call failed with code {code}")))
}

/// So that `?` raises it.
impl From<kernels::Failure> for PyErr {
    fn from(failure: kernels::Failure) -> PyErr {
        PatternError::new_err((failure.code, failure.offset))
    }
}

/// Raise PatternError if the native function fails.
#[pyfunction]
#[pyo3(signature = (code, offset, /))]
pub fn error_fields(code: i32, offset: i64) -> Result<(), kernels::Failure> {
    kernels::fail_at(code, offset)
}

/// Return the state of xorshift64 after some rounds, unless Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (rounds, /))]
pub fn interruptible(py: Python<'_>, mut rounds: u64) -> PyResult<u64> {
    let mut state = 1;
    loop {
        py.check_signals()?;
        if rounds == 0 {
            return Ok(state);
        }
        let slice = rounds.min(SLICE);
        state = py.detach(|| kernels::work(state, slice));
        rounds -= slice;
    }
}
