"""The patterns of a backend: one tiny function for each way of crossing the boundary.

When a value does not convert (wrong type, an int beyond 64 bits, a lone surrogate) each technology
raises its own choice of TypeError, OverflowError or ValueError, but none returns a wrong number. An
exception that an argument's own __float__, __index__ or __dlpack__ raises is passed on unchanged,
and the BufferError of memory that its owner does not export may be too. Each of these methods is
called once. The GIL is held during a call unless the function's name says otherwise; bindings that
cannot hold it (cffi, torch) always release it.

If the idiom of a technology's documentation lets more pass, or copies more, than a page does,
`patterns.idiomatic.name` is that idiom, and its docstring says what it lets pass. Otherwise the
page has the idiom itself. `patterns.fast.name` takes the same arguments and is quicker at a price,
which its docstring names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from ffi_cookbook.bindings.protocol.arrays import Buffer, Floats


class Scalars(Protocol):
    """Numbers and truth values, and calls without arguments."""

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


class Text(Protocol):
    """str, bytes and other buffers."""

    def str_in(self, text: str, /) -> int:
        """Return the sum of the UTF-8 bytes of text."""

    def str_out(self) -> str:
        """Return a new str of UTF-8 text that native code owns: "hello world"."""

    def score(self, text: str, n: int, x: float, /) -> float:
        """Return the sum of the UTF-8 bytes of text, plus n, plus x."""

    def bytes_in(self, data: bytes, /) -> int:
        """Return the sum of the bytes."""

    def bytes_out(self) -> bytes:
        """Return new bytes, copied from memory that native code owns: b"hello world"."""

    def bytes_map(self, data: bytes, /) -> bytes:
        """Return new bytes with every bit inverted, so that 0 becomes 255."""

    def buffer_in(self, data: Buffer, /) -> int:
        """Return the sum of the bytes of any C-contiguous buffer, borrowed for the call.

        The buffer may be bytes, a bytearray, a memoryview or an array.
        """


class Arrays(Protocol):
    """Arrays: one dimension, float64, native byte order, aligned."""

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

    def scaled(self, values: Floats, factor: float, /) -> Floats:
        """Return a new array, values * factor; the array is as for array_in."""

    def dlpack_in(self, values: Any, /) -> float:
        """Return the sum of a 1-D C-contiguous float64 tensor on the CPU.

        The tensor may be of any library that has `__dlpack__` (NumPy, torch, JAX ...); it is
        borrowed without a copy.
        """

    def tensor_in(self, values: Any, /) -> float:
        """Return the sum of a tensor as dlpack_in does, by its type's C exchange API if it can."""

    def tensor_out(self, like: Any, n: int, /) -> Any:
        """Return a new float64 tensor 0.0, 1.0 ... n - 1 on the CPU, of the library of `like`."""


class Containers(Protocol):
    """Python's own containers."""

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


class PointObject(Protocol):
    """Two doubles, passed by value; each binding has a type of its own for it."""

    @property
    def x(self) -> float:
        """The first double."""

    @property
    def y(self) -> float:
        """The second double."""


class CounterObject(Protocol):
    """An object whose state native code owns: an int64 that wraps modulo 2**64."""

    @property
    def value(self) -> int:
        """The state, which can be read and set but not deleted."""

    @value.setter
    def value(self, value: int, /) -> None: ...

    def add(self, n: int, /) -> int:
        """Add n and return the new value."""


class Objects(Protocol):
    """Structs by value, objects with state, iterators."""

    def Point(self, x: float, y: float) -> PointObject:
        """Make a Point: the binding's own class has this name."""

    def struct_in(self, point: Any, /) -> float:
        """Return x + y of a Point of this binding, or raise TypeError for anything else."""

    def struct_out(self, x: float, y: float, /) -> PointObject:
        """Return a new Point."""

    def Counter(self, value: int) -> CounterObject:
        """Make a Counter: the binding's own class has this name."""

    def countdown(self, n: int, /) -> Iterator[int]:
        """Return an iterator of this binding's own type over n - 1, n - 2 ... 0.

        It is empty when n <= 0.
        """


class Calls(Protocol):
    """Callbacks, failures and long calls."""

    def callback(self, function: Callable[[float], float], x: float, /) -> float:
        """Return function(x) + 1, where native code calls the function.

        An exception that the function raises is passed on unchanged.
        """

    def error(self, code: int, /) -> None:
        """Raise ValueError("native call failed with code N") if the native function returns N != 0.

        The native function is called with `code` (a C int) and returns it.
        """

    def error_fields(self, code: int, offset: int, /) -> None:
        """Raise PatternError (ffi_cookbook.bindings.errors) unless the native function returns 0.

        Its fields `code` and `offset` are those that the native function filled in.
        """

    def interruptible(self, rounds: int, /) -> int:
        """Return the state of xorshift64 (shifts 13, 7, 17) after `rounds` rounds from state 1.

        This is how long work should be done: without the GIL, and with a check for Ctrl-C
        (KeyboardInterrupt) between slices of 65536 rounds. When rounds < 0 it raises ValueError or
        OverflowError (in some bindings TypeError).
        """


class Patterns(Scalars, Text, Arrays, Containers, Objects, Calls, Protocol):
    """All patterns of a binding."""
