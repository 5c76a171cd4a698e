"""Structs and objects through cffi.

Shows:  a C struct in a Python class, by value and by pointer, its layout known from the header; a
        generator over a native iterator.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  all structs have one Python type, cdata, so a class of our own wraps it. A struct parameter
        takes a tuple, list or dict too. A generator function runs nothing, not even a check, before
        the first next().
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any

from ffi_cookbook.bindings._glue.sharing import shared_without_gil
from ffi_cookbook.bindings.cffi.library import ffi, lib

__all__ = ["Counter", "Point", "countdown", "struct_in", "struct_out"]

# ---- struct --------------------------------------------------------------------------------

_point_sum = lib.ck_point_sum
_make_point = lib.ck_make_point


class Point:
    """A ck_point, which C returns by value."""

    __slots__ = ("struct",)

    def __init__(self, x: float, y: float) -> None:
        self.struct = _make_point(x, y)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.x, self.y)

    @property
    def x(self) -> float:
        """The first coordinate."""
        return self.struct.x

    @property
    def y(self) -> float:
        """The second coordinate."""
        return self.struct.y


def struct_in(point: Point, /) -> float:
    """Return x + y of a Point."""
    if not isinstance(point, Point):
        raise TypeError(f"expected a Point, not {type(point).__name__}")
    try:
        return _point_sum(point.struct)
    except AttributeError:
        raise TypeError("this Point was made without __init__") from None


def struct_out(x: float, y: float, /) -> Point:
    """Return a new Point."""
    return Point(x, y)


# ---- object --------------------------------------------------------------------------------

_COUNTER = ffi.typeof("ck_counter *")
_counter_add = lib.ck_counter_add


class Counter:
    """A ck_counter."""

    __slots__ = ("_counter",)

    def __init__(self, value: int) -> None:
        counter = ffi.new(_COUNTER)
        counter.value = index(value)
        self._counter = counter

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value,)

    @property
    def value(self) -> int:
        """The current value."""
        return self._counter.value

    @value.setter
    def value(self, value: int) -> None:
        self._counter.value = index(value)

    def add(self, n: int, /) -> int:
        """Add n and return the new value."""
        return _counter_add(self._counter, index(n))


# ---- iterator ------------------------------------------------------------------------------

_ITEM = ffi.typeof("int64_t *")
_counter_next = lib.ck_counter_next


def countdown(n: int, /) -> Iterator[int]:
    """Return an iterator over n - 1, n - 2 ... 0."""
    counter = ffi.new(_COUNTER)
    counter.value = index(n)
    return _items(counter)


@shared_without_gil
def _items(counter: ffi.CData) -> Iterator[int]:
    item = ffi.new(_ITEM)
    while _counter_next(counter, item):
        yield item[0]
