"""What is commonly written with ctypes, and paid for.

Shows:  the slow spellings of what the other pages do.
Build:  nothing but the shared library.
Bites:  CDLL, which everyone opens, releases the GIL around calls too short to need it; a type made
        for each length or call is garbage for the collector.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import (
    CFUNCTYPE,
    POINTER,
    byref,
    c_char_p,
    c_double,
    c_int64,
    c_size_t,
    c_uint8,
    c_void_p,
    create_string_buffer,
)
from typing import Any

import numpy as np

from bindings.ctypes.library import declare, lib
from bindings.protocol.arrays import Buffer, Floats

_add_int = declare(lib, "ck_add_int", c_int64, c_int64, c_int64)
_order = declare(lib, "ck_order", None, c_int64, c_int64, *(POINTER(c_int64),) * 2)
_sum_bytes = declare(lib, "ck_sum_bytes", c_int64, c_char_p, c_size_t)
_sum_uint8 = declare(lib, "ck_sum_bytes", c_int64, POINTER(c_uint8), c_size_t)
_sum_floats = declare(lib, "ck_sum_floats", c_double, POINTER(c_double), c_size_t)


def add_int(a: int, b: int, /) -> int:
    """Releases the GIL for an addition, and keeps the low 64 bits of any int."""
    return _add_int(a, b)


def str_in(text: str, /) -> int:
    """Copies the bytes into a string buffer, of a type made for its length, to be read only."""
    data = create_string_buffer(str.encode(text))
    return _sum_bytes(data, len(data) - 1)


def buffer_in(data: Buffer, /) -> int:
    """Copies the buffer into a ctypes array, byte by byte through Python ints."""
    items = memoryview(data).tobytes()
    return _sum_uint8((c_uint8 * len(items))(*items), len(items))


def array_in(values: Floats, /) -> float:
    """Converts whatever comes, and asks NumPy for a typed pointer, two objects on the way."""
    values = np.ascontiguousarray(values, np.float64)
    return _sum_floats(values.ctypes.data_as(POINTER(c_double)), values.size)


_ARRAY = np.ctypeslib.ndpointer(np.float64, 1, flags="C_CONTIGUOUS, ALIGNED, WRITEABLE")
_scale = declare(lib, "ck_scale", None, _ARRAY, c_size_t, c_double)


def array_inplace(values: Floats, factor: float, /) -> None:
    """Has ndpointer check the array: Python code that runs for each such argument."""
    _scale(values, values.size, factor)


def list_in(values: list[float], /) -> float:
    """Unpacks the list into a ctypes array, of a type made for its length."""
    return _sum_floats((c_double * len(values))(*values), len(values))


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Passes results by byref(), an object more for each, and releases the GIL."""
    smaller, larger = c_int64(), c_int64()
    _order(a, b, byref(smaller), byref(larger))
    return smaller.value, larger.value


_CALLBACK = CFUNCTYPE(c_double, c_double, c_void_p)
_call = declare(lib, "ck_call", c_double, _CALLBACK, c_void_p, c_double)


def callback(function: Callable[[float], float], x: float, /) -> float:
    """Makes a C function of machine code for every call, and frees it after."""
    raised: list[BaseException] = []

    @_CALLBACK
    def call(argument: float, _context: Any) -> float:
        try:
            return c_double(function(argument)).value
        except BaseException as error:
            raised.append(error)
            return 0.0

    result = _call(call, None, x)
    if raised:
        raise raised.pop()
    return result
