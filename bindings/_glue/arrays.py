"""Checks of the arguments that `protocol` describes, for bindings written in Python.

A compiled binding checks its arguments itself; python, numpy, ctypes, cffi and torch do it here. A
wrong type or dtype raises TypeError, any other fault of an array raises ValueError.
"""

from __future__ import annotations

import operator
import sys
from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol import Buffer, Uint8Array
from ffi_cookbook.bindings.protocol.arrays import Floats

# ---- arrays and threads ------------------------------------------------------------------------

_view = np.ndarray.view
_FLOAT64 = np.dtype(np.float64)


def ndarray_of(name: str, array: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """Return a view of the array, whose shape, strides and dtype cannot be changed elsewhere.

    Another thread can change the attributes of the array, but not the view's attributes. A
    subclass, whose attributes may be anything, becomes a plain ndarray.
    """
    try:
        return _view(array, np.ndarray)
    except TypeError:
        kind = type(array).__name__
        raise TypeError(f"{name} must be a numpy.ndarray, not {kind}") from None


def vector(values: Floats) -> Floats:
    """Return a view of the array, if it is 1-D, aligned and float64, with any stride."""
    view = ndarray_of("values", values)
    if view.dtype != _FLOAT64:
        raise TypeError(f"values must be float64, not {view.dtype}")
    if view.ndim != 1 or not view.flags.aligned:
        raise ValueError("values must be one-dimensional and aligned")
    return view


def contiguous(values: Floats) -> Floats:
    """Return a view of the array, if it is a contiguous vector."""
    view = vector(values)
    if not view.flags.c_contiguous:
        raise ValueError("values must be C-contiguous")
    return view


def from_dlpack(values: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """Return an array of the memory of a tensor of any library."""
    if not hasattr(values, "__dlpack__"):
        raise TypeError(f"values must have __dlpack__, which {type(values).__name__} does not have")
    if hasattr(values, "is_neg") and values.is_neg():  # which torch exports without a word
        raise ValueError("values must not be a view that negates: call resolve_neg()")
    array = np.from_dlpack(values)
    if array.size and array.flags.owndata:  # NumPy's memory, since the tensor has none
        raise ValueError("values must lie in memory")
    return array


def tensor_like(like: Any, values: Floats) -> Any:
    """Return an array as a tensor of the library of `like`, which may share its memory."""
    torch = sys.modules.get("torch")  # whose tensors do not say what their library is
    if torch and isinstance(like, torch.Tensor):
        return torch.from_dlpack(values)
    if not hasattr(like, "__array_namespace__"):
        raise TypeError(f"like must be a tensor of a library, not {type(like).__name__}")
    return like.__array_namespace__().from_dlpack(values)


def check_threads(threads: Any) -> int:
    """Return `threads` as an int from 1 to 64, the most that a kernel uses."""
    number = operator.index(threads)
    if number < 1:
        raise ValueError(f"threads must be at least 1, not {number}")
    return min(number, 64)


# ---- buffers and integers -----------------------------------------------------------------------


def byte_view(name: str, buffer: Buffer) -> Uint8Array:
    """Return the bytes of any C-contiguous buffer, borrowed for as long as the array lives.

    The result is an array and not a memoryview: before Python 3.13 a memoryview whose memory is in
    use can crash when the garbage collector finds it in a cycle. An exception makes such a cycle
    with the stack frames it passed.
    """
    try:
        return np.frombuffer(buffer, np.uint8)
    except BufferError as error:
        raise ValueError(f"{name} must be a C-contiguous buffer ({error})") from None


def int32(value: Any) -> int:
    """Return an object with `__index__` as an int, which must fit 32 bits."""
    number = operator.index(value)
    if not -(2**31) <= number < 2**31:
        raise OverflowError(f"{number} does not fit 32 bits")
    return number


def int64(value: Any) -> int:
    """Return an object with `__index__` as an int, which must fit 64 bits."""
    number = operator.index(value)
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{number} does not fit 64 bits")
    return number
