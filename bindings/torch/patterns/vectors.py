"""NumPy arrays in the form that the operators take."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.arrays import ndarray_of

Floats = npt.NDArray[np.float64]


def vector(values: Floats, name: str = "values") -> Floats:
    """Return a view of the array, if it is 1-D, aligned and float64, with any stride."""
    view = ndarray_of(name, values)
    if view.dtype != np.float64:
        raise TypeError(f"{name} must be float64, not {view.dtype}")
    if view.ndim != 1 or not view.flags.aligned:
        raise ValueError(f"{name} must be one-dimensional and aligned")
    return view


def contiguous(values: Floats, name: str = "values") -> Floats:
    """Return a view of the array, if it is a contiguous vector."""
    view = vector(values, name)
    if not view.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous")
    return view
