import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libslug.so")))
lib.slug.argtypes = [ctypes.c_char_p]
lib.slug.restype = ctypes.c_void_p  # the address; a c_char_p would become bytes, and be lost
lib.slug_free.argtypes = [ctypes.c_void_p]
lib.slug_free.restype = None


def slug(title):
    """Return the title with its words in small letters, joined by "-"."""
    if "\0" in title:
        raise ValueError("title must not contain a null character")
    address = lib.slug(title.encode())
    if not address:
        raise ValueError(f"nothing is left of {title!r}")
    try:
        return ctypes.string_at(address).decode()
    finally:
        lib.slug_free(address)
