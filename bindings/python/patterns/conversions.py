"""The checks that a native signature makes implicitly: an argument must have its type."""

from __future__ import annotations

import math
import operator


def double(x: float) -> float:
    """Convert x as a C double parameter does; float() would take "3" too."""
    return math.ldexp(x, 0)


def integer(x: int, bits: int = 64) -> int:
    """Convert x as a signed C integer parameter of `bits` bits does."""
    x = operator.index(x)
    if not -(1 << bits - 1) <= x < 1 << bits - 1:
        raise OverflowError(f"{x} does not fit {bits} bits")
    return x


def wrap(x: int) -> int:
    """Return the int64 that is x modulo 2**64."""
    x &= 2**64 - 1
    return x - 2**64 if x >= 2**63 else x


def count(n: int) -> int:
    """Return a number of items, or raise ValueError when it is negative."""
    n = integer(n)
    if n < 0:
        raise ValueError(f"n must not be negative: {n}")
    return n
