# cython: freethreading_compatible=True, binding=False
"""Checksums, frames and varints for the writer of records, which ffi_cookbook.wire calls."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t

from ffi_cookbook.bindings.cython.cookbook cimport (
    CK_FRAMING, ck_crc32c, ck_encode_varints, ck_frame_record)
from ffi_cookbook.bindings.cython.memory cimport Borrowed, Memory


cdef extern from "Python.h" nogil:  # these macros read one field each, so they need no GIL
    uint8_t *PyBytes_AS_STRING(void *record)
    Py_ssize_t PyBytes_GET_SIZE(void *record)
    void *PyTuple_GET_ITEM(void *records, Py_ssize_t i)


def crc32c(buffer, uint32_t before=0):
    """Return the CRC-32C of a buffer, not masked."""
    cdef Borrowed source = Borrowed(buffer)
    cdef uint32_t crc
    if source.size < 4096:  # releasing the GIL would take longer
        return ck_crc32c(source.data, source.size, before)
    with nogil:
        crc = ck_crc32c(source.data, source.size, before)
    return crc


def frame_records(records):
    """Return the TFRecord frames of a list of bytes."""
    cdef tuple held = tuple(records)  # which no other thread can change
    cdef Py_ssize_t size = 0, n = len(held), i
    for record in held:
        if not isinstance(record, bytes):
            raise TypeError(f"records must be bytes, not {type(record).__name__}")
        size += len(<bytes>record) + CK_FRAMING
    cdef bytes framed = PyBytes_FromStringAndSize(NULL, size)
    cdef void *items = <void *>held
    cdef void *item
    cdef uint8_t *out = PyBytes_AS_STRING(<void *>framed)
    with nogil:
        for i in range(n):
            item = PyTuple_GET_ITEM(items, i)
            ck_frame_record(PyBytes_AS_STRING(item), PyBytes_GET_SIZE(item), out)
            out += PyBytes_GET_SIZE(item) + CK_FRAMING
    return framed


def encode_varints(bytes integers):
    """Return the varints of native int64s, which are given as bytes."""
    cdef size_t n = len(integers) // sizeof(int64_t)
    cdef Memory memory = Memory(10 * n)  # the longest varint has 10 bytes
    cdef const int64_t *values = <const int64_t *>PyBytes_AS_STRING(<void *>integers)
    cdef uint8_t *out = <uint8_t *>memory.data
    return PyBytes_FromStringAndSize(<char *>out, ck_encode_varints(values, n, out))
