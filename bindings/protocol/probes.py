"""The probes of a backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Probes(Protocol):
    """The cost ledger: one tiny function per pattern of crossing the border. When a value does not
    convert (wrong type, an int beyond 64 bits, a lone surrogate) each technology raises its own
    choice of TypeError, OverflowError or ValueError, but none returns a wrong number."""

    def noop(self) -> None:
        """Nothing, with the GIL held."""

    def noop_nogil(self) -> None:
        """Nothing, with the GIL released and taken again."""

    def add_int(self, a: int, b: int, /) -> int:
        """a + b in int64 arithmetic: the sum wraps modulo 2**64, an argument beyond int64
        raises."""

    def add_float(self, a: float, b: float, /) -> float:
        """a + b; accepts int where float is asked for."""

    def six_scalars(self, a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
        """a + b + c + d + e + f as doubles, from left to right."""

    def keywords(self, x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
        """x * scale + offset."""

    def str_in(self, text: str, /) -> int:
        """Sum of the UTF-8 bytes of text."""

    def bytes_in(self, data: bytes, /) -> int:
        """Sum of the bytes."""

    def array_in(self, values: npt.NDArray[np.float64], /) -> float:
        """Sum, from left to right, of a 1-D C-contiguous float64 array, borrowed, read-only
        welcome."""

    def array_out(self, n: int, /) -> npt.NDArray[np.float64]:
        """A new array 0.0, 1.0 ... n - 1. ValueError when n < 0."""

    def list_in(self, values: list[float], /) -> float:
        """Sum, from left to right, of a list of floats (ints welcome)."""

    def callback(self, function: Callable[[float], float], x: float, /) -> float:
        """function(x) + 1, called from native code; what function raises comes out unchanged."""

    def error(self, code: int, /) -> None:
        """Raises ValueError("native call failed with code N") when the native function, handed
        `code`, returns other than 0."""
