//! Arrays of one dtype, borrowed.

use numpy::{
    BorrowError, Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Return the object as an array of T, if a slice can be made of it.
pub fn array<'a, 'py, T: Element>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let array = object.cast::<PyArrayDyn<T>>().map_err(|_| {
        let dtype = T::get_dtype(object.py());
        PyTypeError::new_err(format!("{name} must be a numpy array of {dtype}"))
    })?;
    let aligned = array.is_empty() || array.data().is_aligned();
    if array.is_c_contiguous() && aligned {
        return Ok(array);
    }
    Err(PyValueError::new_err(format!("{name} must be C-contiguous and aligned")))
}

pub fn writable<'py, T: Element>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array::<T>(object, name)?.try_readwrite().map_err(|error| match error {
        BorrowError::NotWriteable => PyValueError::new_err(format!("{name} must be writable")),
        _ => PyValueError::new_err(format!("{name}: {error}")),
    })
}

pub fn readable<'py, T: Element>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = array::<T>(object, name)?.try_readonly();
    array.map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}
