//! Functions as CPython calls them.
//!
//! Shows:  C API functions written in Rust, and the table that adds them to a module.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  without #[pyfunction] most of a call's cost is saved, and its protection is lost: a
//!         panic ends the process, an error is NULL with an exception set.

use std::ffi::CStr;
use std::ptr;

use pyo3::ffi::{self, METH_FASTCALL, METH_NOARGS, PyMethodDef, PyMethodDefPointer, PyObject};
use pyo3::prelude::*;

use super::kernels;

type Arguments = *mut *mut PyObject;

// SAFETY, for all functions that CPython calls: `arguments` points to `n` borrowed objects; the
// result is a new reference, or NULL with an exception set.

/// Return the arguments if there are two, else None with an exception set.
unsafe fn two(arguments: Arguments, n: isize) -> Option<[*mut PyObject; 2]> {
    unsafe {
        if n != 2 {
            ffi::PyErr_SetString(ffi::PyExc_TypeError, c"expected 2 arguments".as_ptr());
            return None;
        }
        Some([*arguments, *arguments.add(1)])
    }
}

/// Return the value, unless it marks a failure with an exception set.
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

const BY_HAND: &CStr = c"Called by CPython itself, without PyO3's wrapper and its safety.";

static METHODS: Methods = Methods([
    method(c"noop", PyMethodDefPointer { PyCFunction: noop }, METH_NOARGS, BY_HAND),
    method(c"add_int", PyMethodDefPointer { PyCFunctionFast: add_int }, METH_FASTCALL, BY_HAND),
    method(c"add_float", PyMethodDefPointer { PyCFunctionFast: add_float }, METH_FASTCALL, BY_HAND),
    PyMethodDef::zeroed(),
]);

/// Put the functions into a module.
pub fn add_methods(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the table ends with a row of zeros, is static, and is only read.
    match unsafe { ffi::PyModule_AddFunctions(module.as_ptr(), METHODS.0.as_ptr().cast_mut()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(module.py())),
    }
}
