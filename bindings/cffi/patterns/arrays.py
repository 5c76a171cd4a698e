"""Arrays through cffi.

Shows:  an ndarray's memory borrowed by from_buffer, which keeps it alive; the checks before C may
        read it; DLPack, taken in by NumPy.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  from_buffer checks that there are no gaps, but not what the bytes mean. The GIL is free
        while C reads: another thread may write to the array. The size of an array is read once,
        from a view: other threads can change the array itself, and the len() or strides of a
        subclass may lie.
"""

from __future__ import annotations

from math import ldexp
from operator import index
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import from_dlpack, ndarray_of, tensor_like
from ffi_cookbook.bindings.cffi.library import ffi, lib
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

# ---- as documented -------------------------------------------------------------------------
# from_buffer reads the bytes of an array as the C type that is named, whatever its dtype: writing
# doubles over the pointers of an object array ends the process, hence the check of the format. The
# checked forms below take what the protocol takes: one dimension, aligned, float64.


def _doubles(values: Any, *, require_writable: bool = False) -> Any:
    """Return the memory of a C-contiguous buffer of doubles."""
    if (given := memoryview(values).format) != "d":
        raise TypeError(f"values must hold doubles (format 'd'), not {given!r}")
    return ffi.from_buffer("double[]", values, require_writable=require_writable)


def idiomatic_array_in(values: Floats, /) -> float:
    """Take any contiguous buffer of doubles, of any number of dimensions."""
    data = _doubles(values)
    return lib.ck_sum_floats(data, len(data))


def idiomatic_array_inplace(values: Floats, factor: float, /) -> None:
    """Take any contiguous writable buffer of doubles, of any number of dimensions."""
    factor = ldexp(factor, 0)  # first: it can run code
    data = _doubles(values, require_writable=True)
    lib.ck_scale(data, len(data), factor)


# ---- checked -------------------------------------------------------------------------------

DOUBLES = ffi.typeof("double[]")
_FLOAT64 = np.dtype(np.float64)


def floats(values: Floats, *, writable: bool = False, name: str = "values") -> Any:
    """Return the memory of an array, if it is one that the protocol accepts."""
    view = ndarray_of(name, values)
    if view.dtype != _FLOAT64:
        raise TypeError(f"{name} must be float64, not {view.dtype}")
    if view.ndim != 1 or not view.flags.aligned:
        raise ValueError(f"{name} must be one-dimensional and aligned")
    if writable and not view.flags.writeable:
        raise ValueError(f"{name} must be writable")
    return ffi.from_buffer(DOUBLES, view)  # ValueError unless C-contiguous


# ---- in ------------------------------------------------------------------------------------

_sum_floats = lib.ck_sum_floats
_sum_strided = lib.ck_sum_strided
_iota = lib.ck_iota
_doubled = lib.ck_doubled
_scale = lib.ck_scale
_scaled = lib.ck_scaled


def array_in(values: Floats, /) -> float:
    """Return the sum of a C-contiguous float64 array."""
    data = floats(values)
    return _sum_floats(data, len(data))


array_in_nogil = array_in  # cffi always releases the GIL


def strided_in(values: Floats, /) -> float:
    """Return the sum of a float64 array of any stride."""
    view = ndarray_of("values", values)
    if view.ndim != 1 or not view.flags.aligned:
        raise ValueError("values must be one-dimensional and aligned")
    return _sum_strided(floats(view[:1]), view.size, view.strides[0])  # a single item has no gaps


def dlpack_in(values: Any, /) -> float:
    """Return the sum of a float64 tensor of any library."""
    return array_in(from_dlpack(values))


tensor_in = dlpack_in


# ---- out -----------------------------------------------------------------------------------


def array_out(n: int, /) -> Floats:
    """Return a new array 0.0, 1.0 ... n - 1."""
    values = np.empty(index(n))  # ValueError when n < 0
    _iota(ffi.from_buffer(DOUBLES, values), values.size)
    return values


def tensor_out(like: Any, n: int, /) -> Any:
    """Return a new tensor 0.0, 1.0 ... n - 1 of the library of another."""
    return tensor_like(like, array_out(n))


def array_map(values: Floats, /) -> Floats:
    """Return a new array with every item doubled."""
    data = floats(values)
    out = np.empty(len(data))
    _doubled(data, len(data), ffi.from_buffer(DOUBLES, out))
    return out


def array_inplace(values: Floats, factor: float, /) -> None:
    """Multiply an array in place."""
    factor = ldexp(factor, 0)  # first: it can run code
    data = floats(values, writable=True)
    _scale(data, len(data), factor)


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = ldexp(factor, 0)  # first: it can run code
    data = floats(values)
    out = np.empty(len(data))
    _scaled(data, len(data), factor, ffi.from_buffer(DOUBLES, out))
    return out
