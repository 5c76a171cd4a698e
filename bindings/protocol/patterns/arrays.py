"""Arrays: one dimension, float64, native byte order, aligned."""

from __future__ import annotations

from typing import Any, Protocol

from bindings.protocol.arrays import Floats


class Arrays(Protocol):
    """The patterns of bindings/<binding>/patterns/arrays."""

    def array_in(self, values: Floats, /) -> float:
        """Sum, from left to right, of a 1-D C-contiguous float64 array, borrowed, read-only
        welcome."""

    def array_in_nogil(self, values: Floats, /) -> float:
        """The same, with the GIL released during the sum."""

    def strided_in(self, values: Floats, /) -> float:
        """The same, with any stride."""

    def array_out(self, n: int, /) -> Floats:
        """A new array 0.0, 1.0 ... n - 1. ValueError when n < 0."""

    def array_map(self, values: Floats, /) -> Floats:
        """A new array: every item doubled. The argument as array_in has it."""

    def array_inplace(self, values: Floats, factor: float, /) -> None:
        """Multiplies a C-contiguous array in place; ValueError (or TypeError) when it is
        read-only."""

    def dlpack_in(self, values: Any, /) -> float:
        """Sum of a 1-D C-contiguous float64 tensor on the CPU, of any library that has
        `__dlpack__` (NumPy, torch, JAX ...), borrowed without a copy."""
