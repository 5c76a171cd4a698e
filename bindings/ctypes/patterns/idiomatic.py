"""The idioms of ctypes' and NumPy's documentation, where they let more pass than other pages.

Shows:  C functions called as they are declared; results by byref(); a C array made of a list; a
        callback made of a function. The arrays, by ndpointer, are in arrays.py.
Build:  nothing but the shared library.
Bites:  CDLL, which the tutorial opens, releases the GIL around each call. Each function's docstring
        says what it lets pass.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, byref, c_char_p, c_double, c_int64, c_size_t, c_void_p
from typing import Any

from ffi_cookbook.bindings.ctypes.library import declare, lib
from ffi_cookbook.bindings.ctypes.patterns import arrays
from ffi_cookbook.bindings.ctypes.patterns.objects import Point

# ---- scalars -------------------------------------------------------------------------------


def _bare(name: str, restype: Any, *argtypes: Any) -> Any:
    function = declare(lib, name, restype, *argtypes)
    function.__doc__ = "Keep the low 64 bits of an int, and pass further arguments on."
    return function


noop = _bare("ck_noop", None)
int_in = _bare("ck_take_int", None, c_int64)
int_out = _bare("ck_give_int", c_int64)
add_int = _bare("ck_add_int", c_int64, c_int64, c_int64)
add_float = _bare("ck_add_float", c_double, c_double, c_double)
six_scalars = _bare("ck_six_scalars", c_double, *(c_int64, c_double) * 3)
struct_in = _bare("ck_point_sum", c_double, Point)
struct_out = _bare("ck_make_point", Point, c_double, c_double)

_order = declare(lib, "ck_order", None, c_int64, c_int64, c_void_p, c_void_p)


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Keep the low 64 bits of an int."""
    smaller, larger = c_int64(), c_int64()
    _order(a, b, byref(smaller), byref(larger))
    return smaller.value, larger.value


# ---- text and containers -------------------------------------------------------------------

_sum_bytes = declare(lib, "ck_sum_bytes", c_int64, c_char_p, c_size_t)
_sum_list = declare(lib, "ck_sum_floats", c_double, c_void_p, c_size_t)


def str_in(text: str, /) -> int:
    """Take any object whose encode() returns bytes."""
    data = text.encode()
    return _sum_bytes(data, len(data))


def list_in(values: list[float], /) -> float:
    """Take any sequence of numbers, and make a type for each new length."""
    items = tuple(values)  # another thread may change a list
    return _sum_list((c_double * len(items))(*items), len(items))


# ---- arrays --------------------------------------------------------------------------------

array_in = arrays.idiomatic_array_in
array_inplace = arrays.idiomatic_array_inplace


# ---- calls ---------------------------------------------------------------------------------

_CALLBACK = CFUNCTYPE(c_double, c_double, c_void_p)
_call = declare(lib, "ck_call", c_double, _CALLBACK, c_void_p, c_double)


def callback(function: Callable[[float], float], x: float, /) -> float:
    """Make a C function of machine code for every call, and free it afterwards."""
    raised: list[BaseException] = []

    def call(argument: float, _context: Any) -> float:
        if raised:  # C may call again: the first exception is the one to pass on
            return 0.0
        try:
            return float(function(argument))
        except BaseException as error:  # ctypes would print it and continue
            raised.append(error)
            return 0.0

    result = _call(_CALLBACK(call), None, x)
    if raised:
        raise raised.pop()
    return result
