"""Arrays through torch: tensors of memory that stays NumPy's.

Shows:  an array borrowed for the call; a new array made by NumPy and filled by the op, which costs
        less than viewing a tensor as an array; DLPack, taken in by NumPy and passed on to torch.
Build:  bindings/torch/patterns/arrays.cpp.
Bites:  no tensor has negative strides: an array that runs backwards is copied first. No
        tensor is read-only either, so ask before an op writes. torch.from_dlpack refuses a tensor
        with a byte_offset, which DLPack allows.
"""

from __future__ import annotations

from math import ldexp
from operator import index
from typing import Any

import numpy as np
import torch

from ffi_cookbook.bindings.torch.library import borrowed, on_arrays, ops
from ffi_cookbook.bindings.torch.patterns.vectors import Floats, contiguous, vector

__all__ = [
    "array_in",
    "array_in_nogil",
    "array_inplace",
    "array_map",
    "array_out",
    "dlpack_in",
    "strided_in",
]

# ---- arrays --------------------------------------------------------------------------------

_array_in, _strided_in = ops.array_in.default, ops.strided_in.default
_array_out = on_arrays(ops.array_out.default)
_array_map = on_arrays(ops.array_map.default)
_array_inplace = on_arrays(ops.array_inplace.default)


def array_in(values: Floats, /) -> float:
    """Return the sum of a C-contiguous float64 array."""
    return _array_in(borrowed(contiguous(values)))


array_in_nogil = array_in  # the dispatcher always releases the GIL


def strided_in(values: Floats, /) -> float:
    """Return the sum of a float64 array of any stride."""
    return _strided_in(borrowed(vector(values)))


def array_out(n: int, /) -> Floats:
    """Return a new array 0.0, 1.0 ... n - 1."""
    values = np.empty(index(n))  # ValueError when n < 0
    _array_out(torch.from_numpy(values))
    return values


def array_map(values: Floats, /) -> Floats:
    """Return a new array with every item doubled."""
    view = contiguous(values)
    out = np.empty(view.size)
    _array_map(borrowed(view), torch.from_numpy(out))
    return out


def array_inplace(values: Floats, factor: float, /) -> None:
    """Multiply an array in place."""
    factor = ldexp(factor, 0)
    view = contiguous(values)
    if not view.flags.writeable:
        raise ValueError("values must be writable")
    _array_inplace(borrowed(view), factor)


# ---- tensors of any library ----------------------------------------------------------------


def dlpack_in(values: Any, /) -> float:
    """Return the sum of a float64 tensor of any library."""
    if not hasattr(values, "__dlpack__"):
        raise TypeError(f"values must have __dlpack__, which {type(values).__name__} does not have")
    return array_in(np.from_dlpack(values))
