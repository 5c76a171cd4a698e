"""Calls to top_word with a text that ends where its memory ends."""

import ctypes


def prepare(library):
    """Declare the prototypes."""
    size = ctypes.c_size_t
    place = ctypes.POINTER(size)
    library.top_word.argtypes = [ctypes.c_void_p, size, place, place]
    library.top_word.restype = size
    library.allocations.argtypes = []
    library.allocations.restype = ctypes.c_long


def top_word(library, text):
    """Return how often the top word occurs, where it first starts, and its length."""
    n = len(text)
    array = (ctypes.c_char * (n + 16)).from_buffer_copy(b" " * 16 + text)
    start, length = ctypes.c_size_t(), ctypes.c_size_t()
    count = library.top_word(ctypes.addressof(array) + 16, n, start, length)
    return count, start.value, length.value


def allocations(library, text, most):
    """Return a message that says how often one call allocates."""
    before = library.allocations()
    top_word(library, text)
    made = library.allocations() - before
    return f"at most {most} allocations" if made <= most else f"{made} allocations"
