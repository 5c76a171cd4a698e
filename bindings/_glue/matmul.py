"""The rules of matmul for a kernel in Python or NumPy; c_src/gemm/arrays.c has them for C."""

from __future__ import annotations

from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import int64, ndarray_of
from ffi_cookbook.bindings.errors import Code, matmul_error
from ffi_cookbook.bindings.protocol import Matrix

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def check_matmul(a: Any, b: Any, out: Any, threads: Any) -> tuple[Matrix, Matrix, Matrix, int]:
    """Return views of a, of b and of the array to fill, and the number of threads.

    Attributes and methods of the caller's objects that can run code are used first, and once.
    """
    threads = int64(threads)
    a, b = ndarray_of("a", a), ndarray_of("b", b)
    given = None if out is None else ndarray_of("out", out)
    shape = _product_shape(a, b)
    if threads < 1:
        raise _refusal(Code.THREADS, actual=threads)
    if given is None:
        return a, b, _new_array(shape, a.dtype), threads
    _check_out(given, shape, a, b)
    return a, b, given, threads


def _refusal(code: Code, field: int = 0, expected: int = 0, actual: int = 0) -> Exception:
    return matmul_error((code, 0, 0, field, expected, actual))


def _product_shape(a: Matrix, b: Matrix) -> tuple[int, ...]:
    for field, array in enumerate((a, b)):
        if array.dtype not in _FLOATS or array.dtype != a.dtype:
            raise _refusal(Code.DTYPE, field)
    for field, array in enumerate((a, b)):
        _check_ndim(field, array)
    if a.shape[-1] != b.shape[-2]:
        raise _refusal(Code.INNER_SIZE, 1, a.shape[-1], b.shape[-2])
    return *_batch(a, b), a.shape[-2], b.shape[-1]


def _check_ndim(field: int, array: Matrix) -> None:
    if array.ndim not in (2, 3):
        raise _refusal(Code.DIMENSIONS, field, actual=array.ndim)


def _batch(a: Matrix, b: Matrix) -> tuple[int, ...]:
    """Return the number of matrices of the product in a tuple, which is empty for a matrix."""
    if a.ndim == 2 or b.ndim == 2:
        return a.shape[:-2] or b.shape[:-2]
    if a.shape[0] != b.shape[0] and 1 not in (a.shape[0], b.shape[0]):
        raise _refusal(Code.BATCH_SIZE, 1, a.shape[0], b.shape[0])
    return (b if a.shape[0] == 1 else a).shape[:1]


def _new_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Matrix:
    try:
        return np.empty(shape, dtype)
    except ValueError:  # NumPy raises it when the size overflows
        raise _refusal(Code.MEMORY) from None


def _check_out(out: Matrix, shape: tuple[int, ...], a: Matrix, b: Matrix) -> None:
    if out.dtype != a.dtype:
        raise _refusal(Code.DTYPE, 2)
    _check_ndim(2, out)
    if out.shape != shape:
        matrices, rows, columns = (-1, *shape)[-3:]
        raise matmul_error((Code.SHAPE, matrices, 0, 2, rows, columns), out)
    if not out.flags.writeable:
        raise ValueError("out must be writable")
    if not out.flags.carray:
        raise _refusal(Code.LAYOUT, 2)
    if np.may_share_memory(out, a) or np.may_share_memory(out, b):
        raise _refusal(Code.OVERLAP, 2)
