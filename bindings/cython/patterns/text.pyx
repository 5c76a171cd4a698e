# cython: freethreading_compatible=True
"""The patterns through Cython: str, bytes and other buffers.

Shows:  a str encoded to bytes, as Cython's tutorial has it; memory borrowed from a str, from bytes
        and from any buffer; a new str and new bytes, made by slicing a C pointer; new bytes, filled
        in place before anyone sees them.
Build:  cython -3 text.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  an argument of type str or bytes may be None unless it says `not None`; a pointer taken from
        an object dies with it, which Cython does not check; a char * that is not sliced ends at its
        first zero byte.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint8_t

from ffi_cookbook.bindings.cython.patterns.cookbook cimport (
    ck_inverted, ck_score, ck_sum_bytes, ck_text)

# ---- as documented -------------------------------------------------------------------------------


def _idiomatic_str_in(str text):
    """Copy the text into new bytes."""
    cdef bytes data = text.encode("utf-8")
    return ck_sum_bytes(data, len(data))


# ---- checked -------------------------------------------------------------------------------------
# A str has its UTF-8, which needs no copy, and the signature refuses everything else.


def str_in(str text not None, /):
    """Return the sum of the UTF-8 bytes of a text."""
    cdef Py_ssize_t size
    cdef const char *data = PyUnicode_AsUTF8AndSize(text, &size)  # kept alive by `text`
    return ck_sum_bytes(<const uint8_t *>data, size)


def str_out():
    """Return a new str."""
    cdef size_t size
    cdef const char *data = ck_text(&size)
    return data[:size].decode()


def score(str text not None, Py_ssize_t n, double x, /):
    """Return the sum of the UTF-8 bytes of a text, plus n, plus x."""
    cdef Py_ssize_t size
    cdef const char *data = PyUnicode_AsUTF8AndSize(text, &size)
    return ck_score(<const uint8_t *>data, size, n, x)


def bytes_in(bytes data not None, /):
    """Return the sum of the bytes."""
    return ck_sum_bytes(<const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


def bytes_out():
    """Return new bytes."""
    cdef size_t size
    cdef const char *data = ck_text(&size)
    return data[:size]


def bytes_map(bytes data not None, /):
    """Return new bytes with every bit inverted."""
    cdef Py_ssize_t size = PyBytes_GET_SIZE(data)
    cdef bytes out = PyBytes_FromStringAndSize(NULL, size)  # filled before anyone sees them
    ck_inverted(<const uint8_t *>PyBytes_AS_STRING(data), size,
                <uint8_t *>PyBytes_AS_STRING(out))
    return out


def buffer_in(data, /):
    """Return the sum of the bytes of a C-contiguous buffer."""
    cdef Py_buffer view
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        return ck_sum_bytes(<const uint8_t *>view.buf, view.len)
    finally:
        PyBuffer_Release(&view)
