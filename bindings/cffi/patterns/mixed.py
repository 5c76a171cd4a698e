"""Arguments of several kinds, through cffi.

Shows:  the conversions of the other pages, put together; new bytes and new arrays for C to fill.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  bytes must not change: C fills memory of its own, which is copied out.
"""

from __future__ import annotations

from math import ldexp
from operator import index

import numpy as np

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.cffi.patterns.arrays import DOUBLES, floats
from ffi_cookbook.bindings.protocol.arrays import Floats

__all__ = ["add_three", "scaled", "score", "shifted", "stamp"]

_BYTES = ffi.typeof("uint8_t[]")
_add_three = lib.ck_add_three
_score = lib.ck_score
_stamp = lib.ck_stamp
_scaled = lib.ck_scaled
_shifted = lib.ck_shifted


def add_three(a: int, b: int, c: int, /) -> int:
    """Return a + b + c modulo 2**64."""
    return _add_three(index(a), index(b), index(c))


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    data = str.encode(text)
    return _score(data, len(data), index(n), x)


def stamp(data: bytes, mark: int, /) -> bytes:
    """Return new bytes, each XORed with mark."""
    if type(data) is not bytes:
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    out = ffi.new(_BYTES, len(data))
    _stamp(data, len(data), index(mark), out)
    return ffi.buffer(out)[:]


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = ldexp(factor, 0)  # first: it can run code
    data = floats(values)
    out = np.empty(len(data))
    _scaled(data, len(data), factor, ffi.from_buffer(DOUBLES, out))
    return out


def shifted(values: Floats, n: int, text: str, /) -> Floats:
    """Return a new array, values + n + the sum of the text's bytes."""
    n, encoded = index(n), str.encode(text)
    data = floats(values)
    out = np.empty(len(data))
    _shifted(data, len(data), n, encoded, len(encoded), ffi.from_buffer(DOUBLES, out))
    return out
