"""Calls to line_ends with memory that ends exactly where the text and the array end."""

import ctypes

number = ctypes.c_size_t


def prepare(library):
    """Declare the prototype."""
    library.line_ends.argtypes = [ctypes.c_void_p, number, ctypes.c_void_p, number]
    library.line_ends.restype = number


def line_ends(library, text, room):
    """Return the number of lines and the array."""
    memory = (ctypes.c_char * (len(text) + 16)).from_buffer_copy(b"-" * 16 + text)
    ends = (number * (room + 3))(*[99] * (room + 3))
    start = ctypes.addressof(memory) + 16 if text else None
    place = ctypes.addressof(ends) + 24 if room else None
    lines = library.line_ends(start, len(text), place, room)
    return lines, ends[3:]


def without_memory(library):
    """Return the number of lines for null pointers."""
    return library.line_ends(None, 0, None, 0)
