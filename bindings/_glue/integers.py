"""The check of the argument of `encode_varints`, for the bindings that are written in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array

_INT64 = np.dtype(np.int64)


def check_integers(name: str, values: Any) -> Int64Array:
    """Return a one-dimensional int64 array as a plain ndarray, which runs no code of a subclass.

    Raises:
        TypeError: `values` is not an ndarray of native int64.
        ValueError: it is not one-dimensional, C-contiguous and aligned.
    """
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name} must be an int64 array, not {type(values).__name__}")
    plain: np.ndarray[Any, np.dtype[Any]] = np.ndarray.view(values, np.ndarray)
    if plain.dtype != _INT64:
        raise TypeError(f"{name} must be an int64 array, not one of {plain.dtype}")
    if plain.ndim != 1 or not (plain.flags.c_contiguous and plain.flags.aligned):
        raise ValueError(f"{name} must be one-dimensional, C-contiguous and aligned")
    return plain
