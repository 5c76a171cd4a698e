"""What is faster through torch, at a price.

Shows:  tensors kept between calls, as programs that live in torch have them anyway; an op called
        by what its overload calls.
Build:  nothing more to build.
Bites:  `_op` is a private name. Without checks a wrong type is a RuntimeError, a tensor that holds
        1.5 is the int 1, and what is no str may be one.
"""

from __future__ import annotations

from typing import Any

import torch

from bindings.torch.library import lend, ops

# ---- no checks -----------------------------------------------------------------------------

_noop, _str_in = ops.noop.default._op, ops.str_in.default._op
_add_int, _add_float = ops.add_int.default._op, ops.add_float.default._op


def noop() -> None:
    """Passes by the overload's own __call__."""
    _noop()


def add_int(a: int, b: int, /) -> int:
    """Trusts its arguments to be integers."""
    return _add_int(a, b)


def add_float(a: float, b: float, /) -> float:
    """Leaves the errors to torch."""
    return _add_float(a, b)


def bytes_in(data: bytes, /) -> int:
    """Goes as a str, which a schema lets bytes do: copied several times, and still sooner there
    than as a tensor, unless there are many."""
    return _str_in(data)


def buffer_in(data: bytearray, /) -> int:
    """Goes as a str, as bytearray can, but no other buffer."""
    return _str_in(data)


def strings_in(texts: list[str], /) -> int:
    """Goes as one text, which will do for a sum: where each text ends is lost."""
    return _str_in("".join(texts))


# ---- tensors kept between calls ------------------------------------------------------------

_array_in, _strided_in = ops.array_in.default._op, ops.strided_in.default._op
_array_inplace = ops.array_inplace.default._op


def array_in(values: torch.Tensor, /) -> float:
    """Takes a tensor that keeps the array's memory."""
    return _array_in(values)


def strided_in(values: torch.Tensor, /) -> float:
    """Takes a tensor that keeps the array's memory."""
    return _strided_in(values)


def array_inplace(values: torch.Tensor, factor: float, /) -> None:
    """Takes a tensor that keeps the array's memory, and writes to it even when the array has been
    made read-only since."""
    _array_inplace(values, factor)


def dlpack_in(values: torch.Tensor, /) -> float:
    """Takes a tensor that keeps the other library's memory."""
    return _array_in(values)


def _lent(values: Any, *others: Any) -> tuple[Any, ...]:
    return lend(values), *others


def _taken_in(values: Any) -> tuple[torch.Tensor]:
    return (torch.from_dlpack(values),)


PREPARE = {
    "array_in": _lent,
    "strided_in": _lent,
    "array_inplace": _lent,
    "dlpack_in": _taken_in,
}
"""By function: makes, once, the arguments that it takes of those that others take."""
