"""The checks that a native signature makes implicitly: an argument must have its type."""

from __future__ import annotations

import math

from ffi_cookbook.bindings._glue.arrays import int64


def double(x: float) -> float:
    """Convert x as a C double parameter does; float() would take "3" too."""
    return math.ldexp(x, 0)


def wrap(x: int) -> int:
    """Return the int64 that is x modulo 2**64."""
    x &= 2**64 - 1
    return x - 2**64 if x >= 2**63 else x


def count(n: int) -> int:
    """Return a number of items, or raise ValueError when it is negative."""
    n = int64(n)
    if n < 0:
        raise ValueError(f"n must not be negative: {n}")
    return n
