"""Numbers and truth values, and calls without arguments."""

from __future__ import annotations

from typing import Protocol


class Scalars(Protocol):
    """The patterns of bindings/<binding>/patterns/scalars."""

    def noop(self) -> None:
        """Nothing."""

    def noop_nogil(self) -> None:
        """Nothing, with the GIL released and taken again."""

    def int_in(self, a: int, /) -> None:
        """Takes an int64."""

    def int_out(self) -> int:
        """Gives an int64: 42."""

    def invert(self, flag: bool, /) -> bool:
        """The other truth value. TypeError for what is no bool (numpy.bool may be welcome)."""

    def add_int(self, a: int, b: int, /) -> int:
        """a + b in int64 arithmetic: the sum wraps modulo 2**64, an argument beyond int64
        raises."""

    def add_float(self, a: float, b: float, /) -> float:
        """a + b; accepts int where float is asked for."""

    def six_scalars(self, a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
        """a + b + c + d + e + f as doubles, from left to right."""

    def keywords(self, x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
        """x * scale + offset."""
