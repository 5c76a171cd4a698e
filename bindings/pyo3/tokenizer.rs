//! The tokenizer through PyO3.
//!
//! Shows:  a Rust struct as a Python class: constructor, methods, keyword-only arguments, an attribute,
//!         pickling, garbage collection; text borrowed as &str; an array made of a vector without a
//!         copy; an argument that only Python code understands; a kernel without the GIL, which
//!         Ctrl-C ends with the exception of the signal's handler.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a frozen pyclass needs no lock and no borrow flag. A class that refers to Python objects
//!         has to report them to the garbage collector. Reading an attribute can run any code: a call
//!         borrows memory after it, or holds the object; a batch holds each of its texts. A Rust slice
//!         promises that nobody writes to it, which a buffer does not: memory that another thread could
//!         write to is copied first.
//! Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
//! calls share nothing but the kernel's pool, so any number of threads may call it at once. Results
//! belong to the caller.

use std::borrow::Cow;
use std::sync::OnceLock;

use cookbook_kernels::Error;
use cookbook_kernels::tokenizer::{Interrupt, Model, utf8};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::buffers::{Borrowed, borrow};
use crate::memory::{self, copied_slice, empty, reserved, shorten};
use crate::ndarrays::{readable, writable};
use crate::text::text_of;

type Any<'py> = Bound<'py, PyAny>;
type Ids<'py> = Bound<'py, PyArray1<u32>>;
type Offsets<'py> = Bound<'py, PyArray1<i64>>;

// ---- arguments -----------------------------------------------------------------------------

/// A model's blob, which cannot change.
struct Blob(PyBackedBytes);

impl AsRef<[u8]> for Blob {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// An argument that was given, even if it is None.
fn given<'py>(object: &Any<'py>) -> PyResult<Option<Any<'py>>> {
    Ok(Some(object.clone()))
}

/// A model's policy for its special tokens: one byte for each.
fn policy_of(policy: &Any<'_>, n_special: usize) -> PyResult<Vec<u8>> {
    let Ok(bytes) = policy.cast::<PyBytes>() else {
        let kind = policy.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a model's policy must be bytes, not {kind}")));
    };
    if bytes.as_bytes().len() != n_special {
        let message = "a model's policy must have one byte for each of its special tokens";
        return Err(PyValueError::new_err(message));
    }
    Ok(bytes.as_bytes().to_vec())
}

/// Return the items of a list or tuple, held so that their text can be borrowed.
fn texts_of<'py>(texts: &Any<'py>) -> PyResult<Vec<Any<'py>>> {
    if !texts.is_instance_of::<PyList>() && !texts.is_instance_of::<PyTuple>() {
        let kind = texts.get_type().name()?;
        let message = format!("texts must be a list or tuple of str or bytes, not {kind}");
        return Err(PyTypeError::new_err(message));
    }
    with_critical_section(texts, || {
        let mut held = reserved(texts.len()?)?;
        for text in texts.try_iter()? {
            held.try_reserve(1).map_err(|_| PyMemoryError::new_err(()))?; // it may yield more
            held.push(text?);
        }
        Ok(held)
    })
}

/// The texts before the first one that is not UTF-8, whose errors come first, and the error of that
/// one.
fn good_texts<'a>(held: &'a [Any<'_>]) -> PyResult<(Vec<Cow<'a, str>>, Option<Error>)> {
    let (mut good, mut bad) = (reserved(held.len())?, None);
    for (number, text) in held.iter().enumerate() {
        match text_of(text)?.checked() {
            Ok(text) if bad.is_none() => good.push(text),
            Err(error) if bad.is_none() => bad = Some(Error { record: number as i64, ..error }),
            _ => {} // its type was checked
        }
    }
    Ok((good, bad))
}

/// Return a copy of a buffer that others may write to. Refuse an `out` that overlaps it, as every
/// binding does.
fn copied(buffer: &Borrowed, out: &[u32]) -> PyResult<Vec<u8>> {
    let (start, size) = (buffer.buf_ptr() as usize, buffer.len_bytes());
    let room = out.as_ptr_range();
    let meet = start < room.end as usize && (room.start as usize) < start + size;
    if meet && size > 0 && !out.is_empty() {
        return Err(PyValueError::new_err("out must not overlap buffer"));
    }
    let mut copy = reserved(size)?;
    // SAFETY: the buffer is contiguous, and `size` bytes were reserved.
    unsafe {
        std::ptr::copy(buffer.buf_ptr(), copy.as_mut_ptr(), size);
        copy.set_len(size);
    }
    Ok(copy)
}

// ---- object --------------------------------------------------------------------------------

/// A byte-level BPE tokenizer; see protocol.Tokenizer.
#[pyclass(frozen, module = "ffi_cookbook_pyo3")]
pub struct Tokenizer {
    kernel: Model<Blob>,
    model: Py<PyAny>,
    special_names: Py<PyAny>,
    default_policy: Vec<u8>,
    /// The policy of a call that takes special tokens as plain text; none if all are.
    ordinary: Option<Vec<u8>>,
}

impl Tokenizer {
    /// Return the action for each special token: the model's default, or its reading of the
    /// arguments, which can run any code.
    fn policy<'py>(
        &self,
        py: Python<'py>,
        allowed: Option<Any<'py>>,
        disallowed: Option<Any<'py>>,
    ) -> PyResult<Cow<'_, [u8]>> {
        if allowed.is_none() && disallowed.is_none() {
            return Ok(Cow::Borrowed(&self.default_policy));
        }
        let allowed = allowed.unwrap_or_else(|| PyTuple::empty(py).into_any());
        let disallowed = disallowed.unwrap_or_else(|| PyString::new(py, "all").into_any());
        let policy = self.model.call_method1(py, "special_policy", (allowed, disallowed))?;
        Ok(Cow::Owned(policy_of(policy.bind(py), self.kernel.n_special())?))
    }

    /// Run a kernel without the GIL, unless it has so few bytes to work on that releasing the GIL
    /// would cost more than the kernel. A long call also runs signal handlers, in the main thread
    /// alone, and returns the exception that one of them raises.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        size: usize,
        kernel: impl Send + FnOnce(Option<&Interrupt<'_>>) -> Result<T, Error>,
    ) -> PyResult<T> {
        const WORTH_THE_GIL: usize = 1 << 10;
        const LONG: usize = 1 << 20;
        let result = if size < WORTH_THE_GIL {
            kernel(None)
        } else if size < LONG || !handles_signals(py)? {
            py.detach(|| kernel(None))
        } else {
            let raised = OnceLock::new();
            let ask = || {
                let checked = Python::attach(|py| py.check_signals());
                checked.is_err_and(|error| raised.set(error).is_ok())
            };
            let interrupt = Interrupt::new(&ask);
            let result = py.detach(|| kernel(Some(&interrupt)));
            if let Some(error) = raised.into_inner() {
                return Err(error);
            }
            result
        };
        let names = self.special_names.bind(py);
        result.map_err(|error| crate::exception("tokenizer_error", &error, names))
    }
}

/// Return true in the thread that runs signal handlers.
fn handles_signals(py: Python<'_>) -> PyResult<bool> {
    py.import("ffi_cookbook.bindings._glue.signals")?.call_method0("handles_signals")?.extract()
}

#[pymethods]
impl Tokenizer {
    #[new]
    fn new(model: &Any<'_>) -> PyResult<Self> {
        let module = model.py().import("ffi_cookbook.bindings._glue.text")?;
        let answers = module.call_method1("asked", (model,))?;
        let (names, policy, ordinary, blob): (Any<'_>, Any<'_>, Any<'_>, Bound<'_, PyBytes>) =
            answers.extract()?;
        let kernel = Model::open(Blob(blob.into()))
            .map_err(|_| PyValueError::new_err("not a tokenizer model"))?;
        let default_policy = policy_of(&policy, kernel.n_special())?;
        let plain = !ordinary.is_empty()?;
        let ordinary = plain.then(|| policy_of(&ordinary, kernel.n_special())).transpose()?;
        let (model, special_names) = (model.clone().unbind(), names.unbind());
        Ok(Self { kernel, model, special_names, default_policy, ordinary })
    }

    #[getter]
    fn model(&self, py: Python<'_>) -> Py<PyAny> {
        self.model.clone_ref(py)
    }

    // There is no __clear__, as for a tuple: the objects that a tokenizer refers to existed before
    // it and are never replaced, so a cycle leads through another object, which can be cleared.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.model)?;
        visit.call(&self.special_names)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Any<'py>, (Py<PyAny>,)) {
        (slf.get_type().into_any(), (slf.get().model(slf.py()),))
    }

    // ---- kernel ----------------------------------------------------------------------------

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
        let policy = self.policy(py, allowed_special, disallowed_special)?;
        let size = text.len();
        let mut ids = reserved(size / 8 * 5)?; // seldom exceeded
        self.run(py, size, |interrupt| {
            self.kernel.encode(&text.checked()?, Some(&policy), &mut ids, interrupt)
        })?;
        Ok(PyArray1::from_vec(py, ids))
    }

    /// Write the ids of UTF-8 bytes into an array.
    #[pyo3(signature = (buffer, out, /))]
    fn encode_into(&self, buffer: &Any<'_>, out: &Any<'_>) -> PyResult<usize> {
        let (py, bytes) = (out.py(), buffer.cast_exact::<PyBytes>());
        let view = if bytes.is_ok() { None } else { Some(borrow(buffer)?) };
        let mut out = writable::<u32>(out, "out")?;
        if out.ndim() != 1 {
            return Err(PyValueError::new_err("out must be one-dimensional"));
        }
        let ids = out.as_slice_mut()?;
        let bytes = match &view {
            Some(view) => Cow::Owned(copied(view, ids)?),
            None => Cow::Borrowed(bytes?.as_bytes()),
        };
        self.run(py, bytes.len(), |interrupt| {
            self.kernel.encode_into(utf8(&bytes)?, self.ordinary.as_deref(), ids, interrupt)
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
        let policy = self.policy(py, allowed_special, disallowed_special)?;
        let size: usize = texts.iter().map(|text| text.len()).sum();
        let ids: Ids = empty::<u32>(py, &mut [size as isize])?.into_any().cast_into()?;
        // SAFETY: nobody else has the array, and only the written part is read.
        let room = unsafe { std::slice::from_raw_parts_mut(ids.data().cast(), size) };
        let offsets = self.run(py, size, |interrupt| {
            let kernel = &self.kernel;
            let done = kernel.encode_batch_into(&texts, Some(&policy), threads, room, interrupt);
            done.and_then(|offsets| bad.map_or(Ok(offsets), Err))
        })?;
        // SAFETY: nobody else has it yet, and the kernel wrote this number of ids.
        unsafe { shorten(&ids, offsets.last().map_or(0, |&end| end as usize))? };
        Ok((ids, PyArray1::from_vec(py, offsets)))
    }

    /// Return the number of ids of a text.
    #[pyo3(signature = (text, /))]
    fn count(&self, text: &Any<'_>) -> PyResult<usize> {
        let (py, text) = (text.py(), text_of(text)?);
        self.run(py, text.len(), |interrupt| {
            self.kernel.count(&text.checked()?, self.ordinary.as_deref(), interrupt)
        })
    }

    /// Return where each pretoken ends.
    #[pyo3(signature = (text, /))]
    fn split<'py>(&self, text: &Any<'py>) -> PyResult<Offsets<'py>> {
        let (py, text) = (text.py(), text_of(text)?);
        let mut ends = Vec::new();
        self.run(py, text.len(), |interrupt| {
            self.kernel.split(&text.checked()?, &mut ends, interrupt)
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
        let mut bytes = reserved(ids.len().saturating_mul(8))?; // seldom exceeded
        self.run(py, ids.len(), |interrupt| self.kernel.decode(&ids, &mut bytes, interrupt))?;
        memory::bytes(py, &bytes)
    }
}
