//! The helpers of the record writer through PyO3: checksums, frames and varints.
//!
//! Shows:  a kernel run without the GIL where the work is long enough; bytes made of a vector.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  the elements of an array are read as `Input`: a slice would promise that nobody writes.

use cookbook_kernels::{Input, Isa, crc32c as sums, framing, varints};
use numpy::{PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::allocation::{bytes, reserved};
use crate::buffers::{borrow, input};
use crate::ndarrays::readable;

// ---- arguments -----------------------------------------------------------------------------

fn without_gil<R: Send>(py: Python<'_>, size: usize, work: impl FnOnce() -> R + Send) -> R {
    const WORTH_THE_GIL: usize = 4096;
    if size < WORTH_THE_GIL { work() } else { py.detach(work) }
}

// ---- kernels -------------------------------------------------------------------------------

/// Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend.
#[pyfunction]
#[pyo3(signature = (buffer, before=0, /))]
pub fn crc32c(py: Python<'_>, buffer: &Bound<'_, PyAny>, before: u32) -> PyResult<u32> {
    let buffer = borrow(buffer)?;
    let (data, isa) = (input(&buffer), Isa::current());
    Ok(without_gil(py, data.len(), || sums::continued(isa, before, data)))
}

/// Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend.
#[pyfunction]
#[pyo3(signature = (records, /))]
pub fn frame_records<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let refused = |given: &Bound<'_, PyAny>| match given.get_type().name() {
        Ok(kind) => {
            PyTypeError::new_err(format!("records must be a list or tuple of bytes, not {kind}"))
        }
        Err(error) => error,
    };
    if !records.is_instance_of::<PyList>() && !records.is_instance_of::<PyTuple>() {
        return Err(refused(records));
    }
    let held = with_critical_section(records, || {
        let mut held: Vec<Bound<'py, PyBytes>> = reserved(records.len()?)?;
        for record in records.try_iter()? {
            let record = record?;
            let bytes = record.cast::<PyBytes>().map_err(|_| refused(&record))?;
            held.try_reserve(1).map_err(|_| PyMemoryError::new_err(()))?; // as its iterator yields
            held.push(bytes.clone());
        }
        Ok::<_, PyErr>(held)
    })?;
    let each: Vec<&[u8]> = held.iter().map(|record| record.as_bytes()).collect();
    let size = each.iter().map(|record| record.len() + framing::SIZE).sum();
    let (mut out, isa) = (reserved(size)?, Isa::current());
    without_gil(py, size, || each.iter().for_each(|record| framing::append(isa, record, &mut out)));
    bytes(py, &out)
}

/// Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend.
#[pyfunction]
#[pyo3(signature = (values, /))]
pub fn encode_varints<'py>(
    py: Python<'py>,
    values: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let values: PyReadonlyArrayDyn<'_, i64> = readable(values, "values")?;
    if values.ndim() != 1 {
        return Err(PyValueError::new_err("values must be one-dimensional"));
    }
    let size = values.len() * size_of::<i64>();
    // SAFETY: the array is contiguous, and its memory stays for as long as it is borrowed.
    let data = unsafe { Input::from_raw(values.data().cast(), size) };
    let mut out = reserved(varints::LONGEST * values.len())?;
    without_gil(py, size, || varints::encode(data, &mut out));
    bytes(py, &out)
}
