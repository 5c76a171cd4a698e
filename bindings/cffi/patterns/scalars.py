"""Scalars through cffi.

Shows:  a C function that is a Python function as it stands, its conversions compiled from the
        header.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  an integer parameter takes any object with __int__, except a float: Decimal("1.5") becomes 1
        without a warning, so index() is called first. Every call releases the GIL, and no option
        prevents that. A function of `lib` cannot be pickled.
"""

from __future__ import annotations

from operator import index

from ffi_cookbook.bindings.cffi.library import lib

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

noop = lib.ck_noop
noop_nogil = lib.ck_noop


# ---- one -----------------------------------------------------------------------------------

_take_int = lib.ck_take_int
_invert = lib.ck_invert


def int_in(a: int, /) -> None:
    """Take an int64."""
    _take_int(index(a))


int_out = lib.ck_give_int


def invert(flag: bool, /) -> bool:
    """Return the other truth value."""
    if not isinstance(flag, bool):
        raise TypeError(f"flag must be a bool, not {type(flag)}")
    return _invert(flag)


# ---- more ----------------------------------------------------------------------------------

_add_int = lib.ck_add_int
_six_scalars = lib.ck_six_scalars
_keywords = lib.ck_keywords


def add_int(a: int, b: int, /) -> int:
    """Return a + b modulo 2**64."""
    return _add_int(index(a), index(b))


add_float = lib.ck_add_float


def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    """Return the sum of six numbers."""
    return _six_scalars(index(a), b, index(c), d, index(e), f)


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    """Return x * scale + offset."""
    return _keywords(x, scale, offset)
