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
use cookbook_kernels::matmul::{Batch, Float, Operand, Shape, matmul as kernel, workspace};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::memory::empty;

type Array<'py, T> = Bound<'py, PyArrayDyn<T>>;

// ---- arguments -----------------------------------------------------------------------------

fn as_matrices<'a, 'py, T: Element>(
    object: &'a Bound<'py, PyAny>,
    name: &str,
) -> PyResult<&'a Array<'py, T>> {
    let array = object.cast::<PyArrayDyn<T>>().map_err(|_| {
        PyTypeError::new_err(format!("{name} must be a numpy array of the same float dtype"))
    })?;
    match array.ndim() {
        2 | 3 => Ok(array),
        n => Err(PyValueError::new_err(format!("{name} must have 2 or 3 dimensions, not {n}"))),
    }
}

/// An array as the kernel sees it: a batch of matrices, of one where there are two dimensions.
struct Matrices {
    count: usize,
    rows: usize,
    columns: usize,
    /// In bytes, from one matrix to the next.
    stride: isize,
    first: Operand,
}

impl Matrices {
    fn of<T: Element>(array: &Array<'_, T>) -> Self {
        let (shape, strides) = (array.shape(), array.strides());
        let d = array.ndim() - 2; // where the matrix begins
        let count = if d == 0 { 1 } else { shape[0] };
        let stride = if count == 1 { 0 } else { strides[0] };
        let (row_stride, column_stride) = (strides[d], strides[d + 1]);
        let first = Operand { start: array.data().cast(), row_stride, column_stride };
        Matrices { count, rows: shape[d], columns: shape[d + 1], stride, first }
    }
}

/// The addresses from the first byte to one past the last, where there is any.
fn bounds<T: Element>(array: &Array<'_, T>) -> Range<isize> {
    let start = array.data() as isize;
    if array.is_empty() {
        return start..start;
    }
    let extents = array.shape().iter().zip(array.strides());
    let extents = extents.map(|(&n, stride)| (n as isize - 1) * stride);
    let (low, high) =
        extents.fold((0, 0), |(low, high), extent| (low + extent.min(0), high + extent.max(0)));
    start + low..start + high + size_of::<T>() as isize
}

fn check_out<T: Element>(
    out: &Array<'_, T>,
    shape: &[usize],
    operands: [&Array<'_, T>; 2],
) -> PyResult<()> {
    let overlaps = |array: &Array<'_, T>| {
        let [place, other] = [out, array].map(bounds);
        !array.is_empty() && place.start < other.end && other.start < place.end
    };
    if out.shape() != shape {
        let (wanted, given) =
            (PyTuple::new(out.py(), shape)?, PyTuple::new(out.py(), out.shape())?);
        Err(PyValueError::new_err(format!("out must have shape {wanted}, not {given}")))
    } else if !out.is_c_contiguous() || !out.data().is_aligned() || out.try_readwrite().is_err() {
        Err(PyValueError::new_err("out must be C-contiguous, aligned and writable"))
    } else if !out.is_empty() && operands.into_iter().any(overlaps) {
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
        Some(out) => as_matrices::<T>(out, "out")?.clone(),
    };
    check_out(&out, shape, [a, b])?;
    let job = Job {
        batch: Batch { count, strides: [x.stride, y.stride] },
        shape: Shape { m: x.rows, k: x.columns, n: y.columns },
        operands: [x.first, y.first],
        out: out.data(),
    };
    out.py().detach(move || job.run(threads));
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
    fn run(self, threads: usize) {
        let Job { batch, shape, operands, out } = self;
        let mut space =
            vec![MaybeUninit::uninit(); workspace::<T>(batch, shape, operands, threads)];
        // SAFETY: the operands and `out` have these shapes, and `check_out` has seen to the rest.
        let done =
            unsafe { kernel(Isa::current(), batch, shape, operands, out, &mut space, threads) };
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
