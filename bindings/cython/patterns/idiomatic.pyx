# cython: freethreading_compatible=True
"""The patterns through Cython: the idioms of its documentation, where other pages do otherwise.

Shows:  a str encoded to bytes; a loop over a typed memoryview; a generator.
Build:  cython -3 idiomatic.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  each function's docstring says what it costs or lets pass.
"""

import numpy as np

cimport numpy as cnp

from ffi_cookbook.bindings.cython.patterns.cookbook cimport ck_sum_bytes

cnp.import_array()


def str_in(text):
    """Copy the text into new bytes, and take any object with an encode()."""
    cdef bytes data = text.encode()
    return ck_sum_bytes(data, len(data))


def array_out(Py_ssize_t n):
    """Call NumPy as Python would, and make a memoryview to fill the array."""
    array = np.empty(n)
    cdef double[::1] values = array
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = i
    return array


def countdown(Py_ssize_t n):
    """Resume a generator for each item."""
    while n > 0:
        n -= 1
        yield n
