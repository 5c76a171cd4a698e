# cython: freethreading_compatible=True
"""The patterns through Cython: the idioms of its documentation, where other pages do otherwise.

Shows:  a str encoded to bytes; loops over typed memoryviews; a comprehension; a generator.
Build:  cython -3 idiomatic.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  each function's docstring says what it costs or lets pass.
"""

import numpy as np

cimport numpy as cnp

from ffi_cookbook.bindings.cython.patterns.cookbook cimport ck_sum_bytes
from ffi_cookbook.bindings.cython.patterns.floats cimport float64_only

cnp.import_array()


def str_in(text):
    """Copy the text into new bytes, and take any object with an encode()."""
    cdef bytes data = text.encode()
    return ck_sum_bytes(data, len(data))


def array_in(values):
    """Refuse a read-only array, since `const` is missing, and do not check alignment.

    The argument would be `double[::1] values not None` if Cython 3.3 did not crash on some records.
    """
    cdef double[::1] view = float64_only(values)
    cdef double total = 0.0
    cdef Py_ssize_t i
    for i in range(view.shape[0]):
        total += view[i]
    return total


def array_out(Py_ssize_t n):
    """Call NumPy as Python would, and make a memoryview to fill the array."""
    array = np.empty(n)
    cdef double[::1] values = array
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = i
    return array


def list_out(Py_ssize_t n):
    """Grow the list item by item; it is empty if n is negative."""
    cdef Py_ssize_t i
    return [<double>i for i in range(n)]


def countdown(Py_ssize_t n):
    """Resume a generator for each item."""
    while n > 0:
        n -= 1
        yield n
