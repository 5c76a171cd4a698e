"""What `bindings.protocol` asks of arguments, for the doors that are written in Python.

A compiled door checks with the means of its technology; python, numpy, ctypes, cffi, torch here. A
wrong type or dtype is a TypeError, everything else about an array a ValueError.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from bindings.protocol import Buffer, Matrix, Uint8Array

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_INT64 = np.dtype(np.int64)
_UINT8 = np.dtype(np.uint8)


# ---- matmul -----------------------------------------------------------------------------------


def check_matmul(a: Any, b: Any, out: Any, threads: Any) -> Matrix:
    """The array to fill with a @ b: `out` if it can take the product, a new one if it is None."""
    for name, operand in (("a", a), ("b", b)):
        _check_matrices(name, operand)
    if a.dtype != b.dtype:
        raise TypeError(f"a is {a.dtype} but b is {b.dtype}")
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"a has {a.shape[-1]} columns but b has {b.shape[-2]} rows")
    shape = (*_batch(a, b), a.shape[-2], b.shape[-1])
    check_threads(threads)
    if out is None:
        return _new_array(shape, a.dtype)
    _check_matrices("out", out)
    if out.dtype != a.dtype:
        raise TypeError(f"out is {out.dtype} but a and b are {a.dtype}")
    if out.shape != shape:
        raise ValueError(f"out must have shape {shape}, not {out.shape}")
    if not out.flags.carray:
        raise ValueError("out must be C-contiguous, aligned and writable")
    if np.may_share_memory(out, a) or np.may_share_memory(out, b):
        raise ValueError("out must not overlap a or b")
    return out  # type: ignore[no-any-return]


def check_threads(threads: Any) -> int:
    """`threads` as an int from 1 to 64, the most that a kernel uses."""
    number = operator.index(threads)
    if number < 1:
        raise ValueError(f"threads must be at least 1, not {number}")
    return min(number, 64)


def batch_strides(operand: Matrix) -> tuple[int, ...]:
    """In bytes: from matrix to matrix (0 where there is but one), row to row, column to column."""
    if operand.ndim == 2 or operand.shape[0] == 1:
        return 0, *operand.strides[-2:]
    return operand.strides


def _check_matrices(name: str, array: Any) -> None:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} must be a numpy.ndarray, not {type(array).__name__}")
    if array.dtype not in _FLOATS:
        raise TypeError(f"{name} must be float32 or float64 in native order, not {array.dtype!r}")
    if array.ndim not in (2, 3):
        raise ValueError(f"{name} must have 2 or 3 dimensions, not {array.ndim}")


def _batch(a: Matrix, b: Matrix) -> tuple[int, ...]:
    """How many matrices the product has, in a tuple; none where it is a matrix."""
    if a.ndim == 2 or b.ndim == 2:
        return a.shape[:-2] or b.shape[:-2]
    if a.shape[0] != b.shape[0] and 1 not in (a.shape[0], b.shape[0]):
        raise ValueError(f"a has {a.shape[0]} matrices but b has {b.shape[0]}")
    return (b if a.shape[0] == 1 else a).shape[:1]


def _new_array(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Matrix:
    try:
        return np.empty(shape, dtype)
    except ValueError as error:  # what NumPy says when the size overflows
        raise MemoryError(f"a result of shape {shape} does not fit in memory") from error


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
