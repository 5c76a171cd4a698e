# cython: freethreading_compatible=True
"""The cost ledger through Cython: what its documentation shows, where other pages do otherwise.

Shows:  a str encoded to bytes; loops over typed memoryviews; a comprehension; a generator.
Build:  cython -3 -I cython_src idiomatic.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  what each function costs or lets pass, its docstring says.
"""

import numpy as np

cimport pattern_kernels as kernel


def str_in(text):
    """The text is copied into new bytes, and anything with an encode() is taken."""
    cdef bytes data = text.encode()
    return kernel.sum_bytes(data, len(data))


def array_in(double[::1] values not None):
    """Without `const` a read-only array is refused, and alignment is not asked for."""
    cdef double total = 0.0
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        total += values[i]
    return total


def array_out(Py_ssize_t n):
    """NumPy is called as Python would call it, and a memoryview made to fill the array."""
    array = np.empty(n)
    cdef double[::1] values = array
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = i
    return array


def list_out(Py_ssize_t n):
    """The list grows item by item, and is empty where n is negative."""
    cdef Py_ssize_t i
    return [<double>i for i in range(n)]


def countdown(Py_ssize_t n):
    """A generator is resumed for each item."""
    while n > 0:
        n -= 1
        yield n
