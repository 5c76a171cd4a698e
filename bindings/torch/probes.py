"""The cost ledger through torch: one op a pattern, each the shortest right way.

Shows:  scalars, text, bytes, arrays and lists as a schema knows them.
Build:  bindings/torch/probes.cpp.
Bites:  the dispatcher releases the GIL around every call, there is no way to hold it. An argument
        that does not convert is a RuntimeError. A tensor that holds 1.5 does convert to int, as 1,
        and bytes do to str.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import index
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch

from bindings.torch.callback import callback as callback
from bindings.torch.library import lend, lend_bytes, ops

Function = TypeVar("Function", bound=Callable[..., Any])


def about() -> dict[str, str]:
    """What this door is made with."""
    return {
        "technology": f"torch {torch.__version__} (stable ABI 2.10)",
        "compiler": ops.compiler(),
        "kernel": "C",
        "isa": ops.isa(),
    }


def _converting(function: Function) -> Function:
    """The function with TypeError for the arguments that torch cannot convert."""

    @functools.wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except RuntimeError as error:
            raise TypeError(str(error)) from None

    return checked  # type: ignore[return-value]


# ---- no argument ---------------------------------------------------------------------------

noop = ops.noop.default  # the dispatcher always releases the GIL
noop_nogil = noop

# ---- scalars -------------------------------------------------------------------------------

_add_int, _six_scalars = ops.add_int.default, ops.six_scalars.default
_add_float, _keywords = ops.add_float.default, ops.keywords.default


@_converting
def add_int(a: int, b: int, /) -> int:
    return _add_int(index(a), index(b))


@_converting
def add_float(a: float, b: float, /) -> float:
    return _add_float(a, b)


@_converting
def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    return _six_scalars(index(a), b, index(c), d, index(e), f)


@_converting
def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    return _keywords(x, scale=scale, offset=offset)


# ---- memory --------------------------------------------------------------------------------

_str_in, _bytes_in = ops.str_in.default, ops.bytes_in.default
_array_in, _array_out, _list_in = ops.array_in.default, ops.array_out.default, ops.list_in.default


@_converting
def str_in(text: str, /) -> int:
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    return _str_in(text)


def bytes_in(data: bytes, /) -> int:
    if not isinstance(data, bytes):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    return _bytes_in(lend_bytes("data", data))


def array_in(values: npt.NDArray[np.float64], /) -> float:
    if not isinstance(values, np.ndarray) or values.dtype != np.float64:
        raise TypeError("expected a float64 array")
    if values.ndim != 1 or not values.flags.c_contiguous or not values.flags.aligned:
        raise ValueError("expected one dimension, C-contiguous, aligned")
    return _array_in(lend(values))


def array_out(n: int, /) -> npt.NDArray[np.float64]:
    if index(n) < 0:
        raise ValueError("n must not be negative")
    try:
        return _array_out(n).numpy()
    except RuntimeError as error:  # which torch makes of std::bad_alloc
        raise MemoryError(str(error)) from None


@_converting
def list_in(values: list[float], /) -> float:
    if not isinstance(values, list):
        raise TypeError(f"expected a list, not {type(values).__name__}")
    return _list_in(values)


# ---- errors --------------------------------------------------------------------------------

_error = ops.error.default


@_converting
def error(code: int, /) -> None:
    status = _error(index(code))
    if status != 0:
        raise ValueError(f"native call failed with code {status}")
