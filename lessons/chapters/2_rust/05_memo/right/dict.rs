use std::sync::Mutex;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use pyo3::{PyTraverseError, PyVisit};

/// The results are in a dict of Python's, which the collector knows.
#[pyclass(frozen)]
struct Memo {
    owned: Mutex<Option<(Py<PyAny>, Py<PyDict>)>>,
}

impl Memo {
    fn owned<'py>(&self, py: Python<'py>) -> PyResult<(Py<PyAny>, Bound<'py, PyDict>)> {
        match &*self.owned.lock().unwrap() {
            Some((function, results)) => Ok((function.clone_ref(py), results.bind(py).clone())),
            None => Err(PyKeyError::new_err("the memo was cleared")),
        }
    }
}

#[pymethods]
impl Memo {
    #[new]
    fn new(py: Python<'_>, function: Py<PyAny>) -> Memo {
        let owned = Mutex::new(Some((function, PyDict::new(py).unbind())));
        Memo { owned }
    }

    #[pyo3(signature = (text, /))]
    fn __call__<'py>(&self, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let (function, results) = self.owned(text.py())?;
        if let Some(result) = results.get_item(text)? {
            return Ok(result);
        }
        let result = function.bind(text.py()).call1((text,))?;
        results.set_item(text, &result)?;
        Ok(result)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.owned(py)?.1.len())
    }

    fn __getitem__<'py>(&self, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        self.owned(text.py())?.1.as_any().get_item(text)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Ok(owned) = self.owned.try_lock()
            && let Some((function, results)) = &*owned
        {
            visit.call(function)?;
            visit.call(results)?;
        }
        Ok(())
    }

    fn __clear__(&self) {
        let owned = self.owned.lock().unwrap().take();
        drop(owned);
    }
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Memo;
}
