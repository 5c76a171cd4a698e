"""Tuned further through cffi, at a price each.

Shows:  the bare C function as a Python function; memory and results made once and held.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  what all calls share, all threads share.
"""

from __future__ import annotations

from functools import partial
from operator import index
from typing import Any

from bindings.cffi.library import ffi, lib
from bindings.cffi.patterns.arrays import DOUBLES, floats
from bindings.cffi.patterns.objects import Point
from bindings.protocol.arrays import Floats

# ---- the bare C function -------------------------------------------------------------------


def _bare(function: Any, price: str) -> Any:
    """With a docstring, for which partial() costs next to nothing."""
    named = partial(function)
    named.__doc__ = price
    return named


_INT = "An int is whatever has __int__: Decimal('1.5') is taken for 1."
int_in = _bare(lib.ck_take_int, _INT)
add_int = _bare(lib.ck_add_int, _INT)
six_scalars = _bare(lib.ck_six_scalars, _INT)
add_three = _bare(lib.ck_add_three, _INT)
struct_in = _bare(lib.ck_point_sum, "Of the struct in a Point, or a tuple, list or dict.")
struct_out = _bare(lib.ck_make_point, "The struct without a Point around it, which has no class.")


def inside(point: Point) -> tuple[Any]:
    """The argument of struct_in."""
    return (point.struct,)


# ---- results held between calls ------------------------------------------------------------

_size, _smaller, _larger = ffi.new("size_t *"), ffi.new("int64_t *"), ffi.new("int64_t *")
_text, _order, _unpack = lib.ck_text, lib.ck_order, ffi.unpack


def str_out() -> str:
    """Holds the size between calls, which no other thread may change meanwhile."""
    return _unpack(_text(_size), _size[0]).decode()


def bytes_out() -> bytes:
    """As str_out."""
    return _unpack(_text(_size), _size[0])


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Holds the results between calls, which no other thread may change meanwhile."""
    _order(index(a), index(b), _smaller, _larger)
    return _smaller[0], _larger[0]


# ---- memory held between calls -------------------------------------------------------------

_sum_floats, _scale = lib.ck_sum_floats, lib.ck_scale


def hold(values: Floats, *others: Any) -> tuple[Any, ...]:
    """The arguments of the next functions: once for many calls."""
    floats(values)
    return ffi.from_buffer(DOUBLES, values, require_writable=True), *others


def array_in(held: Any, /) -> float:
    """Of one writable array, held between calls, which cannot be resized meanwhile."""
    return _sum_floats(held, len(held))


def array_in_nogil(held: Any, /) -> float:
    """As array_in."""
    return _sum_floats(held, len(held))


def array_inplace(held: Any, factor: float, /) -> None:
    """As array_in."""
    _scale(held, len(held), factor)


PREPARE = {
    "struct_in": inside,
    "array_in": hold,
    "array_in_nogil": hold,
    "array_inplace": hold,
}
