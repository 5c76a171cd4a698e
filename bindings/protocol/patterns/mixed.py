"""Several kinds of argument at once: calls on which the cost model is tested, not fitted."""

from __future__ import annotations

from typing import Protocol

from ffi_cookbook.bindings.protocol.arrays import Floats


class Mixed(Protocol):
    """The patterns of bindings/<binding>/patterns/mixed."""

    def add_three(self, a: int, b: int, c: int, /) -> int:
        """Return a + b + c modulo 2**64, like add_int."""

    def score(self, text: str, n: int, x: float, /) -> float:
        """Return the sum of the UTF-8 bytes of text, plus n, plus x."""

    def stamp(self, data: bytes, mark: int, /) -> bytes:
        """Return new bytes, each byte of data XORed with mark.

        Unless 0 <= mark < 256 it raises ValueError or OverflowError (in some bindings TypeError).
        """

    def scaled(self, values: Floats, factor: float, /) -> Floats:
        """Return a new array, values * factor; the array is as for array_in."""

    def shifted(self, values: Floats, n: int, text: str, /) -> Floats:
        """Return a new array, values + (n + sum of the UTF-8 bytes of text).

        The shift is added up as a double. The array is as for array_in.
        """
