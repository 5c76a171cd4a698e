//! New memory: an exception where a Rust allocation would end the process or PyO3 would panic.

use numpy::npyffi::{NPY_ORDER, PY_ARRAY_API, PyArray_Dims};
use numpy::{Element, PyArray1, PyArrayDescrMethods, PyArrayDyn};
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

/// Return a new array or NumPy's exception. PyArray::new would panic when memory runs out.
pub fn empty<'py, T: Element>(
    py: Python<'py>,
    shape: &mut [isize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    // SAFETY: NumPy takes over the reference to the descriptor, and returns a new array or NULL.
    let array = unsafe {
        let (ndim, descr) = (shape.len() as i32, T::get_dtype(py).into_dtype_ptr());
        let made = PY_ARRAY_API.PyArray_Empty(py, ndim, shape.as_mut_ptr(), descr, 0);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    Ok(array.cast_into()?)
}

/// Make a vector shorter. PyArrayMethods::resize would do, but leaks a reference to None each time.
///
/// # Safety
/// Nobody else uses the memory of the vector.
pub unsafe fn shorten<T: Element>(vector: &Bound<'_, PyArray1<T>>, n: usize) -> PyResult<()> {
    let (py, mut size) = (vector.py(), n as isize);
    let mut shape = PyArray_Dims { ptr: &raw mut size, len: 1 };
    // SAFETY: NumPy returns a new reference to None, or NULL.
    let none = unsafe {
        let order = NPY_ORDER::NPY_ANYORDER;
        let array = vector.as_ptr().cast();
        let resized = PY_ARRAY_API.PyArray_Resize(py, array, &mut shape, 1, order);
        Bound::from_owned_ptr_or_err(py, resized)?
    };
    drop(none);
    Ok(())
}
