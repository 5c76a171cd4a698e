"""Python's own containers."""

from __future__ import annotations

from typing import Protocol


class Containers(Protocol):
    """The patterns of bindings/<binding>/patterns/containers."""

    def list_in(self, values: list[float], /) -> float:
        """Return the sum, from left to right, of a list of floats; ints are accepted."""

    def list_out(self, n: int, /) -> list[float]:
        """Return a new list 0.0, 1.0 ... n - 1, or raise ValueError when n < 0."""

    def strings_in(self, texts: list[str], /) -> int:
        """Return the sum of the UTF-8 bytes of all the texts of a list."""

    def dict_in(self, weights: dict[str, float], /) -> float:
        """Return the sum, in the dict's order, of (sum of the key's UTF-8 bytes) * value."""

    def tuple_out(self, a: int, b: int, /) -> tuple[int, int]:
        """Return (the smaller, the larger) of two int64."""
