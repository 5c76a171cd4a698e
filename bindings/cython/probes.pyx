# cython: freethreading_compatible=True, binding=False, boundscheck=False, wraparound=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The cost ledger through Cython: one function a pattern, each the shortest right way.

Shows:  C types in a signature, which is all it takes to convert; nogil; memory borrowed from str,
        bytes, an array and a list; a new ndarray; a callback; an error code made an exception.
Build:  cython -3 -I cython_src probes.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  a C integer argument takes a float and drops its fraction, hence PyLong_AsLongLong;
        an argument of type str, bytes, list or a memoryview may be None unless it says `not None`;
        a pointer taken from an object dies with it, and Cython does not know; a cdef function is
        checked for an exception after every call unless it says `noexcept`.
"""

cimport cython
cimport numpy as cnp
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLong, PyLong_AsSsize_t
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t

from isa cimport chosen_isa, isa_name
from probe_kernels cimport (
    add_int_kernel, call, fail_with, iota, noop_kernel, sum_bytes, sum_floats
)

cnp.import_array()

cdef extern from *:
    """
    #if defined(__clang__)
    #define COMPILER "clang " __clang_version__
    #else
    #define COMPILER "gcc " __VERSION__
    #endif
    """
    const char *COMPILER

_isa = isa_name(chosen_isa()).decode()


def about():
    return {
        "technology": "Cython " + cython.__version__,
        "compiler": COMPILER.decode(),
        "kernel": "Cython",
        "isa": _isa,
    }


# ---- no argument ---------------------------------------------------------------------------------


def noop():
    noop_kernel()


def noop_nogil():
    with nogil:
        noop_kernel()


# ---- scalars -------------------------------------------------------------------------------------


def add_int(a, b, /):
    return add_int_kernel(PyLong_AsLongLong(a), PyLong_AsLongLong(b))


def add_float(double a, double b, /):
    return a + b


def six_scalars(a, double b, c, double d, e, double f, /):
    return PyLong_AsLongLong(a) + b + PyLong_AsLongLong(c) + d + PyLong_AsLongLong(e) + f


def keywords(double x, *, double scale=1.0, double offset=0.0):
    return x * scale + offset


# ---- memory --------------------------------------------------------------------------------------


def str_in(str text not None, /):
    cdef Py_ssize_t size
    cdef const char *data = PyUnicode_AsUTF8AndSize(text, &size)  # kept by `text`
    return sum_bytes(<const uint8_t *>data, size)


def bytes_in(bytes data not None, /):
    return sum_bytes(<const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


def array_in(const double[::1] values not None, /):
    cdef const double *start = &values[0] if values.shape[0] else NULL
    if <size_t>start % sizeof(double):
        raise ValueError("expected an aligned array")
    return sum_floats(start, values.shape[0])


def array_out(n, /):
    cdef cnp.npy_intp size = PyLong_AsSsize_t(n)
    cdef cnp.ndarray array = cnp.PyArray_SimpleNew(1, &size, cnp.NPY_FLOAT64)  # ValueError: n < 0
    iota(<double *>cnp.PyArray_DATA(array), size)
    return array


def list_in(list values not None, /):
    cdef double total = 0.0, value
    for value in values:
        total += value
    return total


# ---- calling back, and failing -------------------------------------------------------------------


cdef double call_python(double x, void *function) except? -1:
    return (<object>function)(x)


def callback(function, double x, /):
    return call(call_python, <void *>function, x)


def error(code, /):
    cdef int64_t status = fail_with(PyLong_AsLongLong(code))
    if status != 0:
        raise ValueError(f"native call failed with code {status}")
