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
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// Write the mean of all values so far into another array.
#[pyfunction]
#[pyo3(signature = (values, out, /))]
fn running_mean<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    out: &Bound<'py, PyArray1<f64>>,
) -> PyResult<()> {
    // TODO
    Ok(())
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::running_mean;
}
