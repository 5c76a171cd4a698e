"""The quickest calls of torch's ops with the same arguments, and what they leave out.

Shows:  an op called through the function that its overload calls.
Build:  nothing more to build.
Bites:  `_op` is a private name. Without checks a wrong type raises RuntimeError, a tensor that
        holds 1.5 becomes the int 1, and bytes pass for a str.
"""

from __future__ import annotations

from ffi_cookbook.bindings.torch.library import ops

_noop, _str_in = ops.noop.default._op, ops.str_in.default._op
_add_int, _add_float = ops.add_int.default._op, ops.add_float.default._op


def noop() -> None:
    """Bypass the overload's own __call__."""
    _noop()


def add_int(a: int, b: int, /) -> int:
    """Check nothing, and refuse with RuntimeError."""
    return _add_int(a, b)


def add_float(a: float, b: float, /) -> float:
    """Check nothing, and refuse with RuntimeError."""
    return _add_float(a, b)


def bytes_in(data: bytes, /) -> int:
    """Pass the bytes as a str, which a schema allows: a copy, but quicker unless they are many."""
    return _str_in(data)


def buffer_in(data: bytearray, /) -> int:
    """Pass a bytearray as a str, which no other buffer can be."""
    return _str_in(data)
