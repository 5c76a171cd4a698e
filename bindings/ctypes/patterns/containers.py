"""Lists, dicts and tuples through ctypes.

Shows:  array.array as the memory between a list and C; many texts in one call; results by pointer.
Build:  nothing but the shared library.
Bites:  (c_double * n)(*values) makes a type for each new n, which is slow. buffer_info() is a bare
        address: the array.array must be referenced until the call returns. POINTER(T) accepts an
        object of type T itself, which is quicker than its byref().
"""

from __future__ import annotations

from array import array
from ctypes import POINTER, c_double, c_int64, c_size_t, c_void_p
from math import ldexp

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.ctypes.library import declare, lib_gil
from ffi_cookbook.bindings.ctypes.patterns.text import str_in

__all__ = ["dict_in", "list_in", "list_out", "strings_in", "tuple_out"]

_sum_floats = declare(lib_gil, "ck_sum_floats", c_double, c_void_p, c_size_t)
_iota = declare(lib_gil, "ck_iota", None, c_void_p, c_size_t)
_weigh = declare(lib_gil, "ck_weigh", c_double, c_void_p, c_size_t, c_double)
_order = declare(lib_gil, "ck_order", None, c_int64, c_int64, *(POINTER(c_int64),) * 2)
_ZERO = array("d", [0.0])


# ---- list ----------------------------------------------------------------------------------


def list_in(values: list[float], /) -> float:
    """Return the sum of a list of floats."""
    if not isinstance(values, list):
        raise TypeError(f"expected a list, not {type(values).__name__}")
    numbers = array("d", list.copy(values))  # which nobody else can change
    return _sum_floats(*numbers.buffer_info())


def list_out(n: int, /) -> list[float]:
    """Return a new list 0.0, 1.0 ... n - 1."""
    n = int64(n)
    if n < 0:
        raise ValueError(f"n must not be negative: {n}")
    numbers = _ZERO * n
    _iota(*numbers.buffer_info())
    return numbers.tolist()


def strings_in(texts: list[str], /) -> int:
    """Return the sum of the UTF-8 bytes of a list of texts."""
    if not isinstance(texts, list):
        raise TypeError(f"expected a list, not {type(texts).__name__}")
    return str_in("".join(list.copy(texts)))  # one call for all


# ---- dict and tuple ------------------------------------------------------------------------


def dict_in(weights: dict[str, float], /) -> float:
    """Return the sum of each key's UTF-8 bytes times its value."""
    if not isinstance(weights, dict):
        raise TypeError(f"expected a dict, not {type(weights).__name__}")
    total = 0.0
    for key, value in dict.copy(weights).items():
        data = str.encode(key)
        total += _weigh(data, len(data), ldexp(value, 0))
    return total


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Return the smaller and the larger of two integers."""
    smaller, larger = c_int64(), c_int64()
    _order(int64(a), int64(b), smaller, larger)
    return smaller.value, larger.value
