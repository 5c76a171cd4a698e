//! The tokenizer through PyO3.
//!
//! Shows:  a Rust struct as a Python class: constructor, methods, keyword-only arguments, an attribute,
//!         pickling; text borrowed as &str; arrays made from vectors without a copy,
//!         or shortened in place.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a &str from Python is valid UTF-8 that cannot change; most buffers are neither, so
//!         encode_into copies them first. A frozen pyclass needs no lock and no borrow flag.
//!         A class that refers to Python objects has to say so to the garbage collector.
//! Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
//! calls share nothing but the kernel's pool, so any number of threads may call it at once. Results
//! belong to the caller.

use cookbook_kernels::tokenizer::utf8;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};

use crate::allocation::{self, copied_slice, reserved};
use crate::empty::{empty, shorten};
use crate::model::{Model, given};
use crate::ndarrays::{readable, writable};
use crate::texts::{Source, good_texts, text_of, texts_of};

type Any<'py> = Bound<'py, PyAny>;
type Ids<'py> = Bound<'py, PyArray1<u32>>;
type Offsets<'py> = Bound<'py, PyArray1<i64>>;

/// A byte-level BPE tokenizer; see bindings.protocol.Tokenizer.
#[pyclass(frozen, module = "ffi_cookbook_pyo3")]
pub struct Tokenizer(Model);

// ---- kernels -------------------------------------------------------------------------------

#[pymethods]
impl Tokenizer {
    #[new]
    fn new(model: &Any<'_>) -> PyResult<Self> {
        Ok(Tokenizer(Model::of(model)?))
    }

    #[getter]
    fn model(&self, py: Python<'_>) -> Py<PyAny> {
        self.0.object.clone_ref(py)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(&visit)
    }

    /// Return the ids of a text.
    #[pyo3(
        signature = (text, /, *, allowed_special=None, disallowed_special=None),
        text_signature = "($self, text, /, *, allowed_special=(), disallowed_special='all')"
    )]
    fn encode<'py>(
        &self,
        text: &Any<'py>,
        #[pyo3(from_py_with = given)] allowed_special: Option<Any<'py>>,
        #[pyo3(from_py_with = given)] disallowed_special: Option<Any<'py>>,
    ) -> PyResult<Ids<'py>> {
        let (py, text) = (text.py(), text_of(text)?);
        let policy = self.0.policy(py, allowed_special, disallowed_special)?;
        let size = text.len();
        let mut ids = reserved(size / 8 * 5)?; // they are seldom more
        self.0.run(py, size, |interrupt| {
            self.0.kernel.encode(&text.checked()?, Some(&policy), &mut ids, interrupt)
        })?;
        Ok(PyArray1::from_vec(py, ids))
    }

    /// Write the ids of UTF-8 bytes into an array.
    #[pyo3(signature = (buffer, out, /))]
    fn encode_into(&self, buffer: &Any<'_>, out: &Any<'_>) -> PyResult<usize> {
        let (py, source) = (out.py(), Source::of(buffer)?);
        let mut out = writable::<u32>(out, "out")?;
        if out.ndim() != 1 {
            return Err(PyValueError::new_err("out must be one-dimensional"));
        }
        let ids = out.as_slice_mut()?;
        let bytes = source.apart(ids)?;
        self.0.run(py, bytes.len(), |interrupt| {
            self.0.kernel.encode_into(utf8(&bytes)?, None, ids, interrupt)
        })
    }

    /// Return the ids of many texts and where each begins.
    #[pyo3(
        signature = (texts, threads=1, *, allowed_special=None, disallowed_special=None),
        text_signature = "($self, texts, threads=1, *, allowed_special=(), disallowed_special='all')"
    )]
    fn encode_batch<'py>(
        &self,
        texts: &Any<'py>,
        #[pyo3(from_py_with = crate::threads)] threads: usize,
        #[pyo3(from_py_with = given)] allowed_special: Option<Any<'py>>,
        #[pyo3(from_py_with = given)] disallowed_special: Option<Any<'py>>,
    ) -> PyResult<(Ids<'py>, Offsets<'py>)> {
        let py = texts.py();
        let held = texts_of(texts)?;
        let (texts, bad) = good_texts(&held)?;
        let policy = self.0.policy(py, allowed_special, disallowed_special)?;
        let size: usize = texts.iter().map(|text| text.len()).sum();
        let ids: Ids = empty::<u32>(py, &mut [size as isize])?.into_any().cast_into()?;
        // SAFETY: nobody else has the array, and nobody reads more of it than is written.
        let room = unsafe { std::slice::from_raw_parts_mut(ids.data().cast(), size) };
        let offsets = self.0.run(py, size, |interrupt| {
            let kernel = &self.0.kernel;
            let done = kernel.encode_batch_into(&texts, Some(&policy), threads, room, interrupt);
            done.and_then(|offsets| bad.map_or(Ok(offsets), Err))
        })?;
        // SAFETY: still nobody has it, and so many were written.
        unsafe { shorten(&ids, offsets.last().map_or(0, |&end| end as usize))? };
        Ok((ids, PyArray1::from_vec(py, offsets)))
    }

    /// Return the number of ids of a text.
    #[pyo3(signature = (text, /))]
    fn count(&self, text: &Any<'_>) -> PyResult<usize> {
        let (py, text) = (text.py(), text_of(text)?);
        self.0
            .run(py, text.len(), |interrupt| self.0.kernel.count(&text.checked()?, None, interrupt))
    }

    /// Return where each pretoken ends.
    #[pyo3(signature = (text, /))]
    fn split<'py>(&self, text: &Any<'py>) -> PyResult<Offsets<'py>> {
        let (py, text) = (text.py(), text_of(text)?);
        let mut ends = Vec::new();
        self.0.run(py, text.len(), |interrupt| {
            self.0.kernel.split(&text.checked()?, &mut ends, interrupt)
        })?;
        Ok(PyArray1::from_vec(py, ends))
    }

    /// Return the bytes of ids.
    #[pyo3(signature = (ids, /))]
    fn decode<'py>(&self, ids: &Any<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (py, ids) = (ids.py(), readable::<u32>(ids, "ids")?);
        if ids.ndim() != 1 {
            return Err(PyValueError::new_err("ids must be one-dimensional"));
        }
        let ids = copied_slice(ids.as_slice()?)?;
        let mut bytes = reserved(ids.len().saturating_mul(8))?; // they are seldom more
        self.0.run(py, ids.len(), |interrupt| self.0.kernel.decode(&ids, &mut bytes, interrupt))?;
        allocation::bytes(py, &bytes)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Any<'py>, (Py<PyAny>,)) {
        (slf.get_type().into_any(), (slf.get().model(slf.py()),))
    }
}
