"""Calls to min_max with memory that ends right after the last double."""

import ctypes

DOUBLES = ctypes.POINTER(ctypes.c_double)


def prepare(library):
    """Declare the prototype."""
    library.min_max.argtypes = [DOUBLES, ctypes.c_size_t, DOUBLES, DOUBLES]
    library.min_max.restype = ctypes.c_int


def min_max(library, values, low=True, high=True):
    """Return the result and the values written; -99 is left where nothing was written.

    False passes a null pointer.
    """
    n = len(values)
    front = 3 if n < 3 else 0  # an array of one or two doubles has other memory behind it
    array = (ctypes.c_double * (front + n))(*[0.0] * front, *values)
    first = ctypes.cast(ctypes.byref(array, 8 * front), DOUBLES)
    results = [ctypes.c_double(-99), ctypes.c_double(-99)]
    places = [
        result if wanted else None for result, wanted in zip(results, (low, high), strict=True)
    ]
    answer = library.min_max(first, n, *places)
    values[:] = array[front:]  # lets the checker see a change
    return answer, results[0].value, results[1].value


def min_max_of_null(library):
    """Return the result and the value written for a null pointer and n = 0."""
    low = ctypes.c_double(-99)
    return library.min_max(None, 0, low, low), low.value
