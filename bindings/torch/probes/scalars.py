"""Numbers through torch.

Shows:  an op as a function: `ops.name.default`, the overload held by its name, costs no search when
        it is called.
Build:  bindings/torch/probes/scalars.cpp.
Bites:  the dispatcher releases the GIL around every call, there is no way to hold it. A schema's
        types are lax: a tensor that holds 1.5 converts to int, as 1, and anything to bool. What
        does not convert, or is one argument too many, is a RuntimeError.
"""

from __future__ import annotations

from operator import index

from bindings.torch.library import ops

# ---- no argument ---------------------------------------------------------------------------

_noop, _int_out = ops.noop.default, ops.int_out.default


def noop() -> None:
    _noop()


noop_nogil = noop


def int_out() -> int:
    return _int_out()


# ---- integers and truth values -------------------------------------------------------------

_int_in, _invert, _add_int = ops.int_in.default, ops.invert.default, ops.add_int.default


def int_in(a: int, /) -> None:
    try:
        _int_in(index(a))
    except RuntimeError as error:
        raise TypeError(str(error)) from None


def invert(flag: bool, /) -> bool:
    if not isinstance(flag, bool):
        raise TypeError(f"expected bool, not {type(flag).__name__}")
    return _invert(flag)


def add_int(a: int, b: int, /) -> int:
    try:
        return _add_int(index(a), index(b))
    except RuntimeError as error:
        raise TypeError(str(error)) from None


# ---- floats --------------------------------------------------------------------------------

_add_float, _six_scalars = ops.add_float.default, ops.six_scalars.default
_keywords = ops.keywords.default


def add_float(a: float, b: float, /) -> float:
    try:
        return _add_float(a, b)
    except RuntimeError as error:
        raise TypeError(str(error)) from None


def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    try:
        return _six_scalars(index(a), b, index(c), d, index(e), f)
    except RuntimeError as error:
        raise TypeError(str(error)) from None


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    try:
        return _keywords(x, scale=scale, offset=offset)
    except RuntimeError as error:
        raise TypeError(str(error)) from None
