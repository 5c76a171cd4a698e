"""Objects in plain Python.

Shows:  classes that check the types of their attributes; a generator as the iterator.
Build:  nothing to build.
Bites:  without __slots__ every object has a dict of its own; a generator function runs nothing,
        not even a check, before the first next().
"""

from __future__ import annotations

from collections.abc import Iterator

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings._glue.sharing import in_turn_without_gil, shared_without_gil
from ffi_cookbook.bindings.python.patterns.conversions import double

__all__ = ["Counter", "Point", "countdown", "struct_in", "struct_out"]


class Point:
    """Two doubles."""

    __slots__ = ("x", "y")

    @in_turn_without_gil
    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = double(x), double(y)


@in_turn_without_gil
def struct_in(point: Point, /) -> float:
    """Return x + y of a Point."""
    if not isinstance(point, Point):
        raise TypeError(f"point must be a Point, not {type(point).__name__}")
    try:
        x, y = point.x, point.y
        return double(x) + double(y)  # a slot accepts any object
    except AttributeError:
        raise TypeError("this Point was made without __init__") from None


def struct_out(x: float, y: float, /) -> Point:
    """Return a new Point."""
    return Point(x, y)


class Counter:
    """An int64 that wraps."""

    __slots__ = ("_value",)

    def __init__(self, value: int) -> None:
        self._value = int64(value)

    @property
    def value(self) -> int:
        """The current value."""
        return self._value

    @value.setter
    def value(self, value: int) -> None:
        self._value = int64(value)

    @in_turn_without_gil
    def add(self, n: int, /) -> int:
        """Add n and return the new value."""
        n = int64(n)
        value = self._value + n  # from here on, nothing is called
        if not -(2**63) <= value < 2**63:
            value -= 2**64 if value > 0 else -(2**64)
        self._value = value
        return value


def countdown(n: int, /) -> Iterator[int]:
    """Return an iterator over n - 1, n - 2 ... 0."""
    return _down_from(int64(n))


@shared_without_gil
def _down_from(n: int) -> Iterator[int]:
    while n > 0:
        n -= 1
        yield n
