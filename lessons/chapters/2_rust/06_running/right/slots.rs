use numpy::ndarray::{ArrayView1, ArrayViewMut1};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn running(values: ArrayView1<'_, f64>, mut out: ArrayViewMut1<'_, f64>) {
    let mut sum = 0.0;
    for i in 0..values.len() {
        sum += values[i];
        out[i] = sum / (i + 1) as f64;
    }
}

/// Write the mean of all values so far into another array.
#[pyfunction]
#[pyo3(signature = (values, out, /))]
fn running_mean<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    out: &Bound<'py, PyArray1<f64>>,
) -> PyResult<()> {
    let mut out = out
        .try_readwrite()
        .map_err(|error| PyValueError::new_err(format!("out: {error}")))?;
    let (values, out) = (values.as_array(), out.as_array_mut());
    if values.len() != out.len() {
        let message = format!("out has {} items, not {}", out.len(), values.len());
        return Err(PyValueError::new_err(message));
    }
    py.detach(|| running(values, out));
    Ok(())
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::running_mean;
}
