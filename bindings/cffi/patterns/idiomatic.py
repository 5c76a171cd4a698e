"""The idioms of cffi's documentation, where they let more pass than the other pages do.

Shows:  C functions called as they are; results in memory of ffi.new; arrays by ffi.from_buffer.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  any object with __int__ passes for an int, so that Decimal("1.5") is 1; from_buffer reads
        the bytes of an array as the C type that is named, whatever its dtype: writing doubles over
        the pointers of an object array ends the process, hence the check of the format.
"""

from __future__ import annotations

from functools import partial
from math import ldexp
from typing import Any

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.protocol.arrays import Floats

# ---- scalars -------------------------------------------------------------------------------


def _bare(function: Any) -> Any:
    """Give a C function a docstring through partial(), which costs next to nothing."""
    named = partial(function)
    named.__doc__ = "Take any object with __int__ as an int."
    return named


int_in = _bare(lib.ck_take_int)
add_int = _bare(lib.ck_add_int)
six_scalars = _bare(lib.ck_six_scalars)
add_three = _bare(lib.ck_add_three)


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Take any object with __int__ as an int."""
    smaller, larger = ffi.new("int64_t *"), ffi.new("int64_t *")
    lib.ck_order(a, b, smaller, larger)
    return smaller[0], larger[0]


# ---- arrays and lists ----------------------------------------------------------------------


def _doubles(values: Any, *, require_writable: bool = False) -> Any:
    """Return the memory of a C-contiguous buffer of doubles."""
    if (given := memoryview(values).format) != "d":
        raise TypeError(f"values must hold doubles (format 'd'), not {given!r}")
    return ffi.from_buffer("double[]", values, require_writable=require_writable)


def array_in(values: Floats, /) -> float:
    """Take any contiguous buffer of doubles, of any number of dimensions."""
    data = _doubles(values)
    return lib.ck_sum_floats(data, len(data))


def array_inplace(values: Floats, factor: float, /) -> None:
    """Take any contiguous writable buffer of doubles, of any number of dimensions."""
    factor = ldexp(factor, 0)  # first: it can run code
    data = _doubles(values, require_writable=True)
    lib.ck_scale(data, len(data), factor)


def list_in(values: list[float], /) -> float:
    """Take a tuple too."""
    numbers = ffi.new("double[]", tuple(values))  # another thread may change a list
    return lib.ck_sum_floats(numbers, len(numbers))
