"""Given: calls matmul of exercise.so from Python, by ctypes, under the project's own signature."""

import ctypes
import operator
from pathlib import Path

import numpy as np


class Matrix(ctypes.Structure):
    """struct matrix."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("rows", ctypes.c_size_t),
        ("columns", ctypes.c_size_t),
        ("row_stride", ctypes.c_ssize_t),
        ("column_stride", ctypes.c_ssize_t),
    ]


library = ctypes.CDLL(str(Path(__file__).with_name("exercise.so")))
library.matmul.argtypes = [ctypes.POINTER(Matrix)] * 3
library.matmul.restype = ctypes.c_int


def matrix(array):
    """Return the descriptor of an array of float64."""
    return Matrix(array.ctypes.data, *array.shape, *array.strides)


def check(name, array):
    """Raise TypeError or ValueError unless the array is a matrix of floats."""
    if not isinstance(array, np.ndarray) or array.dtype not in (np.float32, np.float64):
        raise TypeError(f"{name} must be an array of float32 or float64")
    if array.ndim != 2:
        raise ValueError(f"{name} must have 2 dimensions, not {array.ndim}")


def matmul(a, b, *, out=None, threads=1):
    """Return the product of two matrices, in `out` if it is given; float32 is converted."""
    if operator.index(threads) < 1:
        raise ValueError("threads must be at least 1")
    check("a", a)
    check("b", b)
    if out is None:
        out = np.empty((a.shape[0], b.shape[1]), a.dtype)
    check("out", out)
    if not a.dtype == b.dtype == out.dtype:
        raise TypeError("a, b and out must have one dtype")
    if not (out.flags.writeable and out.flags.c_contiguous):
        raise ValueError("out must be writable and contiguous")
    if np.shares_memory(out, a) or np.shares_memory(out, b):
        raise ValueError("out must not overlap a or b")
    left, right, result = (each.astype(np.float64, copy=False) for each in (a, b, out))
    if library.matmul(matrix(left), matrix(right), matrix(result)):
        raise ValueError(f"the shapes {a.shape}, {b.shape} and {out.shape} do not fit")
    if result is not out:
        out[...] = result
    return out
