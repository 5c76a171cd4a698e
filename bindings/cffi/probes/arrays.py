"""Arrays through cffi.

Shows:  an ndarray's memory borrowed by from_buffer, which keeps it; what to check before C may
        read it; DLPack, taken in by NumPy.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  from_buffer checks that there are no gaps, but not what the bytes mean. The GIL is free
        while C reads: another thread may write to the array. A subclass of ndarray is believed,
        whatever its own __len__ or strides may say.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from bindings.cffi.library import ffi, lib
from bindings.protocol.arrays import Floats

DOUBLES = ffi.typeof("double[]")
_FLOAT64 = np.dtype(np.float64)
_sum_floats = lib.ck_sum_floats
_sum_strided = lib.ck_sum_strided
_iota = lib.ck_iota
_doubled = lib.ck_doubled
_scale = lib.ck_scale


def floats(values: Floats) -> Any:
    """The memory of an array that the protocol lets in."""
    if not isinstance(values, np.ndarray) or values.dtype != _FLOAT64:
        raise TypeError("expected a float64 array")
    if values.ndim != 1 or not values.flags.aligned:
        raise ValueError("expected one dimension, aligned")
    return ffi.from_buffer(DOUBLES, values)  # ValueError unless C-contiguous


# ---- in ------------------------------------------------------------------------------------


def array_in(values: Floats, /) -> float:
    return _sum_floats(floats(values), len(values))


array_in_nogil = array_in  # cffi always releases the GIL


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
    values = np.empty(index(n))  # ValueError when n < 0
    _iota(ffi.from_buffer(DOUBLES, values), len(values))
    return values


def array_map(values: Floats, /) -> Floats:
    data, out = floats(values), np.empty(len(values))
    _doubled(data, len(values), ffi.from_buffer(DOUBLES, out))
    return out


def array_inplace(values: Floats, factor: float, /) -> None:
    data = floats(values)
    if not values.flags.writeable:
        raise ValueError("expected a writable array")
    _scale(data, len(values), factor)
