//! DLPack by its memory layout: a tensor of any library, in a capsule.
//!
//! Shows:  foreign structs; a capsule's contents; keyword arguments made once.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a capsule that is not renamed to "used_..." frees its tensor when it dies: hold it.
//!         Without max_version NumPy refuses read-only arrays; older libraries refuse max_version.

use std::ffi::c_void;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyCapsule, PyDict};

use super::items::Items;
use super::kernels::sum_floats;

const CPU: i32 = 1;
const FLOAT: u8 = 2;

#[repr(C)]
struct Tensor {
    data: *const u8,
    device: i32,
    device_id: i32,
    ndim: i32,
    kind: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64, // in items; NULL when C-contiguous
    byte_offset: u64,
}

#[repr(C)]
struct Versioned {
    version: [u32; 2],
    manager: *mut c_void,
    deleter: *mut c_void,
    flags: u64,
    tensor: Tensor,
}

/// Return the capsule of `values.__dlpack__`, of the newest version that it knows.
fn capsule<'py>(values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
    static NEWEST: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let py = values.py();
    let newest = NEWEST.get_or_try_init(py, || {
        Ok::<_, PyErr>([("max_version", (1, 0))].into_py_dict(py)?.unbind())
    })?;
    let Some(method) = values.getattr_opt(intern!(py, "__dlpack__"))? else {
        return Err(PyTypeError::new_err("values must have __dlpack__"));
    };
    let made = match method.call((), Some(newest.bind(py))) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => method.call0(),
        made => made,
    };
    Ok(made?.cast_into()?)
}

fn tensor<'a>(capsule: &'a Bound<'_, PyCapsule>) -> PyResult<&'a Tensor> {
    if !capsule.is_valid_checked(Some(c"dltensor_versioned")) {
        let tensor = capsule.pointer_checked(Some(c"dltensor"))?.cast();
        // SAFETY: by DLPack's definition of this name; the capsule keeps it alive.
        return Ok(unsafe { tensor.as_ref() });
    }
    let versioned = capsule.pointer_checked(Some(c"dltensor_versioned"))?.cast::<Versioned>();
    // SAFETY: as above. Every version has this field in the same place.
    match unsafe { (*versioned.as_ptr()).version } {
        [1, _] => Ok(unsafe { &(*versioned.as_ptr()).tensor }),
        [major, _] => Err(PyValueError::new_err(format!("DLPack {major} is unknown"))),
    }
}

/// Return the items of a 1-D C-contiguous float64 tensor on the CPU.
fn items<'a>(capsule: &'a Bound<'_, PyCapsule>) -> PyResult<Items<'a, f64>> {
    let tensor = tensor(capsule)?;
    if (tensor.device, tensor.kind, tensor.bits, tensor.lanes) != (CPU, FLOAT, 64, 1) {
        return Err(PyTypeError::new_err("values must be float64 on the CPU"));
    }
    // SAFETY: a tensor of one dimension has one length, and one stride unless it has none.
    let (n, stride) = match tensor.ndim {
        1 if !tensor.shape.is_null() => unsafe {
            (*tensor.shape, tensor.strides.as_ref().map_or(1, |stride| *stride))
        },
        _ => return Err(PyValueError::new_err("values must have one dimension")),
    };
    let start = tensor.data.wrapping_add(tensor.byte_offset as usize).cast::<f64>();
    if (n > 1 && stride != 1) || (n > 0 && (tensor.data.is_null() || !start.is_aligned())) {
        return Err(PyValueError::new_err("values must be C-contiguous and aligned"));
    }
    if !(0..=i64::MAX / 8).contains(&n) {
        return Err(PyValueError::new_err("values must have a size that can be in memory"));
    }
    // SAFETY: there are that many aligned items, for as long as the capsule lives.
    Ok(unsafe { Items::new(start, n as usize, size_of::<f64>() as isize) })
}

/// Return the sum of a float64 tensor of any library.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn dlpack_in(values: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(sum_floats(items(&capsule(values)?)?))
}
