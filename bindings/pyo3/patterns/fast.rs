//! The quickest calls through PyO3, with the same arguments, and what they cost otherwise.
//!
//! Shows:  functions as CPython calls them, put into a module by hand; a Py_buffer on the stack.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  what #[pyfunction] does around a function is left out of those made by hand, and most of
//!         their cost with it: a panic ends the process, an error is NULL with an exception set.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ptr;

use pyo3::ffi::{self, METH_FASTCALL, METH_NOARGS, PyMethodDef, PyMethodDefPointer, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::dlpack;
use super::kernels::{self, Items, sum_bytes, sum_floats};

// ---- by PyO3 -------------------------------------------------------------------------------

/// Keeps its Py_buffer on the stack and asks for bytes alone: saves the memory and the questions
/// of PyUntypedBuffer, and its release on drop.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn buffer_in(data: &Bound<'_, PyAny>) -> PyResult<i64> {
    let mut buffer = MaybeUninit::uninit();
    // SAFETY: filled in if the call says so, contiguous by the flag, and released once.
    unsafe {
        if ffi::PyObject_GetBuffer(data.as_ptr(), buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
            return Err(PyErr::fetch(data.py()));
        }
        let buffer = buffer.assume_init_mut(); // to be left where it is
        let sum = sum_bytes(Items::new(buffer.buf.cast(), buffer.len as usize, 1));
        ffi::PyBuffer_Release(buffer);
        Ok(sum)
    }
}

/// Asks for no version of DLPack: saves the keyword argument, for tensors that may be written to.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn dlpack_in(values: &Bound<'_, PyAny>) -> PyResult<f64> {
    let capsule = values.call_method0(intern!(values.py(), "__dlpack__"))?;
    Ok(sum_floats(dlpack::items(capsule.cast::<PyCapsule>()?)?))
}

// ---- by hand -------------------------------------------------------------------------------

type Arguments = *mut *mut PyObject;

// SAFETY, of all that CPython calls: `arguments` are `n` objects, borrowed; and it wants a new
// reference back, or NULL with an exception set.

/// The arguments, if there are two; None with an exception set.
unsafe fn two(arguments: Arguments, n: isize) -> Option<[*mut PyObject; 2]> {
    unsafe {
        if n != 2 {
            ffi::PyErr_SetString(ffi::PyExc_TypeError, c"expected 2 arguments".as_ptr());
            return None;
        }
        Some([*arguments, *arguments.add(1)])
    }
}

/// The value, unless it stands for a failure with an exception set.
unsafe fn checked<T: PartialEq>(value: T, failure: T) -> Option<T> {
    (value != failure || unsafe { ffi::PyErr_Occurred().is_null() }).then_some(value)
}

unsafe extern "C" fn noop(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    kernels::noop();
    unsafe { ffi::Py_NewRef(ffi::Py_None()) }
}

unsafe extern "C" fn add_int(_: *mut PyObject, arguments: Arguments, n: isize) -> *mut PyObject {
    let added = || unsafe {
        let [a, b] = two(arguments, n)?;
        let a = checked(ffi::PyLong_AsLongLong(a), -1)?;
        let b = checked(ffi::PyLong_AsLongLong(b), -1)?;
        Some(ffi::PyLong_FromLongLong(a.wrapping_add(b)))
    };
    added().unwrap_or(ptr::null_mut())
}

unsafe extern "C" fn add_float(_: *mut PyObject, arguments: Arguments, n: isize) -> *mut PyObject {
    let added = || unsafe {
        let [a, b] = two(arguments, n)?;
        let a = checked(ffi::PyFloat_AsDouble(a), -1.0)?;
        let b = checked(ffi::PyFloat_AsDouble(b), -1.0)?;
        Some(ffi::PyFloat_FromDouble(a + b))
    };
    added().unwrap_or(ptr::null_mut())
}

// ---- module --------------------------------------------------------------------------------

struct Methods([PyMethodDef; 4]);

// SAFETY: only ever read.
unsafe impl Sync for Methods {}

const fn method(
    name: &'static CStr,
    ml_meth: PyMethodDefPointer,
    ml_flags: i32,
    doc: &'static CStr,
) -> PyMethodDef {
    PyMethodDef { ml_name: name.as_ptr(), ml_meth, ml_flags, ml_doc: doc.as_ptr() }
}

const BY_HAND: &CStr = c"Called by CPython itself: saves PyO3's wrapper, and its safety.";

static METHODS: Methods = Methods([
    method(c"noop", PyMethodDefPointer { PyCFunction: noop }, METH_NOARGS, BY_HAND),
    method(c"add_int", PyMethodDefPointer { PyCFunctionFast: add_int }, METH_FASTCALL, BY_HAND),
    method(c"add_float", PyMethodDefPointer { PyCFunctionFast: add_float }, METH_FASTCALL, BY_HAND),
    PyMethodDef::zeroed(),
]);

/// Faster, at a price.
#[pymodule(submodule)]
pub mod fast {
    use pyo3::ffi;
    use pyo3::prelude::*;

    use super::METHODS;
    #[pymodule_export]
    use super::{buffer_in, dlpack_in};

    #[pymodule_init]
    fn add_methods(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // SAFETY: the table ends with a row of zeros, stays, and is only read.
        match unsafe { ffi::PyModule_AddFunctions(module.as_ptr(), METHODS.0.as_ptr().cast_mut()) }
        {
            0 => Ok(()),
            _ => Err(PyErr::fetch(module.py())),
        }
    }
}
