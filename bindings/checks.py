"""What `bindings.protocol` asks of arguments, for the doors that are written in Python.

A compiled door checks with the means of its technology; python, numpy, ctypes, cffi, torch here. A
wrong type or dtype is a TypeError, everything else about an array a ValueError.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from bindings.protocol import Buffer, Uint8Array

_INT64 = np.dtype(np.int64)
_UINT8 = np.dtype(np.uint8)


# ---- arrays and threads ------------------------------------------------------------------------

_view = np.ndarray.view


def ndarray_of(name: str, array: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """Return a view of the array with a shape, strides and dtype of its own.

    Nobody else can change these, as another thread can change those of the array; and a subclass,
    whose attributes may be anything, is seen as the ndarray that it is.
    """
    try:
        return _view(array, np.ndarray)
    except TypeError:
        kind = type(array).__name__
        raise TypeError(f"{name} must be a numpy.ndarray, not {kind}") from None


def check_threads(threads: Any) -> int:
    """Return `threads` as an int from 1 to 64, the most that a kernel uses."""
    number = operator.index(threads)
    if number < 1:
        raise ValueError(f"threads must be at least 1, not {number}")
    return min(number, 64)


# ---- records ----------------------------------------------------------------------------------


def byte_view(name: str, buffer: Buffer) -> Uint8Array:
    """The bytes of any C-contiguous buffer, borrowed: it stays exported as long as the array lives.

    An array and not a memoryview: before Python 3.13 one whose memory is in use can crash when the
    garbage collector finds it in a cycle, such as an exception makes with the frames it passed.
    """
    try:
        return np.frombuffer(buffer, np.uint8)
    except BufferError:
        raise ValueError(f"{name} must be C-contiguous") from None


def check_index(spans: Any, cursor: Any) -> None:
    """The arrays of `index_records`."""
    _check_table("spans", spans, (None, 2))
    _check_table("cursor", cursor, (4,))


def check_examples(arena: Any, columns: Any, cursor: Any) -> None:
    """The arrays of `decode_examples`."""
    _check_arena(arena)
    _check_table("columns", columns, (None, 10))
    _check_table("cursor", cursor, (4,))


def check_gather(spans: Any, arena: Any, columns: Any, cursor: Any) -> None:
    """The arrays of `gather_examples`."""
    _check_table("spans", spans, (None, 2), writable=False)
    check_examples(arena, columns, cursor)


def check_fixed(fields: Any, arena: Any, cursor: Any) -> None:
    """The arrays of `decode_fixed`."""
    _check_table("fields", fields, (None, 5), writable=False)
    _check_arena(arena)
    _check_table("cursor", cursor, (4,))


def _check_arena(arena: Any) -> None:
    _check_array("arena", arena, _UINT8, writable=True)


def _check_table(
    name: str, table: Any, shape: tuple[int | None, ...], *, writable: bool = True
) -> None:
    _check_array(name, table, _INT64, writable)
    if table.ndim != len(shape) or table.shape[-1] != shape[-1]:
        wanted = tuple("n" if size is None else size for size in shape)
        raise ValueError(f"{name} must have shape {wanted}, not {table.shape}")


def _check_array(name: str, array: Any, dtype: np.dtype[Any], writable: bool) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        kind = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError(f"{name} must be a numpy array of {dtype}, not {kind}")
    flags = array.flags
    if not (flags.c_contiguous and flags.aligned):
        raise ValueError(f"{name} must be C-contiguous and aligned")
    if writable and not flags.writeable:
        raise ValueError(f"{name} must be writable")
