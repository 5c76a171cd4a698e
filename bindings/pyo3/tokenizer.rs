//! The tokenizer through PyO3.
//!
//! Shows:  a Rust struct as a Python class: constructor, methods, keyword-only arguments, an attribute,
//!         pickling, garbage collection.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a frozen pyclass needs no lock and no borrow flag. A class that refers to Python objects
//!         has to report them to the garbage collector.
//! Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
//! calls share nothing but the kernel's pool, so any number of threads may call it at once. Results
//! belong to the caller.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};

use crate::tokenizer_arguments::Model;
use crate::{tokenizer_batch as batch, tokenizer_buffers as buffers, tokenizer_calls as calls};

type Any<'py> = Bound<'py, PyAny>;
type Ids<'py> = Bound<'py, PyArray1<u32>>;
type Offsets<'py> = Bound<'py, PyArray1<i64>>;

// ---- object --------------------------------------------------------------------------------

/// A byte-level BPE tokenizer; see ffi_cookbook.bindings.protocol.Tokenizer.
#[pyclass(frozen, module = "ffi_cookbook_pyo3")]
pub struct Tokenizer(Model);

/// An argument that was given, even if it is None.
fn given<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(object.clone()))
}

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

    // There is no __clear__, as for a tuple: the objects that a tokenizer refers to existed before
    // it and are never replaced, so a cycle leads through another object, which can be cleared.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0.object)?;
        visit.call(&self.0.names)
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
        calls::encode(&self.0, text, allowed_special, disallowed_special)
    }

    /// Write the ids of UTF-8 bytes into an array.
    #[pyo3(signature = (buffer, out, /))]
    fn encode_into(&self, buffer: &Any<'_>, out: &Any<'_>) -> PyResult<usize> {
        buffers::encode_into(&self.0, buffer, out)
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
        batch::encode_batch(&self.0, texts, threads, allowed_special, disallowed_special)
    }

    /// Return the number of ids of a text.
    #[pyo3(signature = (text, /))]
    fn count(&self, text: &Any<'_>) -> PyResult<usize> {
        calls::count(&self.0, text)
    }

    /// Return where each pretoken ends.
    #[pyo3(signature = (text, /))]
    fn split<'py>(&self, text: &Any<'py>) -> PyResult<Offsets<'py>> {
        calls::split(&self.0, text)
    }

    /// Return the bytes of ids.
    #[pyo3(signature = (ids, /))]
    fn decode<'py>(&self, ids: &Any<'py>) -> PyResult<Bound<'py, PyBytes>> {
        buffers::decode(&self.0, ids)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Any<'py>, (Py<PyAny>,)) {
        (slf.get_type().into_any(), (slf.get().model(slf.py()),))
    }
}
