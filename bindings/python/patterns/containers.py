"""Lists, dicts and tuples in plain Python.

Shows:  a check of every item: str.join takes only str, `double` only numbers.
Build:  nothing to build.
Bites:  the sum of NumPy's float32 scalars is a float32: convert before adding. A conversion may run
        Python code that changes the container, and so may another thread: read a copy. If memory
        does not suffice, [0.0] * n fails at once, [float(i) for i in range(n)] only after it has
        used all of it.
"""

from __future__ import annotations

import operator
from functools import reduce

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.python.patterns.conversions import count, double

__all__ = ["dict_in", "list_in", "list_out", "strings_in", "tuple_out"]


def list_in(values: list[float], /) -> float:
    """Return the sum of a list of floats."""
    if not isinstance(values, list):
        raise TypeError(f"values must be a list, not {type(values).__name__}")
    return reduce(operator.add, map(double, list.copy(values)), 0.0)


def list_out(n: int, /) -> list[float]:
    """Return a new list 0.0, 1.0 ... n - 1."""
    n = count(n)
    values = [0.0] * n
    for i in range(n):
        values[i] = float(i)
    return values


def strings_in(texts: list[str], /) -> int:
    """Return the sum of the UTF-8 bytes of a list of texts."""
    if not isinstance(texts, list):
        raise TypeError(f"texts must be a list, not {type(texts).__name__}")
    return sum("".join(list.copy(texts)).encode())


def dict_in(weights: dict[str, float], /) -> float:
    """Return the sum of each key's UTF-8 bytes times its value."""
    if not isinstance(weights, dict):
        raise TypeError(f"weights must be a dict, not {type(weights).__name__}")
    total = 0.0
    for key, value in dict.copy(weights).items():
        total += float(sum(str.encode(key))) * double(value)
    return total


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Return the smaller and the larger of two integers."""
    a, b = int64(a), int64(b)
    return (a, b) if a < b else (b, a)
