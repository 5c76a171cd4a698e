"""What `matmul` asks of its arguments, for the bindings that are written in Python.

A compiled binding checks with the means of its technology; python, numpy, ctypes, cffi, torch here.
A wrong type or dtype is a TypeError, everything else about an array a ValueError.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bindings.checks import check_threads, ndarray_of
from bindings.protocol import Matrix

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def check_matmul(a: Any, b: Any, out: Any, threads: Any) -> tuple[Matrix, Matrix, Matrix, int]:
    """Return views of a, of b and of the array to fill, and the number of threads.

    In the order of every binding: what can run code, then types and dtypes, then values.
    """
    threads = check_threads(threads)
    a, b = _matrices("a", a), _matrices("b", b)
    if a.dtype != b.dtype:
        raise TypeError(f"a is {a.dtype} but b is {b.dtype}")
    if out is not None:
        out = _matrices("out", out)
        if out.dtype != a.dtype:
            raise TypeError(f"out is {out.dtype} but a and b are {a.dtype}")
    shape = _product_shape(a, b)
    if out is None:
        return a, b, _new_array(shape, a.dtype), threads
    _check_ndim("out", out)
    if out.shape != shape:
        raise ValueError(f"out must have shape {shape}, not {out.shape}")
    if not out.flags.carray:
        raise ValueError("out must be C-contiguous, aligned and writable")
    if np.may_share_memory(out, a) or np.may_share_memory(out, b):
        raise ValueError("out must not overlap a or b")
    return a, b, out, threads


def batch_strides(operand: Matrix) -> tuple[int, ...]:
    """Return the bytes between matrices (0 in a batch of one), between rows, between columns."""
    if operand.ndim == 2 or operand.shape[0] == 1:
        return 0, *operand.strides[-2:]
    return operand.strides


def _matrices(name: str, array: Any) -> Matrix:
    view = ndarray_of(name, array)
    if view.dtype not in _FLOATS:
        raise TypeError(f"{name} must be float32 or float64 in native order, not {view.dtype!r}")
    return view


def _check_ndim(name: str, array: Matrix) -> None:
    if array.ndim not in (2, 3):
        raise ValueError(f"{name} must have 2 or 3 dimensions, not {array.ndim}")


def _product_shape(a: Matrix, b: Matrix) -> tuple[int, ...]:
    _check_ndim("a", a)
    _check_ndim("b", b)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"a has {a.shape[-1]} columns but b has {b.shape[-2]} rows")
    return *_batch(a, b), a.shape[-2], b.shape[-1]


def _batch(a: Matrix, b: Matrix) -> tuple[int, ...]:
    """Return the number of matrices of the product in a tuple, which is empty for a matrix."""
    if a.ndim == 2 or b.ndim == 2:
        return a.shape[:-2] or b.shape[:-2]
    if a.shape[0] != b.shape[0] and 1 not in (a.shape[0], b.shape[0]):
        raise ValueError(f"a has {a.shape[0]} matrices but b has {b.shape[0]}")
    return (b if a.shape[0] == 1 else a).shape[:1]


def _new_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Matrix:
    try:
        return np.empty(shape, dtype)
    except ValueError as error:  # what NumPy says when the size overflows
        raise MemoryError(f"a result of shape {shape} does not fit in memory") from error
