"""What is commonly written with cffi, and paid for.

Shows:  the slow spellings of what the other pages do.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  ffi.cast makes an address that keeps nothing alive, and cuts any int to size; ffi.callback
        makes machine code at run time, which some systems forbid.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ldexp
from typing import Any

import numpy as np

from bindings.cffi.library import ffi, lib
from bindings.protocol.arrays import Floats


def add_int(a: int, b: int, /) -> int:
    """Casts each argument, as ctypes would need it: an object more, where cffi converts itself."""
    return lib.ck_add_int(ffi.cast("int64_t", a), ffi.cast("int64_t", b))


def str_in(text: str, /) -> int:
    """Copies the bytes into C memory, where cffi would have lent them."""
    data = str.encode(text)
    return lib.ck_sum_bytes(ffi.new("uint8_t[]", data), len(data))


def array_in(values: Floats, /) -> float:
    """Converts whatever comes, and casts the address that NumPy builds an object for."""
    values = np.ascontiguousarray(values, np.float64)
    return lib.ck_sum_floats(ffi.cast("double *", values.ctypes.data), values.size)


def array_out(n: int, /) -> Floats:
    """Makes the numbers in C memory and the array of them, item by item."""
    numbers = ffi.new("double[]", n)
    lib.ck_iota(numbers, n)
    return np.array(list(numbers))


def array_inplace(values: Floats, factor: float, /) -> None:
    """Copies the array to C memory and back, item by item."""
    numbers = ffi.new("double[]", values.tolist())
    lib.ck_scale(numbers, len(numbers), factor)
    values[:] = list(numbers)


def list_in(values: list[float], /) -> float:
    """Makes the C array by hand, which cffi makes of any tuple, and quicker."""
    numbers = ffi.new("double[]", values)
    return lib.ck_sum_floats(numbers, len(numbers))


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Makes memory for each result, by the name of its type, which must be looked up."""
    smaller, larger = ffi.new("int64_t *"), ffi.new("int64_t *")
    lib.ck_order(a, b, smaller, larger)
    return smaller[0], larger[0]


def callback(function: Callable[[float], float], x: float, /) -> float:
    """Makes a C function of machine code for every call, and frees it after."""
    raised: list[BaseException] = []

    def call(argument: float, _context: Any) -> float:
        try:
            return ldexp(function(argument), 0)
        except BaseException as error:
            raised.append(error)
            return 0.0

    result = lib.ck_call(ffi.callback("double(double, void *)", call), ffi.NULL, x)
    if raised:
        raise raised.pop()
    return result
