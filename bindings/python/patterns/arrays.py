"""Arrays in plain Python: the memory is NumPy's, the arithmetic is Python's.

Shows:  the checks of an array before its memory is used; DLPack, imported by NumPy.
Build:  nothing to build.
Bites:  an array yields NumPy's scalars, which are slow to add: tolist() makes floats of all of them
        at once.
        np.sum adds pairwise and, from Python 3.12 on, sum() compensates for rounding: neither adds
        from left to right as C does.
"""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import contiguous, from_dlpack, tensor_like, vector
from ffi_cookbook.bindings.protocol.arrays import Floats
from ffi_cookbook.bindings.python.patterns.containers import list_out
from ffi_cookbook.bindings.python.patterns.conversions import double

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


def strided_in(values: Floats, /) -> float:
    """Return the sum of a float64 array of any stride."""
    return reduce(operator.add, vector(values).tolist(), 0.0)


def array_in(values: Floats, /) -> float:
    """Return the sum of a C-contiguous float64 array."""
    return strided_in(contiguous(values))


array_in_nogil = array_in  # the GIL is held: Python code needs it


def array_out(n: int, /) -> Floats:
    """Return a new array 0.0, 1.0 ... n - 1."""
    return np.array(list_out(n))


def array_map(values: Floats, /) -> Floats:
    """Return a new array with every item doubled."""
    return np.array([value * 2.0 for value in contiguous(values).tolist()])


def array_inplace(values: Floats, factor: float, /) -> None:
    """Multiply an array in place."""
    factor = double(factor)
    view = contiguous(values)
    view[:] = [value * factor for value in view.tolist()]


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = double(factor)
    return np.array([value * factor for value in contiguous(values).tolist()])


def dlpack_in(values: Any, /) -> float:
    """Return the sum of a float64 tensor of any library."""
    return array_in(from_dlpack(values))


tensor_in = dlpack_in


def tensor_out(like: Any, n: int, /) -> Any:
    """Return a new tensor 0.0, 1.0 ... n - 1 of the library of another."""
    return tensor_like(like, array_out(n))
