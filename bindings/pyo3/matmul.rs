//! matmul through PyO3.
//!
//! Shows:  arguments typed as arrays, cast by dtype and described as pointer and strides; a generic
//!         function over both dtypes; keyword-only arguments; a long kernel run detached.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  PyReadonlyArray would promise that nobody writes, which only Rust code respects, and needs
//!         alignment: the kernel reads raw pointers. One thread's borrow makes another's fail.

use cookbook_kernels::Error;
use cookbook_kernels::matmul::{Array, multiply as kernel, product};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::memory::empty;

// ---- arguments -----------------------------------------------------------------------------

type Untyped<'py> = Bound<'py, PyUntypedArray>;
type Typed<'py, T> = Bound<'py, PyArrayDyn<T>>;

fn typed<'a, 'py, T: Element>(array: &'a Untyped<'py>, name: &str) -> PyResult<&'a Typed<'py, T>> {
    array.cast::<PyArrayDyn<T>>().map_err(|_| {
        let dtypes = "float32 or float64 in native byte order, as the other arrays are";
        PyTypeError::new_err(format!("{name} must be {dtypes}"))
    })
}

/// Describe an array for the kernel, which checks it.
fn describe<T: Element>(array: &Typed<'_, T>) -> Array {
    Array::new(array.data().cast(), size_of::<T>(), array.shape(), array.strides())
}

// ---- kernel --------------------------------------------------------------------------------

fn multiply<'py, T: Element>(
    a: &Untyped<'py>,
    b: &Untyped<'py>,
    out: Option<&Untyped<'py>>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (typed::<T>(a, "a")?, typed::<T>(b, "b")?);
    let out = out.map(|out| typed::<T>(out, "out")).transpose()?;
    let refused = |error: Error| {
        let none = a.py().None().into_bound(a.py());
        crate::exception("matmul_error", &error, out.map_or(&none, |out| out.as_any()))
    };
    let (x, y) = (describe(a), describe(b));
    let product = match out {
        Some(out) if matches!(out.try_readwrite(), Err(numpy::BorrowError::NotWriteable)) => {
            return Err(PyValueError::new_err("out must be writable"));
        }
        Some(out) => out.clone(),
        None => {
            let product = product(&x, &y).map_err(refused)?;
            empty(a.py(), &mut product.shape().iter().map(|&n| n as isize).collect::<Vec<_>>())?
        }
    };
    let z = describe(&product);
    // SAFETY: the three arrays are alive, and `product` is writable.
    let run = || unsafe { kernel(&x, &y, &z, threads) };
    (if x.is_brief(&y) { run() } else { a.py().detach(run) }).map_err(refused)?;
    Ok(product.into_any())
}

/// Return a @ b; see protocol.Backend.
#[pyfunction]
#[pyo3(signature = (a, b, *, out=None, threads=1))]
pub fn matmul<'py>(
    a: &Untyped<'py>,
    b: &Untyped<'py>,
    out: Option<&Untyped<'py>>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    if a.cast::<PyArrayDyn<f32>>().is_ok() {
        multiply::<f32>(a, b, out, threads)
    } else {
        multiply::<f64>(a, b, out, threads)
    }
}
