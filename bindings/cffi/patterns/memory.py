"""The memory of an array as C reads it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import ndarray_of
from ffi_cookbook.bindings.cffi.library import ffi
from ffi_cookbook.bindings.protocol.arrays import Floats

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
