# cython: freethreading_compatible=True, boundscheck=False, wraparound=False
"""The patterns through Cython: lists, dicts and tuples.

Shows:  loops over a typed list and a typed dict, which become C loops that convert each item; a new
        list, filled by index; a C tuple that becomes a Python one.
Build:  cython -3 containers.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  list and dict as argument types refuse their subclasses, but not None; converting an item
        may run Python code that changes the container: a loop by `in` holds the item and looks at
        the size every time, a loop by index with boundscheck=False does not; a comprehension over
        an enormous n fills the memory before it fails.
"""

cimport cython
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t

from ffi_cookbook.bindings.cython.patterns.cookbook cimport ck_order, ck_sum_bytes, ck_weigh


@cython.critical_section  # a lock where there is no GIL
def list_in(list values not None, /):
    """Return the sum of a list of floats."""
    cdef double total = 0.0, value
    for value in values:
        total += value
    return total


def list_out(Py_ssize_t n, /):
    """Return a new list 0.0, 1.0 ... n - 1."""
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    cdef list values = [None] * n
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = <double>i
    return values


@cython.critical_section
def strings_in(list texts not None, /):
    """Return the sum of the UTF-8 bytes of a list of texts."""
    cdef int64_t total = 0
    cdef Py_ssize_t size
    cdef const char *data
    cdef str text
    for text in texts:
        data = PyUnicode_AsUTF8AndSize(text, &size)  # TypeError for None, which `str` allows
        total += ck_sum_bytes(<const uint8_t *>data, size)
    return total


@cython.critical_section
def dict_in(dict weights not None, /):
    """Return the sum of each key's UTF-8 bytes times its value."""
    cdef double total = 0.0, value
    cdef Py_ssize_t size
    cdef const char *data
    cdef str key
    for key, value in weights.items():
        data = PyUnicode_AsUTF8AndSize(key, &size)
        total += ck_weigh(<const uint8_t *>data, size, value)
    return total


def tuple_out(Py_ssize_t a, Py_ssize_t b, /):
    """Return the smaller and the larger of two integers."""
    cdef int64_t smaller, larger
    ck_order(a, b, &smaller, &larger)
    return smaller, larger
