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


def check_matmul(a: Any, b: Any, out: Any, threads: Any) -> tuple[Matrix, Matrix, Matrix, int]:
    """Return views of a, of b and of the array to fill, and the number of threads.

    In the order of every binding: what can run code, then types and dtypes, then values.
    """
    threads = check_threads(threads)
    a, b = _matrices("a", a), _matrices("b", b)
    if a.dtype != b.dtype:
        raise TypeError(f"a is {a.dtype} but b is {b.dtype}")
    if out is not None:
        out = _matrices("out", out)
        if out.dtype != a.dtype:
            raise TypeError(f"out is {out.dtype} but a and b are {a.dtype}")
    shape = _product_shape(a, b)
    if out is None:
        return a, b, _new_array(shape, a.dtype), threads
    _check_ndim("out", out)
    if out.shape != shape:
        raise ValueError(f"out must have shape {shape}, not {out.shape}")
    if not out.flags.carray:
        raise ValueError("out must be C-contiguous, aligned and writable")
    if np.may_share_memory(out, a) or np.may_share_memory(out, b):
        raise ValueError("out must not overlap a or b")
    return a, b, out, threads


def check_threads(threads: Any) -> int:
    """Return `threads` as an int from 1 to 64, the most that a kernel uses."""
    number = operator.index(threads)
    if number < 1:
        raise ValueError(f"threads must be at least 1, not {number}")
    return min(number, 64)


def batch_strides(operand: Matrix) -> tuple[int, ...]:
    """Return the bytes between matrices (0 in a batch of one), between rows, between columns."""
    if operand.ndim == 2 or operand.shape[0] == 1:
        return 0, *operand.strides[-2:]
    return operand.strides


def _matrices(name: str, array: Any) -> Matrix:
    view = ndarray_of(name, array)
    if view.dtype not in _FLOATS:
        raise TypeError(f"{name} must be float32 or float64 in native order, not {view.dtype!r}")
    return view


def _check_ndim(name: str, array: Matrix) -> None:
    if array.ndim not in (2, 3):
        raise ValueError(f"{name} must have 2 or 3 dimensions, not {array.ndim}")


def _product_shape(a: Matrix, b: Matrix) -> tuple[int, ...]:
    _check_ndim("a", a)
    _check_ndim("b", b)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"a has {a.shape[-1]} columns but b has {b.shape[-2]} rows")
    return *_batch(a, b), a.shape[-2], b.shape[-1]


def _batch(a: Matrix, b: Matrix) -> tuple[int, ...]:
    """Return the number of matrices of the product in a tuple, which is empty for a matrix."""
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
