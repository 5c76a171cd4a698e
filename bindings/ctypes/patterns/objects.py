"""Structs and objects through ctypes.

Shows:  a C struct as a Python class, by value and by pointer, with methods of its own; a generator
        over a native iterator.
Build:  nothing but the shared library.
Bites:  _fields_ must repeat the C struct, and nothing checks that it does. A subclass with more
        fields passes for its base, by value. POINTER takes None for NULL, byref() does not. A
        c_int64 field keeps the low 64 bits of any int: a property in front of it refuses larger
        ones. A generator function runs nothing, not even a check, before the first next().
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import POINTER, Structure, byref, c_bool, c_double, c_int64
from math import ldexp

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings._glue.sharing import in_turn_without_gil, shared_without_gil
from ffi_cookbook.bindings.ctypes.library import declare, lib_gil

__all__ = ["Counter", "Point", "countdown", "struct_in", "struct_out"]

# ---- struct --------------------------------------------------------------------------------


class Point(Structure):
    "Point(x, y)\n--\n\nA ck_point."

    _fields_ = [("x", c_double), ("y", c_double)]
    x: float
    y: float

    @in_turn_without_gil
    def __init__(self, x: float, y: float) -> None:
        super().__init__(ldexp(x, 0), ldexp(y, 0))


_point_sum = declare(lib_gil, "ck_point_sum", c_double, Point)
_make_point = declare(lib_gil, "ck_make_point", Point, c_double, c_double)


@in_turn_without_gil
def struct_in(point: Point, /) -> float:
    """Return x + y of a Point."""
    if type(point) is not Point:
        raise TypeError(f"point must be a Point, not {type(point).__name__}")
    return _point_sum(point)


def struct_out(x: float, y: float, /) -> Point:
    """Return a new Point."""
    return _make_point(ldexp(x, 0), ldexp(y, 0))


# ---- object --------------------------------------------------------------------------------


class Counter(Structure):
    """A ck_counter."""

    _fields_ = [("_value", c_int64)]

    def __init__(self, value: int) -> None:
        self._value = int64(value)

    @property
    def value(self) -> int:
        """The current value."""
        return self._value

    @value.setter
    def value(self, value: int) -> None:
        self._value = int64(value)

    def add(self, n: int, /) -> int:
        """Add n and return the new value."""
        return _counter_add(byref(self), int64(n))


_counter_add = declare(lib_gil, "ck_counter_add", c_int64, POINTER(Counter), c_int64)


# ---- iterator ------------------------------------------------------------------------------

_counter_next = declare(lib_gil, "ck_counter_next", c_bool, POINTER(Counter), POINTER(c_int64))


def countdown(n: int, /) -> Iterator[int]:
    """Return an iterator over n - 1, n - 2 ... 0."""
    return _items(Counter(n))


@shared_without_gil
def _items(counter: Counter) -> Iterator[int]:
    item = c_int64()
    while _counter_next(counter, item):
        yield item.value
