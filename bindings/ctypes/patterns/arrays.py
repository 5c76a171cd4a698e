"""Arrays through ctypes.

Shows:  an ndarray's memory as a pointer, and the checks before C may read it; DLPack, taken in by
        NumPy. The array by NumPy's ndpointer, as its documentation has it, is in idiomatic.py.
Build:  nothing but the shared library.
Bites:  `values.ctypes.data` builds an object on the way and costs more than the rest of the call;
        from_buffer is quick and keeps the memory alive, but refuses read-only arrays. A bare
        address keeps nothing alive: the array must be referenced until the call returns. The size
        of an array is read once, from a view: other threads can change the array itself, and the
        len() or strides of a subclass may lie.
"""

from __future__ import annotations

from ctypes import c_double, c_size_t, c_ssize_t, c_void_p
from math import ldexp
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import from_dlpack, int64, ndarray_of, tensor_like
from ffi_cookbook.bindings.ctypes.library import declare, lib, lib_gil, memory
from ffi_cookbook.bindings.protocol.arrays import Floats

__all__ = [
    "array_in",
    "array_in_nogil",
    "array_inplace",
    "array_map",
    "array_out",
    "dlpack_in",
    "scaled",
    "strided_in",
    "tensor_in",
    "tensor_out",
]

_FLOAT64 = np.dtype(np.float64)


def floats(values: Floats, *, writable: bool = False, name: str = "values") -> tuple[Any, int]:
    """Return the pointer and the size of an array, if it is one that the protocol accepts."""
    view = ndarray_of(name, values)
    if view.dtype != _FLOAT64:
        raise TypeError(f"{name} must be float64, not {view.dtype}")
    flags = view.flags
    if view.ndim != 1 or not flags.c_contiguous or not flags.aligned:
        raise ValueError(f"{name} must be one-dimensional, C-contiguous and aligned")
    if flags.writeable:
        return memory(view), view.size
    if writable:
        raise ValueError(f"{name} must be writable")
    return view.ctypes.data, view.size


# ---- in ------------------------------------------------------------------------------------

_SUM = ("ck_sum_floats", c_double, c_void_p, c_size_t)
_sum_floats = declare(lib_gil, *_SUM)
_sum_floats_nogil = declare(lib, *_SUM)
_sum_strided = declare(lib_gil, "ck_sum_strided", c_double, c_void_p, c_size_t, c_ssize_t)
_iota = declare(lib_gil, "ck_iota", None, c_void_p, c_size_t)
_doubled = declare(lib_gil, "ck_doubled", None, c_void_p, c_size_t, c_void_p)
_scale = declare(lib_gil, "ck_scale", None, c_void_p, c_size_t, c_double)
_scaled = declare(lib_gil, "ck_scaled", None, c_void_p, c_size_t, c_double, c_void_p)


def array_in(values: Floats, /) -> float:
    """Return the sum of a C-contiguous float64 array."""
    return _sum_floats(*floats(values))


def array_in_nogil(values: Floats, /) -> float:
    """Return the sum of an array, added up without the GIL."""
    return _sum_floats_nogil(*floats(values))


def strided_in(values: Floats, /) -> float:
    """Return the sum of a float64 array of any stride."""
    view = ndarray_of("values", values)
    if view.ndim != 1 or not view.flags.aligned:
        raise ValueError("values must be one-dimensional and aligned")
    data, _ = floats(view[:1])  # a single item has no gaps
    return _sum_strided(data, view.size, view.strides[0])


def dlpack_in(values: Any, /) -> float:
    """Return the sum of a float64 tensor of any library."""
    return array_in(from_dlpack(values))


tensor_in = dlpack_in


# ---- out -----------------------------------------------------------------------------------


def array_out(n: int, /) -> Floats:
    """Return a new array 0.0, 1.0 ... n - 1."""
    n = int64(n)
    values = np.empty(n)  # ValueError when n < 0
    _iota(memory(values), n)
    return values


def tensor_out(like: Any, n: int, /) -> Any:
    """Return a new tensor 0.0, 1.0 ... n - 1 of the library of another."""
    return tensor_like(like, array_out(n))


def array_map(values: Floats, /) -> Floats:
    """Return a new array with every item doubled."""
    data, size = floats(values)
    out = np.empty(size)
    _doubled(data, size, memory(out))
    return out


def array_inplace(values: Floats, factor: float, /) -> None:
    """Multiply an array in place."""
    factor = ldexp(factor, 0)  # unlike float(), takes no str
    _scale(*floats(values, writable=True), factor)


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = ldexp(factor, 0)
    data, size = floats(values)
    out = np.empty(size)
    _scaled(data, size, factor, memory(out))
    return out
