"""The idioms of ctypes' and NumPy's documentation, where they let more pass than other pages.

Shows:  C functions called as they are declared; results by byref(); a C array made of a list, and
        a list made of one; an array by ndpointer; a callback made of a function.
Build:  nothing but the shared library.
Bites:  CDLL, which the tutorial opens, releases the GIL around each call. Each function's docstring
        says what it lets pass.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, byref, c_char_p, c_double, c_int64, c_size_t, c_void_p
from typing import Any

import numpy as np

from ffi_cookbook.bindings.ctypes.library import declare, lib
from ffi_cookbook.bindings.ctypes.patterns.objects import Point
from ffi_cookbook.bindings.protocol.arrays import Floats

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
_fill = declare(lib, "ck_iota", None, c_void_p, c_size_t)


def str_in(text: str, /) -> int:
    """Take any object whose encode() returns bytes."""
    data = text.encode()
    return _sum_bytes(data, len(data))


def list_in(values: list[float], /) -> float:
    """Take any sequence of numbers, and make a type for each new length."""
    items = tuple(values)  # another thread may change a list
    return _sum_list((c_double * len(items))(*items), len(items))


def list_out(n: int, /) -> list[float]:
    """Make a type for each new length, and a list of its items one by one."""
    items = (c_double * n)()
    _fill(items, n)
    return list(items)


# ---- arrays --------------------------------------------------------------------------------
# ndpointer checks each array anew, in Python, and neither its dimensions nor its size.

_IN = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS, ALIGNED")
_INOUT = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS, ALIGNED, WRITEABLE")
_sum_array = declare(lib, "ck_sum_floats", c_double, _IN, c_size_t)
_scale_array = declare(lib, "ck_scale", None, _INOUT, c_size_t, c_double)
_fill_array = declare(lib, "ck_iota", None, _INOUT, c_size_t)


def array_in(values: Floats, /) -> float:
    """Take any dimensions, believe a subclass's size, and raise ArgumentError for other arrays."""
    return _sum_array(values, values.size)


def array_inplace(values: Floats, factor: float, /) -> None:
    """Take any dimensions, believe a subclass's size, and raise ArgumentError for other arrays."""
    number = c_double(factor)  # first: its __float__ can run code
    _scale_array(values, values.size, number)


def array_out(n: int, /) -> Floats:
    """Check the new array too, as if it came from elsewhere."""
    values = np.empty(n)
    _fill_array(values, n)
    return values


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
