"""The idioms of cffi's documentation, where they let more pass than the other pages do.

Shows:  C functions called as they are; results in memory of ffi.new. The arrays are in arrays.py.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  any object with __int__ passes for an int, so that Decimal("1.5") is 1.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.cffi.patterns import arrays

# ---- scalars -------------------------------------------------------------------------------


def _bare(function: Any) -> Any:
    """Give a C function a docstring through partial(), which costs next to nothing."""
    named = partial(function)
    named.__doc__ = "Take any object with __int__ as an int."
    return named


int_in = _bare(lib.ck_take_int)
add_int = _bare(lib.ck_add_int)
six_scalars = _bare(lib.ck_six_scalars)


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Take any object with __int__ as an int."""
    smaller, larger = ffi.new("int64_t *"), ffi.new("int64_t *")
    lib.ck_order(a, b, smaller, larger)
    return smaller[0], larger[0]


# ---- arrays and lists ----------------------------------------------------------------------

array_in = arrays.idiomatic_array_in
array_inplace = arrays.idiomatic_array_inplace


def list_in(values: list[float], /) -> float:
    """Take a tuple too."""
    numbers = ffi.new("double[]", tuple(values))  # another thread may change a list
    return lib.ck_sum_floats(numbers, len(numbers))
