"""Several kinds of argument at once: the cost model is not fitted on these, but judged by them."""

from __future__ import annotations

from typing import Protocol

from bindings.protocol.arrays import Floats


class Mixed(Protocol):
    """The patterns of bindings/<binding>/patterns/mixed."""

    def add_three(self, a: int, b: int, c: int, /) -> int:
        """a + b + c modulo 2**64, as add_int."""

    def score(self, text: str, n: int, x: float, /) -> float:
        """Sum of the UTF-8 bytes of text, plus n, plus x."""

    def stamp(self, data: bytes, mark: int, /) -> bytes:
        """New bytes: each exclusive-or'ed with mark; ValueError or OverflowError (TypeError)
        unless 0 <= mark < 256."""

    def scaled(self, values: Floats, factor: float, /) -> Floats:
        """A new array: values * factor. Arguments as array_in has them."""

    def shifted(self, values: Floats, n: int, text: str, /) -> Floats:
        """A new array: values + (n + sum of the UTF-8 bytes of text), the shift added up as a
        double. Arguments as array_in has them."""
