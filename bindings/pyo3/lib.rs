//! The extension module: the functions and classes of the pages, and how their errors reach Python.

use cookbook_kernels::Error;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

mod buffers;
mod matmul;
mod memory;
mod ndarrays;
mod patterns;
mod records;
mod text;
mod tokenizer;

/// Return the exception that `ffi_cookbook.bindings.errors.<maker>(error, context)` makes.
fn exception(maker: &str, error: &Error, context: &Bound<'_, PyAny>) -> PyErr {
    let facts =
        (error.code as i64, error.offset, error.record, error.field, error.expected, error.actual);
    let made = context.py().import("ffi_cookbook.bindings.errors").and_then(|module| {
        let facts: Bound<'_, PyTuple> = facts.into_pyobject(context.py())?;
        module.call_method1(maker, (facts, context))
    });
    made.map_or_else(|failure| failure, PyErr::from_value)
}

/// Convert any object with __index__, however large.
fn threads(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    match object.extract::<i64>() {
        Ok(threads @ 1..) => Ok(threads.min(1024) as usize),
        Err(error) if !error.is_instance_of::<PyOverflowError>(object.py()) => Err(error),
        Err(_) if object.call_method0("__index__")?.gt(0)? => Ok(1024),
        _ => Err(PyValueError::new_err(format!("threads must be at least 1, not {object}"))),
    }
}

/// The module needs no GIL, which is PyO3's default; PyO3 itself refuses subinterpreters.
#[pymodule]
mod ffi_cookbook_pyo3 {
    #[pymodule_export]
    use super::matmul::matmul;
    #[pymodule_export]
    use super::patterns::{about, patterns};
    #[pymodule_export]
    use super::records::{decode_examples, decode_fixed, gather_examples, index_records};
    #[pymodule_export]
    use super::tokenizer::Tokenizer;
}
