"""Structs by value, objects with state, iterators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol


class PointObject(Protocol):
    """Two doubles, passed by value; each binding has a type of its own for it."""

    @property
    def x(self) -> float:
        """The first double."""

    @property
    def y(self) -> float:
        """The second double."""


class CounterObject(Protocol):
    """An object whose state native code owns: an int64 that wraps modulo 2**64."""

    @property
    def value(self) -> int:
        """The state, which can be read and set but not deleted."""

    @value.setter
    def value(self, value: int, /) -> None: ...

    def add(self, n: int, /) -> int:
        """Add n and return the new value."""


class Objects(Protocol):
    """The patterns of bindings/<binding>/patterns/objects."""

    def Point(self, x: float, y: float) -> PointObject:
        """Make a Point: the binding's own class has this name."""

    def struct_in(self, point: Any, /) -> float:
        """Return x + y of a Point of this binding, or raise TypeError for anything else."""

    def struct_out(self, x: float, y: float, /) -> PointObject:
        """Return a new Point."""

    def Counter(self, value: int) -> CounterObject:
        """Make a Counter: the binding's own class has this name."""

    def countdown(self, n: int, /) -> Iterator[int]:
        """Return an iterator of this binding's own type over n - 1, n - 2 ... 0.

        It is empty when n <= 0.
        """
