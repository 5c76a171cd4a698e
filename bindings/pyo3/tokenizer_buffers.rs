//! Bytes and ids in the caller's memory, through PyO3.
//!
//! Shows:  a call that makes no object but an int; an array that the kernel fills in place.
//! Bites:  a Rust slice promises that nobody writes to it, which a buffer does not: memory that
//!         another thread could write to is copied first.

use std::borrow::Cow;

use cookbook_kernels::tokenizer::utf8;
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::allocation::{self, copied_slice, reserved};
use crate::buffers::{Borrowed, borrow};
use crate::ndarrays::{readable, writable};
use crate::tokenizer_arguments::Model;

type Any<'py> = Bound<'py, PyAny>;

// ---- arguments -----------------------------------------------------------------------------

/// The buffer of a text: a bytes object, or memory that others may write to.
enum Source<'a> {
    Bytes(&'a [u8]),
    Other(Borrowed),
}

impl<'a> Source<'a> {
    fn of(buffer: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        match buffer.cast_exact::<PyBytes>() {
            Ok(bytes) => Ok(Source::Bytes(bytes.as_bytes())),
            Err(_) => borrow(buffer).map(Source::Other),
        }
    }

    /// Return the bytes of a bytes object, or a copy of another buffer. Refuse an `out` that
    /// overlaps them, as every binding does.
    fn apart(self, out: &[u32]) -> PyResult<Cow<'a, [u8]>> {
        let source = match self {
            Source::Bytes(bytes) => return Ok(Cow::Borrowed(bytes)),
            Source::Other(source) => source,
        };
        let (start, size) = (source.buf_ptr() as usize, source.len_bytes());
        let room = out.as_ptr_range();
        let meet = start < room.end as usize && (room.start as usize) < start + size;
        if meet && size > 0 && !out.is_empty() {
            return Err(PyValueError::new_err("out must not overlap buffer"));
        }
        Ok(Cow::Owned(copied(&source)?))
    }
}

/// Return a copy, for kernels that require memory that nobody writes to.
fn copied(buffer: &Borrowed) -> PyResult<Vec<u8>> {
    let size = buffer.len_bytes();
    let mut copy = reserved(size)?;
    // SAFETY: the buffer is contiguous, and `size` bytes were reserved.
    unsafe {
        std::ptr::copy(buffer.buf_ptr(), copy.as_mut_ptr(), size);
        copy.set_len(size);
    }
    Ok(copy)
}

// ---- kernel --------------------------------------------------------------------------------

pub fn encode_into(model: &Model, buffer: &Any<'_>, out: &Any<'_>) -> PyResult<usize> {
    let (py, source) = (out.py(), Source::of(buffer)?);
    let mut out = writable::<u32>(out, "out")?;
    if out.ndim() != 1 {
        return Err(PyValueError::new_err("out must be one-dimensional"));
    }
    let ids = out.as_slice_mut()?;
    let bytes = source.apart(ids)?;
    model.run(py, bytes.len(), |interrupt| {
        model.kernel.encode_into(utf8(&bytes)?, None, ids, interrupt)
    })
}

pub fn decode<'py>(model: &Model, ids: &Any<'py>) -> PyResult<Bound<'py, PyBytes>> {
    let (py, ids) = (ids.py(), readable::<u32>(ids, "ids")?);
    if ids.ndim() != 1 {
        return Err(PyValueError::new_err("ids must be one-dimensional"));
    }
    let ids = copied_slice(ids.as_slice()?)?;
    let mut bytes = reserved(ids.len().saturating_mul(8))?; // seldom exceeded
    model.run(py, ids.len(), |interrupt| model.kernel.decode(&ids, &mut bytes, interrupt))?;
    allocation::bytes(py, &bytes)
}
