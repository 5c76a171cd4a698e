"""Structs by value, objects with state, iterators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol


class PointObject(Protocol):
    """Two doubles, handed over by value. Each binding has a type of its own for it."""

    def __init__(self, x: float, y: float) -> None: ...

    @property
    def x(self) -> float:
        """The first."""

    @property
    def y(self) -> float:
        """The second."""


class CounterObject(Protocol):
    """An object that native code keeps the state of; an int64 that wraps modulo 2**64."""

    value: int
    """To be read and set; cannot be deleted."""

    def __init__(self, value: int) -> None: ...

    def add(self, n: int, /) -> int:
        """Adds n and returns the new value."""


class Objects(Protocol):
    """The patterns of bindings/<binding>/patterns/objects."""

    @property
    def Point(self) -> type[PointObject]:
        """The binding's own Point."""

    def struct_in(self, point: Any, /) -> float:
        """x + y of a Point of this binding; TypeError for anything else."""

    def struct_out(self, x: float, y: float, /) -> PointObject:
        """A new Point."""

    @property
    def Counter(self) -> type[CounterObject]:
        """The binding's own Counter."""

    def countdown(self, n: int, /) -> Iterator[int]:
        """An iterator of this binding's own type over n - 1, n - 2 ... 0; over nothing when
        n <= 0."""
