"""Arrays through ctypes.

Shows:  an ndarray's memory as a pointer; what to check before C may read it; DLPack, taken in by
        NumPy.
Build:  nothing but the shared library.
Bites:  `values.ctypes.data` builds an object on the way and costs more than the rest of the call;
        from_buffer is quick, and keeps the memory, but refuses what is read-only. A bare address
        keeps nothing alive: the array must be referenced until the call returns. A subclass of
        ndarray is believed, whatever its own __len__ or strides may say.
"""

from __future__ import annotations

from ctypes import ArgumentError, c_double, c_size_t, c_ssize_t, c_void_p
from typing import Any

import numpy as np

from bindings.ctypes.library import declare, int64, lib, lib_gil
from bindings.protocol.arrays import Floats

_FLOAT64 = np.dtype(np.float64)
_SUM = ("ck_sum_floats", c_double, c_void_p, c_size_t)
_sum_floats = declare(lib_gil, *_SUM)
_sum_floats_nogil = declare(lib, *_SUM)
_sum_strided = declare(lib_gil, "ck_sum_strided", c_double, c_void_p, c_size_t, c_ssize_t)
_iota = declare(lib_gil, "ck_iota", None, c_void_p, c_size_t)
_doubled = declare(lib_gil, "ck_doubled", None, c_void_p, c_size_t, c_void_p)
_scale = declare(lib_gil, "ck_scale", None, c_void_p, c_size_t, c_double)

# ---- memory --------------------------------------------------------------------------------

memory = (c_double * 0).from_buffer  # of no length, so that it takes any, and C is told anyhow


def floats(values: Floats) -> Any:
    """What to pass for an array that the protocol lets in."""
    if not isinstance(values, np.ndarray) or values.dtype != _FLOAT64:
        raise TypeError("expected a float64 array")
    flags = values.flags
    if values.ndim != 1 or not flags.c_contiguous or not flags.aligned:
        raise ValueError("expected one dimension, C-contiguous, aligned")
    return memory(values) if flags.writeable else values.ctypes.data


# ---- in ------------------------------------------------------------------------------------


def array_in(values: Floats, /) -> float:
    return _sum_floats(floats(values), len(values))


def array_in_nogil(values: Floats, /) -> float:
    return _sum_floats_nogil(floats(values), len(values))


def strided_in(values: Floats, /) -> float:
    if not isinstance(values, np.ndarray) or values.ndim != 1 or not values.flags.aligned:
        raise TypeError("expected an aligned array of one dimension")
    return _sum_strided(floats(values[:1]), len(values), values.strides[0])  # one has no gaps


def dlpack_in(values: Any, /) -> float:
    try:
        array = np.from_dlpack(values)
    except (AttributeError, BufferError, RuntimeError) as error:
        raise TypeError(f"expected a tensor on the CPU: {error}") from error
    return array_in(array)


# ---- out -----------------------------------------------------------------------------------


def array_out(n: int, /) -> Floats:
    n = int64(n)
    values = np.empty(n)  # ValueError when n < 0
    _iota(memory(values), n)
    return values


def array_map(values: Floats, /) -> Floats:
    data, out = floats(values), np.empty(len(values))
    _doubled(data, len(values), memory(out))
    return out


def array_inplace(values: Floats, factor: float, /) -> None:
    data = floats(values)
    if not values.flags.writeable:
        raise ValueError("expected a writable array")
    try:
        _scale(data, len(values), factor)
    except ArgumentError as error:
        raise TypeError(str(error)) from None
