"""`errcheck` turns C's result into Python's, and frees it, for every caller."""

import ctypes
from pathlib import Path

_lib = ctypes.CDLL(str(Path(__file__).with_name("libslug.so")))
_lib.slug_free.argtypes = (ctypes.c_void_p,)
_lib.slug_free.restype = None


def _taken(address, function, arguments):
    if address is None:
        raise ValueError(f"{arguments[0]!r} leaves nothing")
    text = ctypes.cast(address, ctypes.c_char_p).value
    _lib.slug_free(address)
    return text


_lib.slug.argtypes = (ctypes.c_char_p,)
_lib.slug.restype = ctypes.c_void_p
_lib.slug.errcheck = _taken


def slug(title):
    if chr(0) in title:
        raise ValueError("a null character")
    return _lib.slug(title.encode("utf-8")).decode("utf-8")
