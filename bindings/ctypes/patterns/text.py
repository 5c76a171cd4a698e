"""Text, bytes and other buffers through ctypes.

Shows:  bytes as the memory that C reads; text that C owns, copied out; memory for C to fill; any
        buffer, borrowed.
Build:  nothing but the shared library.
Bites:  c_void_p takes a str as well, and passes the address of wide characters: refuse a str first.
        c_char_p as a result ends at the first NUL; a POINTER(c_char) is sliced to the size you say.
        bytes must not change: C fills an array.array, whose bytes are copied out. len() of a
        subclass of bytes may return anything.
"""

from __future__ import annotations

from array import array
from ctypes import POINTER, c_char, c_double, c_int64, c_size_t, c_void_p
from math import ldexp

from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings.ctypes.library import declare, lib_gil, memory
from ffi_cookbook.bindings.protocol import Buffer

__all__ = ["buffer_in", "bytes_in", "bytes_map", "bytes_out", "score", "str_in", "str_out"]

_sum_bytes = declare(lib_gil, "ck_sum_bytes", c_int64, c_void_p, c_size_t)
_score = declare(lib_gil, "ck_score", c_double, c_void_p, c_size_t, c_int64, c_double)
_text = declare(lib_gil, "ck_text", POINTER(c_char), POINTER(c_size_t))
_inverted = declare(lib_gil, "ck_inverted", None, c_void_p, c_size_t, c_void_p)


# ---- str -----------------------------------------------------------------------------------


def str_in(text: str, /) -> int:
    """Return the sum of the UTF-8 bytes of a text."""
    data = str.encode(text)  # TypeError unless it is a str
    return _sum_bytes(data, len(data))


def str_out() -> str:
    """Return a new str."""
    size = c_size_t()
    return _text(size)[: size.value].decode()


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    data = str.encode(text)
    return _score(data, len(data), int64(n), ldexp(x, 0))


# ---- bytes and other buffers ---------------------------------------------------------------


def bytes_in(data: bytes, /) -> int:
    """Return the sum of the bytes."""
    if type(data) is not bytes:
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    return _sum_bytes(data, len(data))


def bytes_out() -> bytes:
    """Return new bytes."""
    size = c_size_t()
    return _text(size)[: size.value]


def bytes_map(data: bytes, /) -> bytes:
    """Return new bytes with every bit inverted."""
    if type(data) is not bytes:
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    out = array("B", data)
    _inverted(data, len(data), out.buffer_info()[0])
    return out.tobytes()


def buffer_in(data: Buffer, /) -> int:
    """Return the sum of the bytes of a C-contiguous buffer."""
    view = byte_view("data", data)
    return _sum_bytes(memory(view) if view.flags.writeable else view.ctypes.data, len(view))
