"""A subclass of c_char_p is not turned into bytes, so the object can free its string."""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libslug.so")))


class Owned(ctypes.c_char_p):
    def __del__(self):
        lib.slug_free(self)


lib.slug.argtypes = [ctypes.c_char_p]
lib.slug.restype = Owned
lib.slug_free.argtypes = [ctypes.c_char_p]
lib.slug_free.restype = None


def slug(title):
    if title.find("\0") >= 0:
        raise ValueError(title)
    text = lib.slug(title.encode()).value
    if text is None:
        raise ValueError(title)
    return text.decode()
