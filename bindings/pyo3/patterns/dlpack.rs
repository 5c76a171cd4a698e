//! DLPack by its memory layout: a tensor of any library, and a new one of the library of another.
//!
//! Shows:  foreign structs; a capsule's contents; keyword arguments made once; the C exchange API
//!         of a type, which needs no Python; an error that a C function reports to a callback.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a capsule that is not renamed to "used_..." frees its tensor when it dies: hold it.
//!         Without max_version NumPy refuses read-only arrays; older libraries refuse max_version.
//!         What the exchange API fills in nobody owns: no Python code may run while it is used.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::{MaybeUninit, zeroed};
use std::ptr::null_mut;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyCapsule, PyDict, PyString};
use pyo3::{ffi, intern};

use super::arrays::array_out;
use super::items::Items;
use super::kernels::sum_floats;

const CPU: i32 = 1;
const FLOAT: u8 = 2;

#[repr(C)]
struct Tensor {
    data: *mut u8,
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
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

type SetError = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char);
type Allocate =
    unsafe extern "C" fn(*mut Tensor, *mut *mut Versioned, *mut c_void, SetError) -> c_int;

#[repr(C)]
struct ExchangeApi {
    version: [u32; 2],
    older: *const c_void,
    allocate: Option<Allocate>,
    export: *const c_void,
    import: Option<unsafe extern "C" fn(*mut Versioned, *mut *mut ffi::PyObject) -> c_int>,
    view: Option<unsafe extern "C" fn(*mut ffi::PyObject, *mut Tensor) -> c_int>,
    stream: *const c_void,
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
fn items(tensor: &Tensor) -> PyResult<Items<'_, f64>> {
    let Tensor { device, ndim, kind, bits, lanes, .. } = *tensor;
    if (kind, bits, lanes) != (FLOAT, 64, 1) {
        let names = ["int", "uint", "float", "opaque", "bfloat", "complex", "bool"];
        let name = names.get(usize::from(kind)).unwrap_or(&"small float ");
        return Err(PyTypeError::new_err(format!("values must be float64, not {name}{bits}")));
    }
    if device != CPU {
        return Err(PyValueError::new_err(format!("values must be on the CPU, not {device}")));
    }
    // SAFETY: a tensor of one dimension has one length, and one stride unless it has none.
    let (n, stride) = match ndim {
        1 if !tensor.shape.is_null() => unsafe {
            (*tensor.shape, tensor.strides.as_ref().map_or(1, |stride| *stride))
        },
        _ => return Err(PyValueError::new_err("values must have one dimension")),
    };
    let start = tensor.data.wrapping_add(tensor.byte_offset as usize).cast::<f64>();
    let nowhere = n > 0 && (tensor.data.is_null() || !start.is_aligned());
    if nowhere || (n > 1 && stride != 1) || !(0..=i64::MAX / 8).contains(&n) {
        return Err(PyValueError::new_err("values must be C-contiguous, aligned and in memory"));
    }
    // SAFETY: there are that many aligned items, for as long as the tensor is valid.
    Ok(unsafe { Items::new(start, n as usize, size_of::<f64>() as isize) })
}

/// Return the sum of a float64 tensor of any library.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn dlpack_in(values: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(sum_floats(items(tensor(&capsule(values)?)?)?))
}

// ---- the exchange API ----------------------------------------------------------------------

/// Return the C exchange API of an object's type, if that has one that we know.
fn exchange_api(object: &Bound<'_, PyAny>) -> PyResult<Option<&'static ExchangeApi>> {
    // SAFETY: any object will do.
    if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0 {
        return Ok(None); // NumPy's: to find nothing would cost more than __dlpack__
    }
    let name = intern!(object.py(), "__dlpack_c_exchange_api__");
    let Some(found) = object.get_type().getattr_opt(name)? else {
        return Ok(None);
    };
    let capsule = found.cast_into::<PyCapsule>().ok();
    let found = capsule.and_then(|it| it.pointer_checked(Some(c"dlpack_exchange_api")).ok());
    // SAFETY: by DLPack's definition of this name; the API lives as long as the process.
    let api = found.map(|found| unsafe { found.cast::<ExchangeApi>().as_ref() });
    Ok(api.filter(|api| api.version[0] == 1))
}

/// Return the truth of an attribute, or of its answer if it is a method; no attribute is false.
fn holds(values: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    match values.getattr_opt(name)? {
        Some(method) if method.is_callable() => method.call0()?.is_truthy(),
        Some(attribute) => attribute.is_truthy(),
        None => Ok(false),
    }
}

/// Return the sum of a float64 tensor, taken without Python if its library can.
///
/// The exchange API exports some tensors that torch's `__dlpack__` refuses in clear words, and it
/// does not say if a view negates; such a view of two items or more would have gaps.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn tensor_in(values: &Bound<'_, PyAny>) -> PyResult<f64> {
    let py = values.py();
    let Some(view) = exchange_api(values)?.and_then(|api| api.view) else {
        return dlpack_in(values);
    };
    let seen = || {
        let mut tensor = MaybeUninit::uninit();
        // SAFETY: an object of the type that has the API, which fills the tensor in.
        match unsafe { view(values.as_ptr(), tensor.as_mut_ptr()) } {
            0 => Ok(unsafe { tensor.assume_init() }),
            _ => Err(PyErr::fetch(py)),
        }
    };
    let (false, Ok(mut tensor)) = (holds(values, intern!(py, "requires_grad"))?, seen()) else {
        return dlpack_in(values);
    };
    if items(&tensor)?.len() == 1 {
        if holds(values, intern!(py, "is_neg"))? {
            let message = "values must not be a view that negates: call resolve_neg()";
            return Err(PyValueError::new_err(message));
        }
        tensor = seen()?; // after any Python code
    }
    Ok(sum_floats(items(&tensor)?))
}

/// Raise what an allocation reports, with the GIL held.
unsafe extern "C" fn raise(_: *mut c_void, kind: *const c_char, message: *const c_char) {
    // SAFETY: two C strings, as DLPack says.
    unsafe {
        let memory = CStr::from_ptr(kind) == c"MemoryError";
        let class = if memory { ffi::PyExc_MemoryError } else { ffi::PyExc_RuntimeError };
        ffi::PyErr_SetString(class, message);
    }
}

/// Return a new tensor 0.0, 1.0 ... n - 1 of the library of another.
#[pyfunction]
#[pyo3(signature = (like, n, /))]
pub fn tensor_out<'py>(like: &Bound<'py, PyAny>, n: isize) -> PyResult<Bound<'py, PyAny>> {
    let py = like.py();
    let api = exchange_api(like)?;
    let Some(&ExchangeApi { allocate: Some(allocate), import: Some(import), .. }) = api else {
        let module = py.import("ffi_cookbook.bindings._glue.arrays")?;
        return module.call_method1("tensor_like", (like, array_out(py, n)?));
    };
    if n < 0 {
        return Err(PyValueError::new_err(format!("n must be at least 0, not {n}")));
    }
    let (mut made, mut object) = (null_mut(), null_mut());
    let size = n as i64;
    // SAFETY: the functions of one library, called as DLPack says; its memory has that room.
    unsafe {
        let shape = &raw const size;
        let mut like =
            Tensor { device: CPU, ndim: 1, kind: FLOAT, bits: 64, lanes: 1, shape, ..zeroed() };
        if allocate(&mut like, &mut made, null_mut(), raise) == 0 && !made.is_null() {
            let tensor = &(*made).tensor;
            let room = items(tensor).inspect_err(|_| {
                (*made).deleter.inspect(|delete| delete(made));
            })?;
            let data = tensor.data.add(tensor.byte_offset as usize).cast::<f64>();
            (0..room.len()).for_each(|i| data.add(i).write(i as f64));
            import(made, &mut object);
        }
        Bound::from_owned_ptr_or_err(py, object)
    }
}
