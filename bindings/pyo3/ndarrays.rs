//! Arrays as arguments: of one dtype, borrowed; and the tables and flags of the records functions.

use cookbook_kernels::Output;
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{
    BorrowError, Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

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

/// The memory of an array, borrowed for a kernel while other threads run: PyReadwriteArray would
/// promise Rust that nobody else writes to it.
pub fn shared<'a, T: Element + Copy>(
    object: &'a Bound<'_, PyAny>,
    name: &str,
    filled: bool,
) -> PyResult<Output<'a, T>> {
    let array = array::<T>(object, name)?;
    // SAFETY: the array lives, and so its flags can be read.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    if filled && flags & NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err(format!("{name} must be writable")));
    }
    // SAFETY: the array is contiguous and aligned, and `object` keeps it alive.
    Ok(unsafe { Output::from_raw(array.data(), array.len()) })
}

/// # Safety
/// Types that consist of nothing but i64.
pub unsafe trait Row: Copy {}

/// The rows of an int64 array, or the only row if it has one dimension.
pub fn rows<'a, T: Row>(
    object: &'a Bound<'_, PyAny>,
    name: &str,
    ndim: usize,
    filled: bool,
) -> PyResult<Output<'a, T>> {
    let columns = size_of::<T>() / size_of::<i64>();
    let items = shared::<i64>(object, name, filled)?;
    let array = array::<i64>(object, name)?;
    if array.ndim() != ndim || array.shape().last() != Some(&columns) {
        return Err(PyValueError::new_err(format!("{name} must have rows of {columns} int64")));
    }
    // SAFETY: T consists of `columns` int64.
    Ok(unsafe { Output::from_raw(items.as_ptr().cast(), items.len() / columns) })
}

/// A bool; PyO3's own conversion takes numpy.bool, too.
pub fn flag(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    match object.cast_exact::<PyBool>() {
        Ok(flag) => Ok(flag.is_true()),
        Err(_) => {
            let kind = object.get_type().name()?;
            Err(PyTypeError::new_err(format!("a flag must be a bool, not {kind}")))
        }
    }
}
