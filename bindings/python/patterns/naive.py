"""What is commonly written in Python, and paid for.

Shows:  the slow spellings of what the other pages do.
Build:  nothing to build.
Bites:  all of it is right: only a clock tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bindings.protocol.arrays import Floats
from bindings.python.patterns.arrays import contiguous
from bindings.python.patterns.conversions import double


def keywords(x: float, **options: float) -> float:
    """Takes **options instead of naming them: a dict for every call, and nothing tells of a
    misspelt name."""
    scale, offset = options.get("scale", 1.0), options.get("offset", 0.0)
    return double(x) * double(scale) + double(offset)


def bytes_in(data: bytes, /) -> int:
    """Adds in a loop what sum() adds in C: several bytecodes for each byte."""
    total = 0
    for byte in data:
        total += byte
    return total


def array_in(values: Floats, /) -> float:
    """Loops over an array: each item becomes an object of NumPy's, slower to make and to add than
    a float."""
    total = 0.0
    for value in values:
        total += value
    return float(total)


def array_inplace(values: Floats, factor: float, /) -> None:
    """Indexes an array item by item: two crossings into NumPy for each."""
    factor = double(factor)
    for i in range(len(contiguous(values))):
        values[i] *= factor


def list_in(values: list[float], /) -> float:
    """Checks every item before adding it: a call of Python code for each."""
    total = 0.0
    for value in values:
        total += double(value)
    return total


def dict_in(weights: dict[str, float], /) -> float:
    """Looks up every key that the loop has just found, and checks every value."""
    total = 0.0
    for key in weights:
        total += sum(key.encode()) * double(weights[key])
    return total


class Counter:
    """Checks in __setattr__ instead of a property: it runs for every attribute, and the object has
    a dict of its own."""

    value: int

    def __init__(self, value: int) -> None:
        self.value = value

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "value" and not -(2**63) <= value < 2**63:
            raise OverflowError(f"{value} does not fit 64 bits")
        super().__setattr__(name, value)

    def add(self, n: int, /) -> int:
        self.value = (self.value + n + 2**63) % 2**64 - 2**63
        return self.value


class countdown:
    """Writes a class with __next__ where a generator would do: a call of Python code for every
    item."""

    def __init__(self, n: int, /) -> None:
        self.n = n

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n
