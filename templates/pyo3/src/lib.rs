use std::ffi::{CStr, c_char, c_double, c_int, c_void};
use std::ptr::{NonNull, null_mut};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

#[repr(C)]
struct SmoothAverage {
    _opaque: [u8; 0],
}
const SMOOTH_OK: c_int = 0;
const SMOOTH_MEMORY: c_int = 3;

unsafe extern "C" {
    fn smooth_create(alpha: c_double, average: *mut *mut SmoothAverage) -> c_int;
    fn smooth_free(average: *mut SmoothAverage);
    fn smooth_update(a: *mut SmoothAverage, x: *const f64, y: *mut f64, n: usize) -> c_int;
    fn smooth_crc32(data: *const c_void, size: usize) -> u32;
    fn smooth_message(error: c_int) -> *const c_char;
}

fn check(code: c_int) -> PyResult<()> {
    match code {
        SMOOTH_OK => Ok(()),
        SMOOTH_MEMORY => Err(PyMemoryError::new_err(())),
        _ => {
            // SAFETY: the library returns static text for each of its codes.
            let text = unsafe { CStr::from_ptr(smooth_message(code)) };
            Err(PyValueError::new_err(text.to_string_lossy().into_owned()))
        }
    }
}

/// The averages of `x`, or what is wrong: a function of your own, which knows nothing of Python.
fn averages(x: &[f64], alpha: f64) -> Result<Vec<f64>, &'static str> {
    if !(alpha > 0.0 && alpha <= 1.0) {
        return Err("alpha must be above 0 and at most 1");
    }
    if !x.iter().all(|value| value.is_finite()) {
        return Err("x must be finite");
    }
    let mut average = x.first().copied().unwrap_or_default();
    let next = |value: &f64| {
        average += alpha * (value - average);
        average
    };
    Ok(x.iter().map(next).collect())
}

/// Return the exponential moving average of the float64 array `x`.
#[pyfunction]
fn ema<'py>(x: &Bound<'py, PyAny>, alpha: f64) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let array: PyReadonlyArray1<f64> = x.extract()?; // after alpha: a __float__ may change it
    let y = averages(array.as_slice()?, alpha).map_err(PyValueError::new_err)?;
    Ok(PyArray1::from_vec(x.py(), y))
}

/// Return the CRC-32 of a bytes-like object.
#[pyfunction]
fn crc32(data: PyBuffer<u8>) -> PyResult<u32> {
    if !data.is_c_contiguous() {
        return Err(PyValueError::new_err("data must be contiguous"));
    }
    // SAFETY: the buffer is exported, and so alive, until `data` is dropped. Nobody may write to
    // it meanwhile: the GIL sees to that, and without it (a module needs none) the caller must.
    Ok(unsafe { smooth_crc32(data.buf_ptr(), data.len_bytes()) })
}

/// An exponential moving average that goes on from call to call.
#[pyclass(module = "smooth")]
struct Average(NonNull<SmoothAverage>);

// SAFETY: the library ties a handle to no thread; PyO3 gives it to one call at a time (&mut self).
unsafe impl Send for Average {}
unsafe impl Sync for Average {}

impl Drop for Average {
    fn drop(&mut self) {
        // SAFETY: the handle came from smooth_create and is freed here only.
        unsafe { smooth_free(self.0.as_ptr()) }
    }
}

#[pymethods]
impl Average {
    #[new]
    fn new(alpha: f64) -> PyResult<Self> {
        let mut handle = null_mut();
        // SAFETY: `handle` is valid for one write.
        check(unsafe { smooth_create(alpha, &mut handle) })?;
        Ok(Self(
            NonNull::new(handle).expect("smooth_create gave a handle"),
        ))
    }

    /// Feed the float64 array `x` and return the average after each value.
    fn update<'py>(
        &mut self,
        py: Python<'py>,
        x: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let x = x.as_slice()?;
        let mut y = vec![0.0; x.len()];
        // SAFETY: both have x.len() elements, and &mut self keeps other calls out.
        check(unsafe { smooth_update(self.0.as_ptr(), x.as_ptr(), y.as_mut_ptr(), x.len()) })?;
        Ok(PyArray1::from_vec(py, y))
    }
}

#[pymodule]
mod smooth {
    #[pymodule_export]
    use super::{Average, crc32, ema};
}
