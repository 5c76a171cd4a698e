"""Text, bytes and other buffers in plain Python.

Shows:  UTF-8 on the way in and out; the checks of a memoryview; a buffer that is always released.
Build:  nothing to build.
Bites:  every UTF-8 byte is an object to sum(), even if it is a cached one; a lone surrogate has no
        UTF-8;
        an exported bytearray cannot be resized, so release its memoryview (`with`).
"""

from __future__ import annotations

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings.protocol import Buffer
from ffi_cookbook.bindings.python.patterns.conversions import double

__all__ = ["buffer_in", "bytes_in", "bytes_map", "bytes_out", "score", "str_in", "str_out"]

_TEXT = bytearray(b"hello world")


def str_in(text: str, /) -> int:
    """Return the sum of the UTF-8 bytes of a text."""
    return sum(str.encode(text))  # not text.encode(): bytes and other types may have that


def str_out() -> str:
    """Return a new str."""
    return _TEXT.decode()


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    return float(str_in(text)) + float(int64(n)) + double(x)


def bytes_in(data: bytes, /) -> int:
    """Return the sum of the bytes."""
    if not isinstance(data, bytes):
        raise TypeError(f"data must be bytes, not {type(data).__name__}")
    return sum(data)


def bytes_out() -> bytes:
    """Return new bytes."""
    return bytes(_TEXT)


def bytes_map(data: bytes, /) -> bytes:
    """Return new bytes with every bit inverted."""
    if not isinstance(data, bytes):
        raise TypeError(f"data must be bytes, not {type(data).__name__}")
    return bytes([byte ^ 0xFF for byte in data])


def buffer_in(data: Buffer, /) -> int:
    """Return the sum of the bytes of a C-contiguous buffer."""
    with memoryview(data) as view:
        if not view.c_contiguous:
            raise ValueError("data must be C-contiguous")
        return sum(view.tobytes())  # cast("B") would not copy, but takes only native formats
