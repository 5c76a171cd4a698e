//! matmul through PyO3.
//!
//! Shows:  numpy arrays cast by dtype and handed on as pointer and strides; a generic function over
//!         both dtypes; keyword-only arguments; a kernel run detached from the interpreter.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  PyReadonlyArray would promise that nobody writes, which only Rust code keeps, and its
//!         slices want alignment: here the kernel reads through raw pointers.

use std::mem::MaybeUninit;
use std::ops::Range;

use cookbook_kernels::Isa;
use cookbook_kernels::matmul::{Float, Operand, Shape, matmul as kernel, workspace};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::memory::empty;

type Matrix<'py, T> = Bound<'py, PyArrayDyn<T>>;

// ---- arguments -----------------------------------------------------------------------------

fn as_matrix<'a, 'py, T: Element>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Matrix<'py, T>> {
    let matrix = object.cast::<PyArrayDyn<T>>().map_err(|_| {
        PyTypeError::new_err(format!("{name} must be a numpy array of the same float dtype"))
    })?;
    match matrix.ndim() {
        2 => Ok(matrix),
        n => Err(PyValueError::new_err(format!("{name} must have 2 dimensions, not {n}"))),
    }
}

fn operand<T: Element>(matrix: &Matrix<'_, T>) -> Operand {
    let strides = matrix.strides();
    Operand { start: matrix.data().cast(), row_stride: strides[0], column_stride: strides[1] }
}

/// The addresses from the first byte to one past the last.
fn bounds<T: Element>(matrix: &Matrix<'_, T>) -> Range<isize> {
    let start = matrix.data() as isize;
    if matrix.is_empty() {
        return start..start;
    }
    let extents = matrix.shape().iter().zip(matrix.strides());
    let extents = extents.map(|(&n, stride)| (n as isize - 1) * stride);
    let (low, high) =
        extents.fold((0, 0), |(low, high), extent| (low + extent.min(0), high + extent.max(0)));
    start + low..start + high + size_of::<T>() as isize
}

fn check_out<T: Element>(
    out: &Matrix<'_, T>,
    shape: Shape,
    operands: [&Matrix<'_, T>; 2],
) -> PyResult<()> {
    let place = bounds(out);
    let overlaps = |matrix| {
        let other = bounds(matrix);
        place.start < other.end && other.start < place.end
    };
    if out.shape() != [shape.m, shape.n] {
        let wanted = (shape.m, shape.n);
        Err(PyValueError::new_err(format!("out must have shape {wanted:?}, not {:?}", out.shape())))
    } else if !out.is_c_contiguous() || !out.data().is_aligned() || out.try_readwrite().is_err() {
        Err(PyValueError::new_err("out must be C-contiguous, aligned and writable"))
    } else if operands.into_iter().any(overlaps) {
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
    let (a, b) = (as_matrix::<T>(a, "a")?, as_matrix::<T>(b, "b")?);
    let shape = Shape { m: a.shape()[0], k: a.shape()[1], n: b.shape()[1] };
    if shape.k != b.shape()[0] {
        let (columns, rows) = (shape.k, b.shape()[0]);
        let message = format!("a has {columns} columns but b has {rows} rows");
        return Err(PyValueError::new_err(message));
    }
    let out = match out {
        None => empty(a.py(), &mut [shape.m as isize, shape.n as isize])
            .map_err(|_| PyMemoryError::new_err("the result does not fit in memory"))?,
        Some(out) => as_matrix::<T>(out, "out")?.clone(),
    };
    check_out(&out, shape, [a, b])?;
    let job = Job { operands: [operand(a), operand(b)], out: out.data() };
    out.py().detach(move || job.run(shape, threads));
    Ok(out.into_any())
}

/// What the kernel works on while the interpreter runs on without it.
struct Job<T> {
    operands: [Operand; 2],
    out: *mut T,
}

// SAFETY: plain addresses, of arrays that `multiply` keeps alive until the kernel is done.
unsafe impl<T> Send for Job<T> {}

impl<T: Float> Job<T> {
    fn run(self, shape: Shape, threads: usize) {
        let size = workspace::<T>(shape, self.operands, threads);
        let mut space = vec![MaybeUninit::uninit(); size];
        // SAFETY: the operands and `out` have these shapes, and `check_out` has seen to the rest.
        let done =
            unsafe { kernel(Isa::current(), shape, self.operands, self.out, &mut space, threads) };
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
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = crate::threads(threads)?;
    match a.cast::<PyArrayDyn<f32>>() {
        Ok(_) => multiply::<f32>(a, b, out, threads),
        Err(_) => multiply::<f64>(a, b, out, threads),
    }
}
