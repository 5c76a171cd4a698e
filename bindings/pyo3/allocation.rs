//! New memory: an exception where a Rust allocation would end the process or PyO3 would panic.

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi::PyBytes_FromStringAndSize;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Return a vector with room for `items`, or MemoryError: Vec::with_capacity ends the process.
pub fn reserved<T>(items: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    match room.try_reserve_exact(items) {
        Ok(()) => Ok(room),
        Err(_) => Err(PyMemoryError::new_err(format!("no memory for {items} items"))),
    }
}

/// Return a copy, for kernels that require memory that nobody writes to.
pub fn copied_slice<T: Copy>(items: &[T]) -> PyResult<Vec<T>> {
    let mut copy = reserved(items.len())?;
    copy.extend_from_slice(items);
    Ok(copy)
}

/// Return a new bytes object or MemoryError. PyBytes::new would panic when memory runs out.
pub fn bytes<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: `data` has that size, and the call returns a bytes object or NULL.
    unsafe {
        let made = PyBytes_FromStringAndSize(data.as_ptr().cast(), data.len() as isize);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}
