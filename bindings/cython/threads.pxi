# The number of threads that the caller allows.

from cpython.long cimport PyLong_AsLongAndOverflow
from libc.limits cimport LONG_MAX


cdef Py_ssize_t checked_threads(threads) except -1:
    """Return the number from any object with __index__, however large."""
    cdef int overflow = 0  # 1: more than a long holds, -1: less
    cdef long n = PyLong_AsLongAndOverflow(threads, &overflow)
    if n < 1 and overflow <= 0:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return LONG_MAX if overflow else n
