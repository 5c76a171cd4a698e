use numpy::ndarray::{ArrayView1, ArrayViewMut1};
use numpy::{BorrowError, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn running(values: ArrayView1<'_, f64>, out: ArrayViewMut1<'_, f64>) {
    let mut sum = 0.0;
    for (i, (place, value)) in out.into_iter().zip(values).enumerate() {
        sum += value;
        *place = sum / (i + 1) as f64;
    }
}

/// Write the mean of all values so far into another array.
#[pyfunction]
#[pyo3(signature = (values, out, /))]
fn running_mean<'py>(
    py: Python<'py>,
    values: &Bound<'py, PyArray1<f64>>,
    out: &Bound<'py, PyArray1<f64>>,
) -> PyResult<()> {
    if values.len() != out.len() {
        return Err(PyValueError::new_err("out has another size than values"));
    }
    let values = values.readonly();
    let mut out = match out.try_readwrite() {
        Ok(out) => out,
        Err(BorrowError::NotWriteable) => {
            return Err(PyValueError::new_err("out is read-only"));
        }
        Err(error) => return Err(PyValueError::new_err(error.to_string())),
    };
    let (from, to) = (values.as_array(), out.as_array_mut());
    py.detach(move || running(from, to));
    Ok(())
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::running_mean;
}
