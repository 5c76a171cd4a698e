"""Numbers through torch.

Shows:  an op as a function: `ops.name.default`, the overload held by its name, costs no search when
        it is called.
Build:  bindings/torch/patterns/scalars.cpp.
Bites:  the dispatcher releases the GIL around every call, and there is no way to hold it. A
        schema's types are lax: a tensor that holds 1.5 converts to the int 1, and anything to bool.
        A failed conversion or an extra argument raises RuntimeError, which also replaces the
        exception of __float__: so numbers are converted before the call.
"""

from __future__ import annotations

from math import ldexp

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.torch.library import ops

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

_noop, _int_out = ops.noop.default, ops.int_out.default


def noop() -> None:
    """Do nothing."""
    _noop()


noop_nogil = noop


def int_out() -> int:
    """Return an int64, 42."""
    return _int_out()


# ---- integers and truth values -------------------------------------------------------------

_int_in, _invert, _add_int = ops.int_in.default, ops.invert.default, ops.add_int.default


def int_in(a: int, /) -> None:
    """Take an int64."""
    _int_in(int64(a))


def invert(flag: bool, /) -> bool:
    """Return the other truth value."""
    if not isinstance(flag, bool):
        raise TypeError(f"flag must be a bool, not {type(flag)}")
    return _invert(flag)


def add_int(a: int, b: int, /) -> int:
    """Return a + b modulo 2**64."""
    return _add_int(int64(a), int64(b))


# ---- floats --------------------------------------------------------------------------------

_add_float, _six_scalars = ops.add_float.default, ops.six_scalars.default
_keywords = ops.keywords.default


def add_float(a: float, b: float, /) -> float:
    """Return a + b."""
    return _add_float(ldexp(a, 0), ldexp(b, 0))  # unlike float(), takes no str


def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    """Return the sum of six numbers."""
    return _six_scalars(int64(a), ldexp(b, 0), int64(c), ldexp(d, 0), int64(e), ldexp(f, 0))


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    """Return x * scale + offset."""
    return _keywords(ldexp(x, 0), scale=ldexp(scale, 0), offset=ldexp(offset, 0))
