"""The cost ledger through ctypes: one function a pattern, each the shortest right way.

Shows:  scalars, text, bytes, arrays and lists handed to a C library from plain Python; a callback
        that may raise; an error code turned into an exception.
Build:  nothing but the shared library.
Bites:  c_int64 keeps the low 64 bits of any int without a word; a wrong type raises ArgumentError,
        which is no TypeError; an exception in a callback is printed and forgotten.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import ArgumentError
from typing import Any

import numpy as np
import numpy.typing as npt

from bindings.ctypes.library import CALLBACK, int64, lib, lib_gil


def about() -> dict[str, str]:
    """What this door is made with."""
    return {
        "technology": f"ctypes {ctypes.__version__}",
        "compiler": lib.ck_compiler().decode(),
        "kernel": "C",
        "isa": lib.ck_isa().decode(),
    }


# ---- no argument ---------------------------------------------------------------------------

noop = lib_gil.ck_noop  # PyDLL: the GIL stays held
noop_nogil = lib.ck_noop  # CDLL: released and taken again


# ---- scalars -------------------------------------------------------------------------------


def add_int(a: int, b: int, /) -> int:
    return lib.ck_add_int(int64(a), int64(b))


def add_float(a: float, b: float, /) -> float:
    try:
        return lib.ck_add_float(a, b)
    except ArgumentError as error:
        raise TypeError(str(error)) from None


def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    try:
        return lib.ck_six_scalars(int64(a), b, int64(c), d, int64(e), f)
    except ArgumentError as error:
        raise TypeError(str(error)) from None


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    try:
        return lib.ck_keywords(x, scale, offset)
    except ArgumentError as error:
        raise TypeError(str(error)) from None


# ---- memory --------------------------------------------------------------------------------


def str_in(text: str, /) -> int:
    data = str.encode(text)  # TypeError unless it is a str
    return lib.ck_sum_bytes(data, len(data))


def bytes_in(data: bytes, /) -> int:
    if not isinstance(data, bytes):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    return lib.ck_sum_bytes(data, len(data))


def array_in(values: npt.NDArray[np.float64], /) -> float:
    if not isinstance(values, np.ndarray) or values.dtype != np.float64:
        raise TypeError("expected a float64 array")
    if values.ndim != 1 or not values.flags.c_contiguous or not values.flags.aligned:
        raise ValueError("expected one dimension, C-contiguous, aligned")
    return lib.ck_sum_floats(values.ctypes.data, values.size)


def array_out(n: int, /) -> npt.NDArray[np.float64]:
    values = np.empty(n)  # ValueError when n < 0
    lib.ck_iota(values.ctypes.data, n)
    return values


def list_in(values: list[float], /) -> float:
    if not isinstance(values, list):
        raise TypeError(f"expected a list, not {type(values).__name__}")
    numbers = (ctypes.c_double * len(values))(*values)
    return lib.ck_sum_floats(numbers, len(numbers))


# ---- calls ---------------------------------------------------------------------------------


def callback(function: Callable[[float], float], x: float, /) -> float:
    raised: BaseException | None = None

    @CALLBACK
    def call(argument: float, _context: Any) -> float:
        nonlocal raised
        try:
            return ctypes.c_double(function(argument)).value  # unlike float(), takes no str
        except BaseException as error:  # the C code between cannot carry it
            raised = error
            return 0.0

    try:
        result: float = lib.ck_call(call, None, x)
    except ArgumentError as error:
        raise TypeError(str(error)) from None
    if raised is None:
        return result
    try:
        raise raised
    finally:
        raised = None  # its traceback holds this frame, which holds it


def error(code: int, /) -> None:
    if not -(2**31) <= code < 2**31:
        raise OverflowError(f"{code} does not fit a C int")
    status = lib.ck_fail(code)
    if status != 0:
        raise ValueError(f"native call failed with code {status}")
