"""Arguments of several kinds, through torch.

Shows:  the pieces of the other pages, put together; bytes changed in place, in a copy that Python
        owns.
Build:  bindings/torch/patterns/mixed.cpp.
Bites:  torch.frombuffer borrows a buffer's memory faster than NumPy, but refuses an empty one.
"""

from __future__ import annotations

from math import ldexp

import numpy as np
import torch

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.torch.library import borrowed, on_arrays, ops
from ffi_cookbook.bindings.torch.patterns.arrays import Floats, contiguous

__all__ = ["add_three", "scaled", "score", "shifted", "stamp"]

_add_three, _score = ops.add_three.default, ops.score.default
_stamp = on_arrays(ops.stamp.default)
_scaled = on_arrays(ops.scaled.default)
_shifted = on_arrays(ops.shifted.default)


def add_three(a: int, b: int, c: int, /) -> int:
    """Return a + b + c modulo 2**64."""
    return _add_three(int64(a), int64(b), int64(c))


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    n, x = int64(n), ldexp(x, 0)
    try:
        return _score(text, n, x)
    except RuntimeError:
        str.encode(text)  # UnicodeEncodeError, if that is why
        raise


def stamp(data: bytes, mark: int, /) -> bytes:
    """Return new bytes, each XORed with mark."""
    if not isinstance(data, bytes):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    mark = int64(mark)
    if not 0 <= mark < 256:
        raise ValueError(f"mark must be a byte, not {mark}")
    stamped = bytearray(data)
    if stamped:
        _stamp(torch.frombuffer(stamped, dtype=torch.uint8), mark)
    return bytes(stamped)


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = ldexp(factor, 0)
    view = contiguous(values)
    out = np.empty(view.size)
    _scaled(borrowed(view), factor, torch.from_numpy(out))
    return out


def shifted(values: Floats, n: int, text: str, /) -> Floats:
    """Return a new array, values + n + the sum of the text's bytes."""
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    n = int64(n)
    view = contiguous(values)
    out = np.empty(view.size)
    try:
        _shifted(borrowed(view), n, text, torch.from_numpy(out))
    except RuntimeError:
        str.encode(text)  # UnicodeEncodeError, if that is why
        raise
    return out
