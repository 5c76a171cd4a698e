//! The parts of a model that a tokenizer reads, and the kernel that it opens, through PyO3.
//!
//! Shows:  an object's attributes read once, with the object's own exceptions; an argument that
//!         only Python code understands; a kernel without the GIL, which Ctrl-C ends with the
//!         exception of the signal's handler.
//! Bites:  reading an attribute can run any code: a call borrows memory after it, or holds the
//!         object. Only the main thread runs signal handlers.

use std::borrow::Cow;
use std::sync::OnceLock;

use cookbook_kernels::Error;
use cookbook_kernels::tokenizer::{self, Interrupt};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString, PyTuple};

// ---- arguments -----------------------------------------------------------------------------

/// Return a model's blob as bytes, which cannot change: itself, or a copy of other memory.
pub struct Blob(PyBackedBytes);

impl Blob {
    pub fn of(bytes: Bound<'_, PyBytes>) -> Self {
        Self(bytes.into())
    }
}

impl AsRef<[u8]> for Blob {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A model's policy for its special tokens: one byte for each.
fn policy_of(policy: &Bound<'_, PyAny>, n_special: usize) -> PyResult<Vec<u8>> {
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

/// Return true in the thread that runs signal handlers.
fn handles_signals(py: Python<'_>) -> PyResult<bool> {
    py.import("ffi_cookbook.bindings._glue.signals")?.call_method0("handles_signals")?.extract()
}

/// The parts of a model that a tokenizer needs, read once. Reading them can run any code.
pub struct Model {
    pub kernel: tokenizer::Model<Blob>,
    pub object: Py<PyAny>,
    pub names: Py<PyAny>,
    default_policy: Vec<u8>,
}

impl Model {
    pub fn of(model: &Bound<'_, PyAny>) -> PyResult<Self> {
        let module = model.py().import("ffi_cookbook.bindings._glue.text")?;
        let answers = module.call_method1("asked", (model,))?;
        let (names, policy, blob): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyBytes>) =
            answers.extract()?;
        let kernel = tokenizer::Model::open(Blob::of(blob))
            .map_err(|_| PyValueError::new_err("not a tokenizer model"))?;
        let default_policy = policy_of(&policy, kernel.n_special())?;
        Ok(Self { kernel, object: model.clone().unbind(), names: names.unbind(), default_policy })
    }

    /// Run a kernel without the GIL, unless it has so few bytes to work on that releasing the GIL
    /// would cost more than the kernel. A long call also runs signal handlers, in the main thread
    /// alone, and returns the exception that one of them raises.
    pub fn run<T: Send>(
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
        result.map_err(|error| crate::exception("tokenizer_error", &error, self.names.bind(py)))
    }

    /// Return the action for each special token: the model's default, or its reading of the
    /// arguments.
    pub fn policy<'py>(
        &self,
        py: Python<'py>,
        allowed: Option<Bound<'py, PyAny>>,
        disallowed: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Cow<'_, [u8]>> {
        if allowed.is_none() && disallowed.is_none() {
            return Ok(Cow::Borrowed(&self.default_policy));
        }
        let allowed = allowed.unwrap_or_else(|| PyTuple::empty(py).into_any());
        let disallowed = disallowed.unwrap_or_else(|| PyString::new(py, "all").into_any());
        let policy = self.object.call_method1(py, "special_policy", (allowed, disallowed))?;
        Ok(Cow::Owned(policy_of(policy.bind(py), self.kernel.n_special())?))
    }
}
