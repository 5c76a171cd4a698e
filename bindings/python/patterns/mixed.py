"""Arguments of several kinds, in plain Python.

Shows:  the checks of the other pages, put together.
Build:  nothing to build.
Bites:  each check is a call of its own, and together they cost more than the work.
"""

from __future__ import annotations

import numpy as np

from ffi_cookbook.bindings.protocol.arrays import Floats
from ffi_cookbook.bindings.python.patterns.arrays import contiguous
from ffi_cookbook.bindings.python.patterns.conversions import double, integer, wrap
from ffi_cookbook.bindings.python.patterns.text import str_in

__all__ = ["add_three", "scaled", "score", "shifted", "stamp"]


def add_three(a: int, b: int, c: int, /) -> int:
    """Return a + b + c modulo 2**64."""
    return wrap(integer(a) + integer(b) + integer(c))


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    return float(str_in(text)) + float(integer(n)) + double(x)


def stamp(data: bytes, mark: int, /) -> bytes:
    """Return new bytes, each XORed with mark."""
    if not isinstance(data, bytes):
        raise TypeError(f"data must be bytes, not {type(data).__name__}")
    mark = integer(mark)
    if not 0 <= mark < 256:
        raise ValueError(f"mark must be a byte, not {mark}")
    return bytes([byte ^ mark for byte in data])


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = double(factor)
    return np.array([value * factor for value in contiguous(values).tolist()])


def shifted(values: Floats, n: int, text: str, /) -> Floats:
    """Return a new array, values + n + the sum of the text's bytes."""
    shift = float(integer(n)) + float(str_in(text))
    return np.array([value + shift for value in contiguous(values).tolist()])
