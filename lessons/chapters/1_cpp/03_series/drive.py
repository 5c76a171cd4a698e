"""Calls to the functions of a series."""

import ctypes

from_pointer = ctypes.POINTER(ctypes.c_double)


def prepare(library):
    """Declare the prototypes."""
    handle, size = ctypes.c_void_p, ctypes.c_size_t
    prototypes = {
        "series_new": (handle,),
        "series_push": (None, handle, ctypes.c_double),
        "series_size": (size, handle),
        "series_copy": (size, handle, from_pointer, size),
        "series_clone": (handle, handle),
        "series_free": (None, handle),
    }
    for name, (result, *arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


def copied(library, series, room):
    """Return what series_copy returns and writes."""
    array = (ctypes.c_double * (room + 3))(*[-99.0] * (room + 3))
    out = ctypes.cast(ctypes.byref(array, 24), from_pointer)  # ends where the array ends
    return library.series_copy(series, out, room), array[3:]


def pushed(library, values):
    """Return a new series with the values."""
    series = library.series_new()
    for value in values:
        library.series_push(series, value)
    return series


def fill(library, values, room):
    """Return the size of a series with these values, and what is copied from it."""
    series = pushed(library, values)
    size = library.series_size(series)
    answer = size, *copied(library, series, room)
    library.series_free(series)
    return answer


def two(library, values, others):
    """Return the values of two series that grow in turn."""
    series = [library.series_new(), library.series_new()]
    for pair in zip(values, others, strict=True):
        for handle, value in zip(series, pair, strict=True):
            library.series_push(handle, value)
    answer = [copied(library, handle, len(values))[1] for handle in series]
    for handle in series:
        library.series_free(handle)
    return answer


def clone(library, values, more):
    """Return the values of a series and of its clone after each has grown by different values.

    The series is freed before the clone is read.
    """
    series = pushed(library, values)
    other = library.series_clone(series)
    for value in more:
        library.series_push(series, value)
        library.series_push(other, -value)
    n = len(values) + len(more)
    first = copied(library, series, n)[1]
    library.series_free(series)
    second = copied(library, other, n)[1]
    library.series_free(other)
    return first, second


def free_nothing(library):
    """Free a null pointer."""
    library.series_free(None)
