"""Numbers and truth values, and calls without arguments."""

from __future__ import annotations

from typing import Protocol


class Scalars(Protocol):
    """The patterns of bindings/<binding>/patterns/scalars."""

    def noop(self) -> None:
        """Do nothing."""

    def noop_nogil(self) -> None:
        """Do nothing, with the GIL released and acquired again."""

    def int_in(self, a: int, /) -> None:
        """Take an int64."""

    def int_out(self) -> int:
        """Return an int64: 42."""

    def invert(self, flag: bool, /) -> bool:
        """Return the other truth value.

        Anything that is not a bool raises TypeError, and so does a numpy.bool.
        """

    def add_int(self, a: int, b: int, /) -> int:
        """Return a + b modulo 2**64, in int64 arithmetic.

        An argument that does not fit int64 raises.
        """

    def add_float(self, a: float, b: float, /) -> float:
        """Return a + b; an int is accepted for a float."""

    def six_scalars(self, a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
        """Return a + b + c + d + e + f as doubles, added from left to right."""

    def keywords(self, x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
        """Return x * scale + offset."""
