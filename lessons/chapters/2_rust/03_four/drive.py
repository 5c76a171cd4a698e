"""Calls to the functions."""

import ctypes

number, size, pointer = ctypes.c_uint32, ctypes.c_size_t, ctypes.c_void_p


def prepare(library):
    """Declare the prototypes."""
    library.total.argtypes, library.total.restype = [pointer, size], ctypes.c_uint64
    library.repeat.argtypes, library.repeat.restype = [pointer, size, size, pointer], None
    library.count.argtypes, library.count.restype = [pointer, size, size, pointer], None
    library.name.argtypes, library.name.restype = [number], pointer
    library.name_free.argtypes, library.name_free.restype = [pointer], None


class Array:
    """Numbers in memory that ends where the array ends."""

    def __init__(self, values):
        self.memory = (number * (len(values) + 4))(*[0] * 4, *values)
        self.start = ctypes.addressof(self.memory) + 16

    def values(self):
        """Return the current numbers."""
        return self.memory[4:]


def total(library, ids):
    """Return the sum."""
    array = Array(ids)
    return library.total(array.start, len(ids))


def repeat(library, ids, times):
    """Return the ids that are written."""
    out = Array([0] * (len(ids) * times))
    array = Array(ids)
    library.repeat(array.start, len(ids), times, out.start)
    return out.values()


def count(library, ids, n_counts):
    """Return the counts that are written."""
    out = Array([99] * n_counts)
    array = Array(ids)
    library.count(array.start, len(ids), n_counts, out.start)
    return out.values()


def name(library, number):
    """Return a copy of a name, and free the name."""
    text = library.name(number)
    copy = ctypes.string_at(text)
    library.name_free(text)
    return copy
