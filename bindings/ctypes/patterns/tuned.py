"""Tuned further through ctypes, at a price each.

Shows:  the bare C function as a Python function; memory, results and callbacks made once and held.
Build:  nothing but the shared library.
Bites:  what all calls share, all threads share.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CDLL, CFUNCTYPE, POINTER, c_char_p, c_double, c_int64, c_size_t, c_void_p
from math import ldexp
from typing import Any, TypeAlias

from bindings.ctypes.library import declare, int64, lib, lib_gil
from bindings.ctypes.patterns.arrays import floats
from bindings.ctypes.patterns.objects import Point
from bindings.protocol.arrays import Floats

# ---- the bare C function -------------------------------------------------------------------


def _bare(name: str, restype: Any, *argtypes: Any, library: CDLL = lib_gil) -> Any:
    function = declare(library, name, restype, *argtypes)
    function.__doc__ = (
        "Cuts an int to 64 bits, refuses by ArgumentError, and passes on arguments too many."
    )
    return function


noop = _bare("ck_noop", None)
noop_nogil = _bare("ck_noop", None, library=lib)
int_in = _bare("ck_take_int", None, c_int64)
int_out = _bare("ck_give_int", c_int64)
add_int = _bare("ck_add_int", c_int64, c_int64, c_int64)
add_float = _bare("ck_add_float", c_double, c_double, c_double)
six_scalars = _bare("ck_six_scalars", c_double, *(c_int64, c_double) * 3)
add_three = _bare("ck_add_three", c_int64, c_int64, c_int64, c_int64)
struct_in = _bare("ck_point_sum", c_double, Point)
struct_out = _bare("ck_make_point", Point, c_double, c_double)

# ---- results held between calls ------------------------------------------------------------

_size, _smaller, _larger = c_size_t(), c_int64(), c_int64()
_text = declare(lib_gil, "ck_text", c_char_p, POINTER(c_size_t))
_order = declare(lib_gil, "ck_order", None, c_int64, c_int64, *(POINTER(c_int64),) * 2)


def str_out() -> str:
    """Holds the size between calls; c_char_p ends at the first NUL."""
    return _text(_size).decode()


def bytes_out() -> bytes:
    """As str_out."""
    return _text(_size)


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Holds the results between calls, which no other thread may change meanwhile."""
    _order(int64(a), int64(b), _smaller, _larger)
    return _smaller.value, _larger.value


# ---- memory held between calls -------------------------------------------------------------

Held: TypeAlias = tuple[Any, int]
_SUM = ("ck_sum_floats", c_double, c_void_p, c_size_t)
_sum_floats = declare(lib_gil, *_SUM)
_sum_floats_nogil = declare(lib, *_SUM)
_scale = declare(lib_gil, "ck_scale", None, c_void_p, c_size_t, c_double)


def hold(values: Floats, *others: Any) -> tuple[Any, ...]:
    """The arguments of the next functions: once for many calls."""
    return floats(values, writable=True), *others


def array_in(held: Held, /) -> float:
    """Of one writable array, held between calls, which cannot be resized meanwhile."""
    return _sum_floats(*held)


def array_in_nogil(held: Held, /) -> float:
    """As array_in."""
    return _sum_floats_nogil(*held)


def array_inplace(held: Held, factor: float, /) -> None:
    """As array_in."""
    _scale(*held, factor)


# ---- a callback held between calls ---------------------------------------------------------

_CALLBACK = CFUNCTYPE(c_double, c_double, c_void_p)
_call = declare(lib_gil, "ck_call", c_double, _CALLBACK, c_void_p, c_double)
_raised: list[BaseException] = []


def hold_function(function: Callable[[float], float], x: float) -> tuple[Any, float]:
    """The arguments of the next function: a C function made once for many calls."""

    @_CALLBACK
    def call(argument: float, _context: None) -> float:
        try:
            return ldexp(function(argument), 0)
        except BaseException as error:
            _raised.append(error)
            return 0.0

    return call, x


def callback(function: Any, x: float, /) -> float:
    """Of one function, held between calls, in one thread at a time."""
    result = _call(function, None, x)
    if _raised:
        raise _raised.pop()
    return result


PREPARE = {
    "array_in": hold,
    "array_in_nogil": hold,
    "array_inplace": hold,
    "callback": hold_function,
}
