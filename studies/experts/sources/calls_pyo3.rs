use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pymodule]
mod calls_pyo3 {
    use super::*;

    #[pyfunction]
    fn noop() {}

    #[pyfunction]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    #[pyfunction]
    fn length(text: &str) -> usize {
        text.len()
    }

    #[pyfunction]
    fn total(py: Python<'_>, values: PyBuffer<f64>) -> PyResult<f64> {
        let cells = values.as_slice(py).ok_or_else(|| PyValueError::new_err("not contiguous"))?;
        Ok(cells.iter().map(|cell| cell.get()).sum())
    }

    #[pyfunction]
    fn fail() -> PyResult<()> {
        Err(PyValueError::new_err("failed"))
    }
}
