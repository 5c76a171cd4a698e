//! Write the mean of all values so far into another array.
//!
//! ```pycon
//! >>> out = np.empty(4)
//! >>> running_mean(np.array([2.0, 4.0, 0.0, 6.0]), out)
//! >>> out
//! array([2., 3., 2., 3.])
//! ```
//!
//! Both are float64 arrays in one dimension, with any strides; anything else raises TypeError.
//! ValueError is raised if the sizes differ, if `out` is read-only, or if the two share memory.
//! Other threads can run while the function works. `values` and `out` cannot be passed by keyword.
//: use numpy::{PyArray1, PyReadonlyArray1};
// BEGIN SOLUTION
use numpy::ndarray::{ArrayView1, ArrayViewMut1};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
// END SOLUTION
use pyo3::prelude::*;

// BEGIN SOLUTION
fn running(values: ArrayView1<'_, f64>, out: ArrayViewMut1<'_, f64>) {
    let mut sum = 0.0;
    for (i, (place, value)) in out.into_iter().zip(values).enumerate() {
        sum += value;
        *place = sum / (i + 1) as f64;
    }
}

// END SOLUTION
/// Write the mean of all values so far into another array.
#[pyfunction]
#[pyo3(signature = (values, out, /))]
fn running_mean<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    out: &Bound<'py, PyArray1<f64>>,
) -> PyResult<()> {
    //: // TODO
    // BEGIN SOLUTION
    let mut out = out
        .try_readwrite()
        .map_err(|error| PyValueError::new_err(format!("out: {error}")))?;
    let (values, out) = (values.as_array(), out.as_array_mut());
    if values.len() != out.len() {
        let message = format!("out has {} items, not {}", out.len(), values.len());
        return Err(PyValueError::new_err(message));
    }
    py.detach(|| running(values, out));
    // END SOLUTION
    Ok(())
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::running_mean;
}
