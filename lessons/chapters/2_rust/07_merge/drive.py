"""Calls to merge with C arrays."""

import ctypes

from_pointer = ctypes.c_void_p
size = ctypes.c_size_t


class Pair(ctypes.Structure):
    """A pair of ids, and the id that it becomes."""

    _fields_ = [(name, ctypes.c_uint32) for name in ("left", "right", "merged")]


def prepare(library):
    """Declare the prototype."""
    library.merge.argtypes = [from_pointer, size, from_pointer, size]
    library.merge.restype = size


def merge(library, ids, pairs):
    """Return what is left of the ids."""
    array = (ctypes.c_uint32 * (len(ids) + 4))(*[0] * 4, *ids)
    table = (Pair * (len(pairs) + 2))(*[(0, 0, 0)] * 2, *pairs)
    start = ctypes.addressof(array) + 16 if ids else None
    first = ctypes.addressof(table) + 24 if pairs else None
    left = library.merge(start, len(ids), first, len(pairs))
    return array[4 : 4 + left]


def merge_same(library, value, n, pairs):
    """Return what is left of n equal ids."""
    return merge(library, [value] * n, pairs)
