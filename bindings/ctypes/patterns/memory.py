"""The memory of an array as C reads it."""

from __future__ import annotations

from ctypes import c_double
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import ndarray_of
from ffi_cookbook.bindings.protocol.arrays import Floats

_FLOAT64 = np.dtype(np.float64)
memory = (c_double * 0).from_buffer  # zero items fit into a buffer of any size


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
