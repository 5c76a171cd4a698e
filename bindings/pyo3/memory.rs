//! Memory of Python's: buffers of bytes, and arrays of one dtype, borrowed or new.

use cookbook_kernels::Input;
use numpy::npyffi::PY_ARRAY_API;
use numpy::{
    BorrowError, Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi::{
    Py_buffer, PyBUF_SIMPLE, PyBuffer_Release, PyBytes_FromStringAndSize, PyObject_GetBuffer,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A C-contiguous buffer, borrowed until this is dropped. PyO3's own PyUntypedBuffer asks for a format and
/// a shape, which not every buffer has.
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
        // SAFETY: the view was filled by PyObject_GetBuffer.
        Python::attach(|_| unsafe { PyBuffer_Release(&mut *self.0) });
    }
}

/// Borrows a C-contiguous buffer until what is returned is dropped.
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

/// A vector with room for so many, or MemoryError where Vec::with_capacity would end the process.
pub fn reserved<T>(items: usize) -> PyResult<Vec<T>> {
    let mut room = Vec::new();
    match room.try_reserve_exact(items) {
        Ok(()) => Ok(room),
        Err(_) => Err(PyMemoryError::new_err(format!("no memory for {items} items"))),
    }
}

/// A copy, for kernels that want the promise that nobody writes.
pub fn copied(buffer: &Borrowed) -> PyResult<Vec<u8>> {
    let size = buffer.len_bytes();
    let mut copy = reserved(size)?;
    // SAFETY: the buffer is contiguous, and so many bytes were reserved.
    unsafe {
        std::ptr::copy(buffer.buf_ptr(), copy.as_mut_ptr(), size);
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
pub fn array<'a, 'py, T: Element>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Bound<'py, PyArrayDyn<T>>> {
    let array = object.cast::<PyArrayDyn<T>>().map_err(|_| {
        let dtype = T::get_dtype(object.py());
        PyTypeError::new_err(format!("{name} must be a numpy array of {dtype}"))
    })?;
    let aligned = array.is_empty() || array.data().is_aligned();
    match array.is_c_contiguous() && aligned {
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
