use std::collections::BTreeMap;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

/// Not frozen: each borrow is as short as can be.
#[pyclass]
struct Memo {
    function: Option<Py<PyAny>>,
    results: BTreeMap<String, Py<PyAny>>,
}

#[pymethods]
impl Memo {
    #[new]
    fn new(function: Py<PyAny>) -> Self {
        let function = Some(function);
        Self {
            function,
            results: BTreeMap::new(),
        }
    }

    #[pyo3(signature = (text, /))]
    fn __call__(slf: Bound<'_, Self>, text: String) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let function = {
            let this = slf.borrow();
            if let Some(result) = this.results.get(&text) {
                return Ok(result.clone_ref(py));
            }
            this.function
                .as_ref()
                .map(|function| function.clone_ref(py))
        };
        let function = function.ok_or_else(|| PyKeyError::new_err("cleared"))?;
        let result = function.call1(py, (&text,))?;
        let old = slf.borrow_mut().results.insert(text, result.clone_ref(py));
        drop(old);
        Ok(result)
    }

    fn __len__(&self) -> usize {
        self.results.len()
    }

    fn __getitem__(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
        match self.results.get(text) {
            Some(result) => Ok(result.clone_ref(py)),
            None => Err(PyKeyError::new_err(text.to_owned())),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        for result in self.results.values() {
            visit.call(result)?;
        }
        Ok(())
    }

    fn __clear__(&mut self) {
        self.function = None;
        self.results.clear();
    }
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Memo;
}
