# DLPack by the header that the bindings in C share.

from cpython.object cimport PyObject
from libc.stdint cimport int64_t

cdef extern from "dlpack.h":
    enum:
        DLPACK_NAMES

    ctypedef struct DLPackExchangeAPI:
        pass

    ctypedef struct DLPackDoubles:
        const double *data
        size_t size
        PyObject *owner  # a new reference, or NULL

    int dlpack_names(PyObject **names) except -1
    int dlpack_borrow(PyObject **names, object values, DLPackDoubles *found) except -1
    int dlpack_view(PyObject **names, object values, DLPackDoubles *found) except -1
    const DLPackExchangeAPI *dlpack_api(PyObject **names, object like) except? NULL
    object dlpack_new(const DLPackExchangeAPI *api, int64_t n, void (*fill)(double *, size_t))
