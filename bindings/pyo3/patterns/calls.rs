//! Calling back, failing and being interrupted, through PyO3.
//!
//! Shows:  a Python function called, whose exception is an Err like any other; errors as
//!         exceptions, one of them a class written in Python; Ctrl-C checked between slices of
//!         work.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  PyErr::new makes no exception yet, but its arguments are made at once: `ok_or(...)`
//!         makes them for every success too. Ctrl-C waits until check_signals is called.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::import_exception!(ffi_cookbook.bindings.errors, PatternError);

const SLICE: u64 = 65536;

// ---- kernels, which know nothing of Python ---------------------------------------------------

fn call<E>(function: impl Fn(f64) -> Result<f64, E>, x: f64) -> Result<f64, E> {
    Ok(function(x)? + 1.0)
}

/// The error's code and offset.
pub struct Failure {
    pub code: i32,
    pub offset: i64,
}

fn fail(code: i32) -> Result<(), i32> {
    if code == 0 { Ok(()) } else { Err(code) }
}

fn fail_at(code: i32, offset: i64) -> Result<(), Failure> {
    fail(code).map_err(|code| Failure { code, offset })
}

/// Run rounds of xorshift64: work that can be cut anywhere and resumed.
fn work(state: u64, rounds: u64) -> u64 {
    (0..rounds).fold(state, |mut state, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^ state << 17
    })
}

// ---- functions -----------------------------------------------------------------------------

/// Return function(x) + 1.
#[pyfunction]
#[pyo3(signature = (function, x, /))]
pub fn callback(function: &Bound<'_, PyAny>, x: f64) -> PyResult<f64> {
    call(|x| function.call1((x,))?.extract(), x)
}

/// Raise ValueError if the native function fails.
#[pyfunction]
#[pyo3(signature = (code, /))]
pub fn error(code: i32) -> PyResult<()> {
    fail(code).map_err(|code| PyValueError::new_err(format!("native call failed with code {code}")))
}

/// The conversion that `?` uses to raise it.
impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        PatternError::new_err((failure.code, failure.offset))
    }
}

/// Raise PatternError if the native function fails.
#[pyfunction]
#[pyo3(signature = (code, offset, /))]
pub fn error_fields(code: i32, offset: i64) -> Result<(), Failure> {
    fail_at(code, offset)
}

/// Return the state of xorshift64 after some rounds, unless Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (rounds, /))]
pub fn interruptible(py: Python<'_>, rounds: i64) -> PyResult<u64> {
    let mut rounds = u64::try_from(rounds)?;
    let mut state = 1;
    loop {
        py.check_signals()?;
        if rounds == 0 {
            return Ok(state);
        }
        let slice = rounds.min(SLICE);
        state = py.detach(|| work(state, slice));
        rounds -= slice;
    }
}
