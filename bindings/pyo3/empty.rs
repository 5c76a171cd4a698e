//! New arrays.

use numpy::npyffi::PY_ARRAY_API;
use numpy::{Element, PyArrayDescrMethods, PyArrayDyn};
use pyo3::prelude::*;

/// A new array, or what NumPy raises. PyArray::new would panic when memory runs out.
pub fn empty<'py, T: Element>(
    py: Python<'py>,
    shape: &mut [isize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    // SAFETY: NumPy takes over the reference to the descriptor, and gives a new array or NULL.
    let array = unsafe {
        let (ndim, descr) = (shape.len() as i32, T::get_dtype(py).into_dtype_ptr());
        let made = PY_ARRAY_API.PyArray_Empty(py, ndim, shape.as_mut_ptr(), descr, 0);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    Ok(array.cast_into()?)
}
