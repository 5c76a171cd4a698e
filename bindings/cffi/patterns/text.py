"""Text, bytes and other buffers through cffi.

Shows:  bytes passed as they are; any other buffer borrowed by from_buffer; text that C owns, copied
        out; memory for C to fill.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  ffi.string() ends at the first NUL, ffi.unpack() at the size you say. A list or tuple
        passes for a pointer too, and is copied. bytes must not change: C fills memory of its own,
        which is copied out. len() of a subclass of bytes may return anything.
"""

from __future__ import annotations

from operator import index

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.protocol import Buffer

__all__ = ["buffer_in", "bytes_in", "bytes_map", "bytes_out", "score", "str_in", "str_out"]

_BYTES = ffi.typeof("uint8_t[]")  # a type object costs less than its name, which must be looked up
_SIZE = ffi.typeof("size_t *")
_sum_bytes = lib.ck_sum_bytes
_text = lib.ck_text
_score = lib.ck_score
_inverted = lib.ck_inverted


# ---- str -----------------------------------------------------------------------------------


def str_in(text: str, /) -> int:
    """Return the sum of the UTF-8 bytes of a text."""
    data = str.encode(text)  # TypeError unless it is a str
    return _sum_bytes(data, len(data))


def str_out() -> str:
    """Return a new str."""
    size = ffi.new(_SIZE)
    return ffi.unpack(_text(size), size[0]).decode()


def score(text: str, n: int, x: float, /) -> float:
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    data = str.encode(text)
    return _score(data, len(data), index(n), x)


# ---- bytes and other buffers ---------------------------------------------------------------


def bytes_in(data: bytes, /) -> int:
    """Return the sum of the bytes."""
    if type(data) is not bytes:
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    return _sum_bytes(data, len(data))


def bytes_out() -> bytes:
    """Return new bytes."""
    size = ffi.new(_SIZE)
    return ffi.unpack(_text(size), size[0])


def bytes_map(data: bytes, /) -> bytes:
    """Return new bytes with every bit inverted."""
    if type(data) is not bytes:
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    out = ffi.new(_BYTES, len(data))
    _inverted(data, len(data), out)
    return ffi.buffer(out)[:]


def buffer_in(data: Buffer, /) -> int:
    """Return the sum of the bytes of a C-contiguous buffer."""
    try:
        view = ffi.from_buffer(_BYTES, data)
    except BufferError:
        raise ValueError("data must be C-contiguous") from None
    return _sum_bytes(view, len(view))
