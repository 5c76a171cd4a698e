"""Arrays in plain Python: NumPy is the memory, the arithmetic is Python's.

Shows:  what to check of an array before trusting its memory; DLPack, taken in by NumPy.
Build:  nothing to build.
Bites:  an array hands out NumPy's scalars, slow to add up: tolist() makes floats of all at once.
        np.sum adds pairwise and, from Python 3.12 on, sum() compensates for rounding: neither adds
        from left to right as C does.
"""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

import numpy as np

from bindings.protocol.arrays import Floats
from bindings.python.probes.containers import list_out
from bindings.python.probes.conversions import double

_FLOAT64 = np.dtype(np.float64)


def vector(values: Floats) -> Floats:
    """The array, if it is 1-D, aligned and of float64, with any stride."""
    if not isinstance(values, np.ndarray) or values.dtype != _FLOAT64:
        raise TypeError("values must be a float64 array")
    if values.ndim != 1 or not values.flags.aligned:
        raise ValueError("values must be 1-D and aligned")
    return values


def contiguous(values: Floats) -> Floats:
    """The array, if it is a vector without gaps."""
    if not vector(values).flags.c_contiguous:
        raise ValueError("values must be C-contiguous")
    return values


def strided_in(values: Floats, /) -> float:
    return reduce(operator.add, vector(values).tolist(), 0.0)


def array_in(values: Floats, /) -> float:
    return strided_in(contiguous(values))


array_in_nogil = array_in  # the GIL is held: Python code needs it


def array_out(n: int, /) -> Floats:
    return np.array(list_out(n))


def array_map(values: Floats, /) -> Floats:
    return np.array([value * 2.0 for value in contiguous(values).tolist()])


def array_inplace(values: Floats, factor: float, /) -> None:
    factor = double(factor)
    values[:] = [value * factor for value in contiguous(values).tolist()]


def dlpack_in(values: Any, /) -> float:
    if not hasattr(values, "__dlpack__"):
        raise TypeError(f"{type(values).__name__} has no __dlpack__")
    return array_in(np.from_dlpack(values))
