//! matmul through PyO3.
//!
//! Shows:  numpy arrays cast by dtype and handed on as pointer and strides; a generic function over
//!         both dtypes; keyword-only arguments; a kernel run detached from the interpreter.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  PyReadonlyArray would promise that nobody writes, which only Rust code keeps, and its
//!         slices want alignment: here the kernel reads through raw pointers.

use std::mem::MaybeUninit;

use cookbook_kernels::Isa;
use cookbook_kernels::matmul::{Batch, Float, Operand, Shape, matmul as kernel, workspace};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::matrices::{Array, Matrices, overlap};
use crate::memory::{empty, reserved};

// ---- arguments -----------------------------------------------------------------------------

fn as_matrices<'a, 'py, T: Element>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Array<'py, T>> {
    object.cast::<PyArrayDyn<T>>().map_err(|_| {
        PyTypeError::new_err(format!("{name} must be a numpy array of the same float dtype"))
    })
}

fn check_ndim<T: Element>(array: &Array<'_, T>, name: &str) -> PyResult<()> {
    match array.ndim() {
        2 | 3 => Ok(()),
        n => Err(PyValueError::new_err(format!("{name} must have 2 or 3 dimensions, not {n}"))),
    }
}

fn check_out<T: Element>(
    out: &Array<'_, T>,
    shape: &[usize],
    operands: [&Array<'_, T>; 2],
) -> PyResult<()> {
    if out.shape() != shape {
        let (wanted, given) =
            (PyTuple::new(out.py(), shape)?, PyTuple::new(out.py(), out.shape())?);
        Err(PyValueError::new_err(format!("out must have shape {wanted}, not {given}")))
    } else if !out.is_c_contiguous() || !out.data().is_aligned() || out.try_readwrite().is_err() {
        Err(PyValueError::new_err("out must be C-contiguous, aligned and writable"))
    } else if operands.into_iter().any(|operand| overlap(out, operand)) {
        Err(PyValueError::new_err("out must not overlap a or b"))
    } else {
        Ok(())
    }
}

// ---- kernel --------------------------------------------------------------------------------

fn multiply<'py, T: Element + Float>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (as_matrices::<T>(a, "a")?, as_matrices::<T>(b, "b")?);
    let out = out.map(|out| as_matrices::<T>(out, "out")).transpose()?;
    check_ndim(a, "a")?;
    check_ndim(b, "b")?;
    let (x, y) = (Matrices::of(a), Matrices::of(b));
    let refusal = |message| Err(PyValueError::new_err(message));
    if x.columns != y.rows {
        return refusal(format!("a has {} columns but b has {} rows", x.columns, y.rows));
    }
    if x.count != y.count && x.count != 1 && y.count != 1 {
        return refusal(format!("a has {} matrices but b has {}", x.count, y.count));
    }
    let count = if x.count == 1 { y.count } else { x.count };
    let sizes = [count, x.rows, y.columns];
    let shape = &sizes[3 - a.ndim().max(b.ndim())..];
    let out = match out {
        None => empty(a.py(), &mut sizes.map(|size| size as isize)[3 - shape.len()..])
            .map_err(|_| PyMemoryError::new_err("the result does not fit in memory"))?,
        Some(out) => out.clone(),
    };
    check_ndim(&out, "out")?;
    check_out(&out, shape, [a, b])?;
    let job = Job {
        batch: Batch { count, strides: [x.stride, y.stride] },
        shape: Shape { m: x.rows, k: x.columns, n: y.columns },
        operands: [x.first, y.first],
        out: out.data(),
    };
    let needed = workspace::<T>(job.batch, job.shape, job.operands, threads);
    let mut space = reserved(needed)?;
    out.py().detach(|| job.run(space.spare_capacity_mut(), threads));
    Ok(out.into_any())
}

/// What the kernel works on while the interpreter runs on without it.
struct Job<T> {
    batch: Batch,
    shape: Shape,
    operands: [Operand; 2],
    out: *mut T,
}

// SAFETY: plain addresses, of arrays that `multiply` keeps alive until the kernel is done.
unsafe impl<T> Send for Job<T> {}

impl<T: Float> Job<T> {
    fn run(self, space: &mut [MaybeUninit<T>], threads: usize) {
        let Job { batch, shape, operands, out } = self;
        // SAFETY: the operands and `out` have these shapes, and `check_out` has seen to the rest.
        let done = unsafe { kernel(Isa::current(), batch, shape, operands, out, space, threads) };
        debug_assert!(done.is_ok(), "the workspace is as large as the kernel asked for");
    }
}

/// a @ b; see bindings.protocol.Backend.matmul.
#[pyfunction]
#[pyo3(signature = (a, b, *, out=None, threads=1))]
pub fn matmul<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = crate::threads)] threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    match a.cast::<PyArrayDyn<f32>>() {
        Ok(_) => multiply::<f32>(a, b, out, threads),
        Err(_) => multiply::<f64>(a, b, out, threads),
    }
}
