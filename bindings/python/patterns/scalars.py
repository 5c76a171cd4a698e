"""Scalars in plain Python.

Shows:  the checks that a native signature makes, spelled out: the int64 range, and no str in place
        of a number.
Build:  nothing to build.
Bites:  an int does not wrap, it grows; a bool is an int; Python code cannot release the GIL, it can
        only call a function that does (`noop_nogil`).
"""

from __future__ import annotations

import select

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.python.patterns.conversions import double, wrap

__all__ = [
    "add_float",
    "add_int",
    "int_in",
    "int_out",
    "invert",
    "keywords",
    "noop",
    "noop_nogil",
    "six_scalars",
]


def noop() -> None:
    """Do nothing."""
    pass


def noop_nogil() -> None:
    """Do nothing, with the GIL released."""
    select.select((), (), (), 0)  # time.sleep(0) sleeps, about 50 microseconds on Linux


def int_in(a: int, /) -> None:
    """Take an int64."""
    int64(a)


def int_out() -> int:
    """Return an int64, 42."""
    return 42


def invert(flag: bool, /) -> bool:
    """Return the other truth value."""
    if not isinstance(flag, bool):
        raise TypeError(f"flag must be a bool, not {type(flag)}")
    return not flag


def add_int(a: int, b: int, /) -> int:
    """Return a + b modulo 2**64."""
    return wrap(int64(a) + int64(b))


def add_float(a: float, b: float, /) -> float:
    """Return a + b."""
    return double(a) + double(b)


def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    """Return the sum of six numbers."""
    return int64(a) + double(b) + int64(c) + double(d) + int64(e) + double(f)


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    """Return x * scale + offset."""
    return double(x) * double(scale) + double(offset)
