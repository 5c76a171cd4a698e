"""Python tests the type; the pointer is an array of the bytes' size."""

import ctypes
import os

lib = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libcrc32.so"))
function = lib["crc32"]
function.restype = ctypes.c_uint


def crc32(data: bytes, before: int = 0) -> int:
    if not isinstance(data, bytes):
        raise TypeError(f"data must be bytes, not {type(data).__name__}")
    size = len(data)
    copy = (ctypes.c_ubyte * size).from_buffer_copy(data)
    return function(copy, ctypes.c_size_t(size), ctypes.c_uint32(before))
