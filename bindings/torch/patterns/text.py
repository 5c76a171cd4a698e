"""Text, bytes and other buffers through torch.

Shows:  str as a schema passes it; bytes as a tensor of uint8, borrowed on the way in, or a copy
        that an op changes in place.
Build:  bindings/torch/patterns/text.cpp.
Bites:  schemas have no bytes type. A str parameter takes bytes and bytearray too, so they must be
        refused before the call. torch.frombuffer borrows a buffer's memory faster
        than NumPy, but refuses an empty one.
"""

from __future__ import annotations

from math import ldexp

import torch

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.protocol import Buffer
from ffi_cookbook.bindings.torch.library import borrowed_bytes, on_arrays, ops

__all__ = ["buffer_in", "bytes_in", "bytes_map", "bytes_out", "score", "str_in", "str_out"]

# ---- text ----------------------------------------------------------------------------------

_str_in, _str_out, _score = ops.str_in.default, ops.str_out.default, ops.score.default


def str_in(text: str, /) -> int:
    """Return the sum of the UTF-8 bytes of a text."""
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    try:
        return _str_in(text)
    except RuntimeError:
        str.encode(text)  # UnicodeEncodeError, if that is why
        raise


def str_out() -> str:
    """Return a new str."""
    return _str_out()


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    n, x = int64(n), ldexp(x, 0)
    try:
        return _score(text, n, x)
    except RuntimeError:
        str.encode(text)  # UnicodeEncodeError, if that is why
        raise


# ---- bytes ---------------------------------------------------------------------------------

_bytes_in, _bytes_out = ops.bytes_in.default, ops.bytes_out.default
_bytes_map = on_arrays(ops.bytes_map.default)


def buffer_in(data: Buffer, /) -> int:
    """Return the sum of the bytes of a C-contiguous buffer."""
    return _bytes_in(borrowed_bytes("data", data))


def bytes_in(data: bytes, /) -> int:
    """Return the sum of the bytes."""
    if not isinstance(data, bytes):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    return buffer_in(data)


def bytes_out() -> bytes:
    """Return new bytes."""
    return _bytes_out().numpy().tobytes()


def bytes_map(data: bytes, /) -> bytes:
    """Return new bytes with every bit inverted."""
    if not isinstance(data, bytes):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    inverted = bytearray(data)
    if inverted:
        _bytes_map(torch.frombuffer(inverted, dtype=torch.uint8))
    return bytes(inverted)
