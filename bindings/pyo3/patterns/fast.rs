//! The quickest calls through PyO3 with the same arguments, and their price.
//!
//! Shows:  a Py_buffer on the stack. Functions made by hand are in by_hand.rs.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a Py_buffer must stay where it is until it is released.

use std::mem::MaybeUninit;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::dlpack;
use super::items::Items;
use super::kernels::{sum_bytes, sum_floats};

/// Keep the Py_buffer on the stack and ask for bytes alone, which saves the allocation, the format
/// and the shape of PyUntypedBuffer, and its release on drop.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn buffer_in(data: &Bound<'_, PyAny>) -> PyResult<i64> {
    let mut buffer = MaybeUninit::uninit();
    // SAFETY: filled in if the call says so, contiguous by the flag, and released once.
    unsafe {
        if ffi::PyObject_GetBuffer(data.as_ptr(), buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
            return Err(PyErr::fetch(data.py()));
        }
        let buffer = buffer.assume_init_mut(); // must stay where it is
        let sum = sum_bytes(Items::new(buffer.buf.cast(), buffer.len as usize, 1));
        ffi::PyBuffer_Release(buffer);
        Ok(sum)
    }
}

/// Ask for no version of DLPack: saves the keyword argument, but takes writable tensors only.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn dlpack_in(values: &Bound<'_, PyAny>) -> PyResult<f64> {
    let capsule = values.call_method0(intern!(values.py(), "__dlpack__"))?;
    Ok(sum_floats(dlpack::items(capsule.cast::<PyCapsule>()?)?))
}
