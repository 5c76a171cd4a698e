"""Scalars through ctypes.

Shows:  a C function that Python can call once its types are declared; the checks before the call,
        and those that ctypes makes itself.
Build:  nothing but the shared library.
Bites:  c_int64 silently keeps the low 64 bits of any int, and c_bool takes any object; a failed
        conversion raises ArgumentError, which is not a TypeError, and hides the exception of
        __float__; arguments beyond argtypes are passed on to C, so the bare function is not
        exposed.
"""

from __future__ import annotations

from ctypes import c_bool, c_double, c_int64
from math import ldexp

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.ctypes.library import declare, lib, lib_gil

__all__ = [
    "add_float",
    "add_int",
    "int_in",
    "int_out",
    "invert",
    "keywords",
    "noop",
    "noop_nogil",
    "six_scalars",
]

# ---- no argument ---------------------------------------------------------------------------

_noop = declare(lib_gil, "ck_noop", None)  # PyDLL: the GIL stays held, here and on every page
_noop_nogil = declare(lib, "ck_noop", None)  # CDLL: the GIL is released and reacquired


def noop() -> None:
    """Do nothing."""
    _noop()


def noop_nogil() -> None:
    """Do nothing, with the GIL released."""
    _noop_nogil()


# ---- one -----------------------------------------------------------------------------------

_take_int = declare(lib_gil, "ck_take_int", None, c_int64)
_give_int = declare(lib_gil, "ck_give_int", c_int64)
_invert = declare(lib_gil, "ck_invert", c_bool, c_bool)


def int_in(a: int, /) -> None:
    """Take an int64."""
    _take_int(int64(a))


def int_out() -> int:
    """Return an int64, 42."""
    return _give_int()


def invert(flag: bool, /) -> bool:
    """Return the other truth value."""
    if not isinstance(flag, bool):
        raise TypeError(f"flag must be a bool, not {type(flag)}")
    return _invert(flag)


# ---- more ----------------------------------------------------------------------------------

_add_int = declare(lib_gil, "ck_add_int", c_int64, c_int64, c_int64)
_add_float = declare(lib_gil, "ck_add_float", c_double, c_double, c_double)
_six_scalars = declare(lib_gil, "ck_six_scalars", c_double, *(c_int64, c_double) * 3)
_keywords = declare(lib_gil, "ck_keywords", c_double, c_double, c_double, c_double)


def add_int(a: int, b: int, /) -> int:
    """Return a + b modulo 2**64."""
    return _add_int(int64(a), int64(b))


def add_float(a: float, b: float, /) -> float:
    """Return a + b."""
    return _add_float(ldexp(a, 0), ldexp(b, 0))  # unlike float(), takes no str


def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    """Return the sum of six numbers."""
    return _six_scalars(int64(a), ldexp(b, 0), int64(c), ldexp(d, 0), int64(e), ldexp(f, 0))


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    """Return x * scale + offset."""
    return _keywords(ldexp(x, 0), ldexp(scale, 0), ldexp(offset, 0))
