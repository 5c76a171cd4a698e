# cython: freethreading_compatible=True, boundscheck=False, wraparound=False
"""The patterns through Cython: several kinds of argument at once.

Shows:  the pieces of the other pages, put together; new bytes, filled in place before anyone sees
        them.
Build:  cython -3 mixed.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  a uint8_t argument takes a float too: use a wider type and a check. An array is borrowed in
        the body, after the numbers are converted, whose __float__ or __index__ may free its memory.
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint8_t

from ffi_cookbook.bindings.cython.patterns.cookbook cimport (
    ck_add_three, ck_scaled, ck_score, ck_shifted, ck_stamp)
from ffi_cookbook.bindings.cython.patterns.floats cimport check_aligned, float64_only, new_floats

cnp.import_array()


def add_three(Py_ssize_t a, Py_ssize_t b, Py_ssize_t c, /):
    """Return a + b + c modulo 2**64."""
    return ck_add_three(a, b, c)


def score(str text not None, Py_ssize_t n, double x, /):
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    cdef Py_ssize_t size
    cdef const char *data = PyUnicode_AsUTF8AndSize(text, &size)
    return ck_score(<const uint8_t *>data, size, n, x)


def stamp(bytes data not None, Py_ssize_t mark, /):
    """Return new bytes, each XORed with mark."""
    if not 0 <= mark < 256:
        raise ValueError(f"mark must be in range(256), got {mark}")
    cdef Py_ssize_t size = PyBytes_GET_SIZE(data)
    cdef bytes out = PyBytes_FromStringAndSize(NULL, size)
    ck_stamp(<const uint8_t *>PyBytes_AS_STRING(data), size, <uint8_t>mark,
             <uint8_t *>PyBytes_AS_STRING(out))
    return out


def scaled(values, double factor, /):
    """Return a new array, values * factor."""
    cdef const double[::1] view = float64_only(values)
    check_aligned(<size_t>&view[0], view.shape[0])
    cdef cnp.ndarray out = new_floats(view.shape[0])
    ck_scaled(&view[0], view.shape[0], factor, <double *>cnp.PyArray_DATA(out))
    return out


def shifted(values, Py_ssize_t n, str text not None, /):
    """Return a new array, values + n + the sum of the text's bytes."""
    cdef Py_ssize_t size
    cdef const char *data = PyUnicode_AsUTF8AndSize(text, &size)
    cdef const double[::1] view = float64_only(values)
    check_aligned(<size_t>&view[0], view.shape[0])
    cdef cnp.ndarray out = new_floats(view.shape[0])
    ck_shifted(&view[0], view.shape[0], n, <const uint8_t *>data, size,
               <double *>cnp.PyArray_DATA(out))
    return out
