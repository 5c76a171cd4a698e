"""Checks of the arguments of the records functions, for the bindings that are written in Python.

A wrong type or dtype raises TypeError, any other fault of an array raises ValueError.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.arrays import byte_view, ndarray_of
from ffi_cookbook.bindings.errors import Code, record_error
from ffi_cookbook.bindings.errors.records import ARGUMENTS
from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array

T = TypeVar("T", bound=np.generic)
_INT64 = np.dtype(np.int64)
_UINT8 = np.dtype(np.uint8)


def check_index(spans: Any, cursor: Any, **flags: Any) -> tuple[Int64Array, Int64Array]:
    """Return the array arguments of `index_records` as views, whose shapes nobody else can change.

    Here and below, `flags` must be bools, and buffers are borrowed first: a `__buffer__` can run
    code that gives the arrays another shape or memory.
    """
    _check_flags(flags)
    return _table("spans", spans, 2, 2), _table("cursor", cursor, 1, 4)


def check_examples(
    arena: Any, columns: Any, cursor: Any, **flags: Any
) -> tuple[Uint8Array, Int64Array, Int64Array]:
    """Return the array arguments of `decode_examples`, like `check_index`."""
    _check_flags(flags)
    return _arena(arena), _table("columns", columns, 2, 10), _table("cursor", cursor, 1, 4)


def check_gather(
    spans: Any, arena: Any, columns: Any, cursor: Any, **flags: Any
) -> tuple[Int64Array, Uint8Array, Int64Array, Int64Array]:
    """Return the array arguments of `gather_examples`, like `check_index`."""
    _check_flags(flags)
    wanted = _table("spans", spans, 2, 2, writable=False)
    return wanted, *check_examples(arena, columns, cursor)


def check_fixed(
    fields: Any, arena: Any, cursor: Any, **flags: Any
) -> tuple[Int64Array, Uint8Array, Int64Array]:
    """Return the array arguments of `decode_fixed`, like `check_index`."""
    _check_flags(flags)
    leaves = _table("fields", fields, 2, 5, writable=False)
    return leaves, _arena(arena), _table("cursor", cursor, 1, 4)


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


def _check_flags(flags: dict[str, Any]) -> None:
    for name, flag in flags.items():
        if type(flag) is not bool:
            raise TypeError(f"{name} must be a bool, not {type(flag)}")


def _extent(array: Uint8Array) -> tuple[int, int]:
    start = array.ctypes.data
    return start, start + array.size


def _arena(arena: Any) -> Uint8Array:
    return _array("arena", arena, _UINT8, writable=True)


def _table(name: str, table: Any, ndim: int, columns: int, *, writable: bool = True) -> Int64Array:
    array = _array(name, table, _INT64, writable)
    shape = array.shape
    if len(shape) != ndim or shape[-1] != columns:
        wanted = ("n", columns)[-ndim:]
        raise ValueError(f"{name} must have shape {wanted}, not {shape}")
    return array


def _array(name: str, given: Any, dtype: np.dtype[T], writable: bool) -> npt.NDArray[T]:
    # `ndarray_of` does the same for any class, and takes longer.
    array: npt.NDArray[T] = given.view() if type(given) is np.ndarray else ndarray_of(name, given)
    if (its_dtype := array.dtype) is not dtype and its_dtype != dtype:
        raise TypeError(f"{name} must be a numpy array of {dtype}, not {its_dtype}")
    flags = array.flags
    if flags.carray:  # C-contiguous, aligned and writable
        return array
    if not (flags.c_contiguous and flags.aligned):
        raise ValueError(f"{name} must be C-contiguous and aligned")
    if writable:
        raise ValueError(f"{name} must be writable")
    return array
