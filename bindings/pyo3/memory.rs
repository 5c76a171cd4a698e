//! Memory of Python's: buffers of bytes, and arrays of one dtype, borrowed or new.

use cookbook_kernels::Input;
use numpy::npyffi::PY_ARRAY_API;
use numpy::{
    BorrowError, Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi::PyBytes_FromStringAndSize;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Borrows a C-contiguous buffer until what is returned is dropped.
pub fn borrow(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let buffer = PyUntypedBuffer::get(object)?;
    match buffer.is_c_contiguous() {
        true => Ok(buffer),
        false => Err(PyValueError::new_err("expected a C-contiguous buffer")),
    }
}

pub fn input(buffer: &PyUntypedBuffer) -> Input<'_> {
    // SAFETY: the buffer is contiguous and stays exported for as long as the Input can be used.
    unsafe { Input::from_raw(buffer.buf_ptr().cast(), buffer.len_bytes()) }
}

/// A vector with room for so many, or MemoryError where Vec::with_capacity would end the process.
pub fn reserved<T>(items: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    match room.try_reserve_exact(items) {
        Ok(()) => Ok(room),
        Err(_) => Err(PyMemoryError::new_err(format!("no memory for {items} items"))),
    }
}

/// A copy, for kernels that want the promise that nobody writes.
pub fn copied(buffer: &PyUntypedBuffer) -> PyResult<Vec<u8>> {
    let size = buffer.len_bytes();
    let mut copy = reserved(size)?;
    // SAFETY: the buffer is contiguous, and so many bytes were reserved.
    unsafe {
        std::ptr::copy(buffer.buf_ptr().cast(), copy.as_mut_ptr(), size);
        copy.set_len(size);
    }
    Ok(copy)
}

pub fn copied_slice<T: Copy>(items: &[T]) -> PyResult<Vec<T>> {
    let mut copy = reserved(items.len())?;
    copy.extend_from_slice(items);
    Ok(copy)
}

/// The array, if it is one of T that a slice can be made of.
fn array<'a, 'py, T: Element>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let array = object.cast::<PyArrayDyn<T>>().map_err(|_| {
        let dtype = T::get_dtype(object.py());
        PyTypeError::new_err(format!("{name} must be a numpy array of {dtype}"))
    })?;
    match array.is_c_contiguous() && array.data().is_aligned() {
        true => Ok(array),
        false => Err(PyValueError::new_err(format!("{name} must be C-contiguous and aligned"))),
    }
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

/// A new bytes object, or MemoryError. PyBytes::new would panic when memory runs out.
pub fn bytes<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: so many bytes are there, and what is made is a bytes object or NULL.
    unsafe {
        let made = PyBytes_FromStringAndSize(data.as_ptr().cast(), data.len() as isize);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}

/// # Safety
/// Types that consist of nothing but i64.
pub unsafe trait Row {}
/// A table's rows; a table of one dimension is a single row.
pub fn rows<'a, T: Row>(shape: &[usize], ndim: usize, items: &'a [i64]) -> PyResult<&'a [T]> {
    let columns = size_of::<T>() / size_of::<i64>();
    if shape.len() != ndim || shape.last() != Some(&columns) {
        return Err(PyValueError::new_err(format!("expected rows of {columns} int64")));
    }
    // SAFETY: T consists of `columns` int64, and there are as many as the shape says.
    Ok(unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), items.len() / columns) })
}

pub fn rows_mut<'a, T: Row>(
    array: &'a mut PyReadwriteArrayDyn<'_, i64>,
    ndim: usize,
) -> PyResult<&'a mut [T]> {
    let n = rows::<T>(array.shape(), ndim, array.as_slice()?)?.len();
    // SAFETY: as in `rows`, and the array is borrowed mutably.
    Ok(unsafe { std::slice::from_raw_parts_mut(array.as_slice_mut()?.as_mut_ptr().cast(), n) })
}
