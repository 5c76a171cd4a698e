"""The result is a POINTER(c_char), which keeps the address and is false if it is NULL."""

from ctypes import CDLL, POINTER, c_char, c_char_p, string_at
from pathlib import Path

lib = CDLL(str(Path(__file__).with_name("libslug.so")))
lib.slug.argtypes, lib.slug.restype = [c_char_p], POINTER(c_char)
lib.slug_free.argtypes, lib.slug_free.restype = [POINTER(c_char)], None


def slug(title):
    data = title.encode()
    if 0 in data:
        raise ValueError("title contains a null character")
    text = lib.slug(data)
    if not text:
        raise ValueError("title has neither letters nor digits")
    copy = string_at(text)
    lib.slug_free(text)
    return str(copy, "utf-8")
