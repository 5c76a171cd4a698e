# cython: freethreading_compatible=True
"""The patterns through Cython: calling back, failing, and being interrupted.

Shows:  a Python function called through a C function pointer; an error code, and a struct of error
        fields, turned into exceptions; long work without the GIL that Ctrl-C stops.
Build:  cython -3 calls.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  a cdef function is checked for an exception after every call unless it says `noexcept`; one
        that returns a C value says with `except? -1` which value may mean an exception; a library
        in plain C hands on that value and not its meaning, so cookbook.pxd declares ck_call as
        `except *`; a cast to int drops the high bits.
"""

from cpython.exc cimport PyErr_CheckSignals, PyErr_Occurred
from libc.stdint cimport uint64_t

from ffi_cookbook.bindings.errors import PatternError

from ffi_cookbook.bindings.cython.patterns.cookbook cimport ck_call, ck_fail, ck_fail_at, ck_failure, ck_work

cdef Py_ssize_t SLICE = 65536


cdef double call_python(double x, void *function) except? -1:
    if PyErr_Occurred():  # in an earlier call, which the library does not know
        return -1
    return (<object>function)(x)


def callback(function, double x, /):
    """Return function(x) + 1."""
    return ck_call(call_python, <void *>function, x)


cdef int as_int(Py_ssize_t code) except? -1:
    if code != <int>code:
        raise OverflowError(f"{code} does not fit a C int")
    return <int>code


def error(Py_ssize_t code, /):
    """Raise ValueError if the native function fails."""
    cdef int status = ck_fail(as_int(code))
    if status != 0:
        raise ValueError(f"native call failed with code {status}")


def error_fields(Py_ssize_t code, Py_ssize_t offset, /):
    """Raise PatternError if the native function fails."""
    cdef ck_failure failure
    if ck_fail_at(as_int(code), offset, &failure) != 0:
        raise PatternError(failure.code, failure.offset)


def interruptible(Py_ssize_t rounds, /):
    """Return the state of xorshift64 after some rounds, unless Ctrl-C stops it."""
    if rounds < 0:
        raise ValueError(f"rounds must not be negative, got {rounds}")
    cdef uint64_t state = 1
    cdef Py_ssize_t slice
    PyErr_CheckSignals()
    while rounds > 0:
        slice = min(rounds, SLICE)
        with nogil:
            state = ck_work(state, slice)
        rounds -= slice
        PyErr_CheckSignals()
    return state
