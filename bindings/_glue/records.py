"""Checks of the arguments of the records functions, for the bindings that are written in Python.

A wrong type or dtype raises TypeError, any other fault of an array raises ValueError.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.arrays import byte_view, ndarray_of
from ffi_cookbook.bindings.errors import Code, record_error
from ffi_cookbook.bindings.errors.records import ARGUMENTS
from ffi_cookbook.bindings.protocol import Uint8Array

_INT64, _UINT8 = np.dtype(np.int64), np.dtype(np.uint8)
_FLAGS = ("verify", "final", "resync")
_SHAPES: dict[str, tuple[str | int, ...]] = {
    "spans": ("n", 2),
    "columns": ("n", 10),
    "fields": ("n", 5),
    "cursor": (4,),
}


def checked(**arguments: Any) -> list[Any]:
    """Return the arrays among these arguments as views, whose shapes nobody else can change.

    The flags must be bools. Buffers are borrowed before: a `__buffer__` can run code that gives
    the arrays another shape or memory. A table of spans is filled if there is no arena, and the
    leaves of a fixed layout never are; all other arrays must be writable.
    """
    arrays = {name: given for name, given in arguments.items() if name not in _FLAGS}
    for name, flag in arguments.items():
        if name in _FLAGS and type(flag) is not bool:
            raise TypeError(f"{name} must be a bool, not {type(flag)}")
    only_read = ("fields", "spans") if "arena" in arrays else ()
    return [_array(name, given, name not in only_read) for name, given in arrays.items()]


def refuse_overlap(**memory: Any) -> None:
    """Raise ValueError if memory that is filled overlaps another argument.

    The arena, the columns and the cursor are filled, and spans if there is no arena. The compiled
    kernels check this themselves, in the order of these arguments.
    """
    filled = {"arena", "columns", "cursor", "spans" if "arena" not in memory else ""}
    extents = {name: _extent(byte_view(name, given)) for name, given in memory.items()}
    del memory  # or the traceback would keep it borrowed
    for (a, one), (b, two) in combinations(extents.items(), 2):
        if (a in filled or b in filled) and max(one[0], two[0]) < min(one[1], two[1]):
            numbers = ARGUMENTS.index(a), ARGUMENTS.index(b)
            raise record_error((Code.OVERLAP, 0, 0, -1, *numbers))


def _extent(array: Uint8Array) -> tuple[int, int]:
    start = array.ctypes.data
    return start, start + array.size


def _array(name: str, given: Any, writable: bool) -> npt.NDArray[Any]:
    # `ndarray_of` does the same for any class, and takes longer.
    array: npt.NDArray[Any] = given.view() if type(given) is np.ndarray else ndarray_of(name, given)
    dtype, wanted = (_UINT8, None) if name == "arena" else (_INT64, _SHAPES[name])
    if (its_dtype := array.dtype) is not dtype and its_dtype != dtype:
        raise TypeError(f"{name} must be a numpy array of {dtype}, not {its_dtype}")
    flags = array.flags
    if not flags.carray:  # C-contiguous, aligned and writable
        if not (flags.c_contiguous and flags.aligned):
            raise ValueError(f"{name} must be C-contiguous and aligned")
        if writable:
            raise ValueError(f"{name} must be writable")
    shape = array.shape
    if wanted and (len(shape) != len(wanted) or shape[-1] != wanted[-1]):
        raise ValueError(f"{name} must have shape {wanted}, not {shape}")
    return array
