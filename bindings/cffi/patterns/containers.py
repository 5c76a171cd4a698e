"""Lists, dicts and tuples through cffi.

Shows:  a list passed for a pointer, from which cffi makes the C array; many texts in one call;
        results by pointer.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  an item's __float__ or another thread may change the list that cffi is copying: give it a
        copy that nobody else has. The memory that ffi.new allocates is freed with the object that
        it returns.
"""

from __future__ import annotations

from operator import index

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.cffi.patterns.arrays import DOUBLES
from ffi_cookbook.bindings.cffi.patterns.text import str_in

__all__ = ["dict_in", "list_in", "list_out", "strings_in", "tuple_out"]

_PAIR = ffi.typeof("int64_t[2]")
_sum_floats = lib.ck_sum_floats
_iota = lib.ck_iota
_weigh = lib.ck_weigh
_order = lib.ck_order


# ---- list ----------------------------------------------------------------------------------


def list_in(values: list[float], /) -> float:
    """Return the sum of a list of floats."""
    if not isinstance(values, list):
        raise TypeError(f"expected a list, not {type(values).__name__}")
    items = list.copy(values)
    return _sum_floats(items, len(items))


def list_out(n: int, /) -> list[float]:
    """Return a new list 0.0, 1.0 ... n - 1."""
    n = index(n)
    numbers = ffi.new(DOUBLES, n)  # ValueError when n < 0
    _iota(numbers, n)
    return ffi.unpack(numbers, n)


def strings_in(texts: list[str], /) -> int:
    """Return the sum of the UTF-8 bytes of a list of texts."""
    if not isinstance(texts, list):
        raise TypeError(f"expected a list, not {type(texts).__name__}")
    return str_in("".join(list.copy(texts)))  # one call for all


# ---- dict and tuple ------------------------------------------------------------------------


def dict_in(weights: dict[str, float], /) -> float:
    """Return the sum of each key's UTF-8 bytes times its value."""
    if not isinstance(weights, dict):
        raise TypeError(f"expected a dict, not {type(weights).__name__}")
    total = 0.0
    for key, value in dict.copy(weights).items():
        data = str.encode(key)
        total += _weigh(data, len(data), value)
    return total


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Return the smaller and the larger of two integers."""
    pair = ffi.new(_PAIR)
    _order(index(a), index(b), pair, pair + 1)
    return pair[0], pair[1]
