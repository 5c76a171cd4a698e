use std::collections::HashMap;
use std::sync::RwLock;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

/// A function that is called once for each text.
#[pyclass(frozen)]
struct Memo {
    function: Py<PyAny>,
    results: RwLock<HashMap<String, Py<PyAny>>>,
}

impl Memo {
    fn found(&self, py: Python<'_>, text: &str) -> Option<Py<PyAny>> {
        self.results
            .read()
            .unwrap()
            .get(text)
            .map(|result| result.clone_ref(py))
    }
}

#[pymethods]
impl Memo {
    #[new]
    fn new(function: Py<PyAny>) -> Memo {
        Memo {
            function,
            results: RwLock::default(),
        }
    }

    #[pyo3(signature = (text, /))]
    fn __call__(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        if let Some(result) = self.found(py, text) {
            return Ok(result);
        }
        let result = self.function.call1(py, (text,))?;
        let old = self
            .results
            .write()
            .unwrap()
            .insert(text.to_string(), result.clone_ref(py));
        drop(old); // releasing an object can run its __del__, so only after the lock
        Ok(result)
    }

    fn __len__(&self) -> usize {
        self.results.read().unwrap().len()
    }

    fn __getitem__(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        let found = self.found(py, text);
        found.ok_or_else(|| PyKeyError::new_err(text.to_string()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        if let Ok(results) = self.results.try_read() {
            results.values().try_for_each(|result| visit.call(result))?;
        }
        Ok(())
    }

    fn __clear__(&self) {
        let old = std::mem::take(&mut *self.results.write().unwrap());
        drop(old);
    }
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Memo;
}
