//! Write a class that remembers what a Python function returned for each text.
//!
//! ```pycon
//! >>> lengths = Memo(len)
//! >>> lengths("token")     # calls len
//! 5
//! >>> lengths("token")     # returns the same object without a call
//! 5
//! >>> len(lengths)         # the number of texts it has seen
//! 1
//! >>> lengths["token"]     # never calls; KeyError if the text was not seen
//! 5
//! ```
//!
//! What the function raises reaches the caller and is not remembered. The function may call the
//! Memo again, even with the same text. A Memo owns Python objects, so cycles through it must be
//! collected: through the function, and through the results alone. The key is a str, and the
//! argument cannot be passed by keyword.
// BEGIN SOLUTION
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyKeyError;
// END SOLUTION
use pyo3::prelude::*;
//:
//: #[pyclass(frozen)]
//: struct Memo {
//:     // TODO
// BEGIN SOLUTION
use pyo3::{PyTraverseError, PyVisit};

/// A function that is called once for each text.
#[pyclass(frozen)]
struct Memo {
    function: Py<PyAny>,
    results: Mutex<HashMap<String, Py<PyAny>>>,
}

impl Memo {
    /// Return the results, locked: nothing may run Python code while the guard is alive.
    fn results(&self) -> MutexGuard<'_, HashMap<String, Py<PyAny>>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self, py: Python<'_>, text: &str) -> Option<Py<PyAny>> {
        self.results().get(text).map(|result| result.clone_ref(py))
    }
// END SOLUTION
}

#[pymethods]
impl Memo {
    #[new]
    fn new(function: Py<PyAny>) -> Memo {
    //:     todo!()
    //: }
    //:
    //: // TODO: __call__, __len__, __getitem__, __traverse__, __clear__
    // BEGIN SOLUTION
        Memo {
            function,
            results: Mutex::default(),
        }
    }

    #[pyo3(signature = (text, /))]
    fn __call__(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        if let Some(result) = self.found(py, text) {
            return Ok(result);
        }
        let result = self.function.call1(py, (text,))?;
        let old = self
            .results()
            .insert(text.to_string(), result.clone_ref(py));
        drop(old); // releasing an object can run its __del__, so only after the lock
        Ok(result)
    }

    fn __len__(&self) -> usize {
        self.results().len()
    }

    fn __getitem__(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        let found = self.found(py, text);
        found.ok_or_else(|| PyKeyError::new_err(text.to_string()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        if let Ok(results) = self.results.try_lock() {
            results.values().try_for_each(|result| visit.call(result))?;
        }
        Ok(())
    }

    fn __clear__(&self) {
        let old = std::mem::take(&mut *self.results());
        drop(old);
    }
    // END SOLUTION
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Memo;
}
