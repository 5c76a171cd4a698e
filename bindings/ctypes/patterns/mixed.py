"""Arguments of several kinds, through ctypes.

Shows:  the conversions of the other pages, put together; new bytes and new arrays for C to fill.
Build:  nothing but the shared library.
Bites:  bytes must not change: C fills an array.array, whose bytes are copied out. c_uint8 keeps the
        low 8 bits of any int.
"""

from __future__ import annotations

from array import array
from ctypes import c_double, c_int64, c_size_t, c_uint8, c_void_p
from math import ldexp
from operator import index

import numpy as np

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.ctypes.library import declare, lib_gil
from ffi_cookbook.bindings.ctypes.patterns.arrays import floats, memory
from ffi_cookbook.bindings.protocol.arrays import Floats

__all__ = ["add_three", "scaled", "score", "shifted", "stamp"]

_MEMORY = (c_void_p, c_size_t)
_add_three = declare(lib_gil, "ck_add_three", c_int64, c_int64, c_int64, c_int64)
_score = declare(lib_gil, "ck_score", c_double, *_MEMORY, c_int64, c_double)
_stamp = declare(lib_gil, "ck_stamp", None, *_MEMORY, c_uint8, c_void_p)
_scaled = declare(lib_gil, "ck_scaled", None, *_MEMORY, c_double, c_void_p)
_shifted = declare(lib_gil, "ck_shifted", None, *_MEMORY, c_int64, *_MEMORY, c_void_p)


def add_three(a: int, b: int, c: int, /) -> int:
    """Return a + b + c modulo 2**64."""
    return _add_three(int64(a), int64(b), int64(c))


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    data = str.encode(text)
    return _score(data, len(data), int64(n), ldexp(x, 0))


def stamp(data: bytes, mark: int, /) -> bytes:
    """Return new bytes, each XORed with mark."""
    if type(data) is not bytes:
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    if not 0 <= (mark := index(mark)) < 256:
        raise ValueError(f"mark must be a byte: {mark}")
    out = array("B", data)
    _stamp(data, len(data), mark, out.buffer_info()[0])
    return out.tobytes()


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = ldexp(factor, 0)
    data, size = floats(values)
    out = np.empty(size)
    _scaled(data, size, factor, memory(out))
    return out


def shifted(values: Floats, n: int, text: str, /) -> Floats:
    """Return a new array, values + n + the sum of the text's bytes."""
    n, encoded = int64(n), str.encode(text)
    data, size = floats(values)
    out = np.empty(size)
    _shifted(data, size, n, encoded, len(encoded), memory(out))
    return out
