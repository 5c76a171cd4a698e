"""Arrays: one dimension, float64, native byte order, aligned."""

from __future__ import annotations

from typing import Any, Protocol

from ffi_cookbook.bindings.protocol.arrays import Floats


class Arrays(Protocol):
    """The patterns of bindings/<binding>/patterns/arrays."""

    def array_in(self, values: Floats, /) -> float:
        """Return the sum, from left to right, of a 1-D C-contiguous float64 array.

        The array is borrowed and may be read-only.
        """

    def array_in_nogil(self, values: Floats, /) -> float:
        """Return the sum like array_in, with the GIL released while it is computed."""

    def strided_in(self, values: Floats, /) -> float:
        """Return the sum, from left to right, of a 1-D float64 array with any stride."""

    def array_out(self, n: int, /) -> Floats:
        """Return a new array 0.0, 1.0 ... n - 1, or raise ValueError when n < 0."""

    def array_map(self, values: Floats, /) -> Floats:
        """Return a new array with every item doubled; the argument is as for array_in."""

    def array_inplace(self, values: Floats, factor: float, /) -> None:
        """Multiply a C-contiguous array in place.

        A read-only array raises ValueError (or TypeError).
        """

    def dlpack_in(self, values: Any, /) -> float:
        """Return the sum of a 1-D C-contiguous float64 tensor on the CPU.

        The tensor may be of any library that has `__dlpack__` (NumPy, torch, JAX ...); it is
        borrowed without a copy.
        """
