//! The bytes of any buffer.

use cookbook_kernels::Input;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::ffi::{Py_buffer, PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer};
use pyo3::prelude::*;

/// A C-contiguous buffer, borrowed until this is dropped. PyO3's PyUntypedBuffer also asks for a
/// format and a shape, which not every buffer has.
pub struct Borrowed(Box<Py_buffer>);

// SAFETY: a view may be used from any thread, and its memory is read through `Input` alone.
unsafe impl Send for Borrowed {}
unsafe impl Sync for Borrowed {}

impl Borrowed {
    pub fn buf_ptr(&self) -> *const u8 {
        self.0.buf.cast()
    }

    pub fn len_bytes(&self) -> usize {
        self.0.len as usize
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // SAFETY: the view was filled by PyObject_GetBuffer. At shutdown it is not released.
        let _ = Python::try_attach(|_| unsafe { PyBuffer_Release(&mut *self.0) });
    }
}

/// Borrow a C-contiguous buffer until the returned value is dropped.
pub fn borrow(object: &Bound<'_, PyAny>) -> PyResult<Borrowed> {
    let mut view = Box::new(Py_buffer::new());
    // SAFETY: the view has a place of its own.
    if unsafe { PyObject_GetBuffer(object.as_ptr(), &mut *view, PyBUF_SIMPLE) } == 0 {
        return Ok(Borrowed(view));
    }
    let py = object.py();
    Err(match PyErr::fetch(py) {
        error if error.is_instance_of::<PyBufferError>(py) => {
            PyValueError::new_err(format!("expected a C-contiguous buffer ({})", error.value(py)))
        }
        error => error,
    })
}

pub fn input(buffer: &Borrowed) -> Input<'_> {
    // SAFETY: the buffer is contiguous and stays exported for as long as the Input can be used.
    unsafe { Input::from_raw(buffer.buf_ptr(), buffer.len_bytes()) }
}
