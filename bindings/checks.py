"""What `bindings.protocol` asks of arguments, for the bindings that are written in Python.

A compiled binding checks with the means of its technology; python, numpy, ctypes, cffi, torch here.
A wrong type or dtype is a TypeError, everything else about an array a ValueError.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from bindings.protocol import Buffer, Uint8Array

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


# ---- buffers and integers -----------------------------------------------------------------------


def byte_view(name: str, buffer: Buffer) -> Uint8Array:
    """Return the bytes of any C-contiguous buffer, borrowed for as long as the array lives.

    An array and not a memoryview: before Python 3.13 one whose memory is in use can crash when the
    garbage collector finds it in a cycle, such as an exception makes with the frames it passed.
    """
    try:
        return np.frombuffer(buffer, np.uint8)
    except BufferError as error:
        raise ValueError(f"{name} must be a C-contiguous buffer ({error})") from None


def int64(value: Any) -> int:
    """Return what has `__index__` as an int that fits 64 bits."""
    number = operator.index(value)
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{number} does not fit 64 bits")
    return number
