"""Write slug(title): a title as a part of a web address, made by C.

libslug.so lies beside this file. Its two functions take and return UTF-8:

    char *slug(const char *title);   the result is a new string, or NULL if nothing is left
    void slug_free(char *text);      frees a result of slug

    >>> exercise.slug("Größe & Länge, 2nd part")
    'größe-länge-2nd-part'

A title of which nothing is left, such as "?!", raises ValueError. So does one that contains "\\0":
for C the title would end there. Free each string that C has made once, after its last use.
"""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libslug.so")))
# BEGIN SOLUTION
lib.slug.argtypes = [ctypes.c_char_p]
lib.slug.restype = ctypes.c_void_p  # the address; a c_char_p would become bytes, and be lost
lib.slug_free.argtypes = [ctypes.c_void_p]
lib.slug_free.restype = None
# END SOLUTION


def slug(title):
    """Return the title with its words in small letters, joined by "-"."""
    #: # TODO: declare the functions above, call C, copy the string, free C's
    #: return title.lower()
    # BEGIN SOLUTION
    if "\0" in title:
        raise ValueError("title must not contain a null character")
    address = lib.slug(title.encode())
    if not address:
        raise ValueError(f"nothing is left of {title!r}")
    try:
        return ctypes.string_at(address).decode()
    finally:
        lib.slug_free(address)
    # END SOLUTION
