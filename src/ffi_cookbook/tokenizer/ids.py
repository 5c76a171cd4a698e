"""The conversion of ids from any form."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from ffi_cookbook.bindings.protocol import Uint32Array


def as_ids(ids: Iterable[int] | Uint32Array) -> Uint32Array:
    """Return ids in the form that `Tokenizer.decode` takes.

    Raises:
        TypeError: the ids are not integers.
        ValueError: an array is not one-dimensional.
        OverflowError: an integer does not fit uint32.
    """
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise TypeError(f"ids must be integers, not {type(ids).__name__}")
    if not isinstance(ids, np.ndarray):
        return np.array(array("I", list(ids)), np.uint32)
    if ids.dtype.kind not in "iu" and ids.size:  # np.array([]) is of float64
        raise TypeError(f"ids must be integers, not {ids.dtype}")
    if ids.ndim != 1:
        raise ValueError(f"ids must be one-dimensional, not {ids.ndim}-dimensional")
    if ids.size and not 0 <= int(ids.min()) <= int(ids.max()) < 1 << 32:
        raise OverflowError("an id is out of the range of uint32")
    return np.ascontiguousarray(ids, np.uint32)
