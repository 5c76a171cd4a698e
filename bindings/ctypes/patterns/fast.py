"""The quickest calls that ctypes can make with the same arguments, and what they leave out.

Shows:  the bare C function as a Python function, without releasing the GIL (PyDLL).
Build:  nothing but the shared library.
Bites:  nothing is checked: an int is cut, and an extra argument is passed on to C.
"""

from __future__ import annotations

from ctypes import CDLL, c_double, c_int64
from typing import Any

from ffi_cookbook.bindings.ctypes.library import declare, lib, lib_gil
from ffi_cookbook.bindings.ctypes.patterns.objects import Point


def _bare(name: str, restype: Any, *argtypes: Any, library: CDLL = lib_gil) -> Any:
    function = declare(library, name, restype, *argtypes)
    function.__doc__ = "Keeps the low 64 bits of an int, and passes further arguments on."
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
