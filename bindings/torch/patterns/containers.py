"""Lists, dicts and tuples through torch.

Shows:  lists in a schema, as float[] and str[]; several results, which come as a tuple.
Build:  bindings/torch/patterns/containers.cpp.
Bites:  a list is copied item by item, into torch's list and from there into a vector. A schema can
        declare Dict(str, float), but the stable ABI cannot pass it: keys and values go as two
        lists.
"""

from __future__ import annotations

from math import ldexp

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.torch.library import ops

__all__ = ["dict_in", "list_in", "list_out", "strings_in", "tuple_out"]

# ---- lists ---------------------------------------------------------------------------------

_list_in, _list_out = ops.list_in.default, ops.list_out.default
_strings_in = ops.strings_in.default


def list_in(values: list[float], /) -> float:
    """Return the sum of a list of floats."""
    if not isinstance(values, list):
        raise TypeError(f"expected a list, not {type(values).__name__}")
    return _list_in([ldexp(value, 0) for value in list.copy(values)])  # may raise anything


def list_out(n: int, /) -> list[float]:
    """Return a new list 0.0, 1.0 ... n - 1."""
    n = int64(n)
    if not 0 <= n < 2**63:
        raise ValueError(f"n must be 0 to 2**63 - 1, not {n}")
    try:
        return _list_out(n)
    except RuntimeError as error:  # torch's form of std::bad_alloc
        raise MemoryError(str(error)) from None


def strings_in(texts: list[str], /) -> int:
    """Return the sum of the UTF-8 bytes of a list of texts."""
    if not isinstance(texts, list):
        raise TypeError(f"expected a list, not {type(texts).__name__}")
    texts = list.copy(texts)  # a copy that nobody else can change
    "".join(texts)  # TypeError unless all are str: the schema would take bytes too
    try:
        return _strings_in(texts)
    except RuntimeError as error:  # a lone surrogate
        raise ValueError(str(error)) from None


# ---- dicts and tuples ----------------------------------------------------------------------

_dict_in, _tuple_out = ops.dict_in.default, ops.tuple_out.default


def dict_in(weights: dict[str, float], /) -> float:
    """Return the sum of each key's UTF-8 bytes times its value."""
    if not isinstance(weights, dict):
        raise TypeError(f"expected a dict, not {type(weights).__name__}")
    weights = dict.copy(weights)
    numbers = [ldexp(value, 0) for value in weights.values()]
    names = list(weights)
    "".join(names)  # as above
    try:
        return _dict_in(names, numbers)
    except RuntimeError as error:  # a lone surrogate
        raise ValueError(str(error)) from None


def tuple_out(a: int, b: int, /) -> tuple[int, int]:
    """Return the smaller and the larger of two integers."""
    return _tuple_out(int64(a), int64(b))
