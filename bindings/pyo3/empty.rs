//! New arrays.

use numpy::npyffi::{NPY_ORDER, PY_ARRAY_API, PyArray_Dims};
use numpy::{Element, PyArray1, PyArrayDescrMethods, PyArrayDyn};
use pyo3::prelude::*;

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
