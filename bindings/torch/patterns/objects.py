"""Objects through torch: Python classes around ops.

Shows:  a struct that crosses as its fields; an object whose state is a tensor, which an op changes
        and torch's own operators read and set; a generator over an op as the iterator.
Build:  bindings/torch/patterns/objects.cpp.
Bites:  a schema can name a class, but torch::class_, which registers one, is not in the stable ABI;
        no type of a schema is a struct.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ldexp

import torch

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings._glue.sharing import in_turn_without_gil, shared_without_gil
from ffi_cookbook.bindings.torch.library import on_arrays, ops

__all__ = ["Counter", "Point", "countdown", "struct_in", "struct_out"]

# ---- a struct by value ---------------------------------------------------------------------

_struct_in, _struct_out = ops.struct_in.default, ops.struct_out.default


class Point:
    """Two doubles."""

    __slots__ = ("x", "y")

    @in_turn_without_gil
    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = ldexp(x, 0), ldexp(y, 0)  # unlike float(), takes no str


@in_turn_without_gil
def struct_in(point: Point, /) -> float:
    """Return x + y of a Point."""
    if not isinstance(point, Point):
        raise TypeError(f"expected a Point, not {type(point).__name__}")
    try:
        x, y = point.x, point.y
    except AttributeError:
        raise TypeError("this Point was made without __init__") from None
    return _struct_in(ldexp(x, 0), ldexp(y, 0))  # a slot accepts any object


def struct_out(x: float, y: float, /) -> Point:
    """Return a new Point."""
    return Point(*_struct_out(ldexp(x, 0), ldexp(y, 0)))


# ---- an object with state ------------------------------------------------------------------

_counter_new = ops.counter_new.default
_counter_add = on_arrays(ops.counter_add.default)
_counter_next = on_arrays(ops.counter_next.default)


def _counter(value: int) -> torch.Tensor:
    return _counter_new(int64(value))


class Counter:
    """An int64 in a tensor."""

    __slots__ = ("_state",)

    def __init__(self, value: int) -> None:
        self._state = _counter(value)

    def __reduce__(self) -> tuple[type[Counter], tuple[int]]:
        return type(self), (self.value,)  # else a copy would share the tensor

    @property
    def value(self) -> int:
        """The current value."""
        return self._state.item()

    @value.setter
    def value(self, value: int) -> None:
        self._state.fill_(int64(value))

    def add(self, n: int, /) -> int:
        """Add n and return the new value."""
        return _counter_add(self._state, int64(n))


# ---- an iterator ---------------------------------------------------------------------------


def countdown(n: int, /) -> Iterator[int]:
    """Return an iterator over n - 1, n - 2 ... 0."""
    return _items(_counter(n))


@shared_without_gil
def _items(state: torch.Tensor) -> Iterator[int]:
    more, item = _counter_next(state)
    while more:
        yield item
        more, item = _counter_next(state)
