# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The helpers of the record writer through Cython: checksums, frames and varints.

Shows:  a kernel called without the GIL if its work is long, and with it if it is short; bytes made
        of memory that a kernel filled.
Build:  cython -3 writing.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  `with nogil` costs more than the checksum of a short record: hence the two branches.
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLong
from libc.stdint cimport int64_t, uint8_t, uint32_t

from ffi_cookbook.bindings.cython.cookbook cimport (
    CK_FRAMING, ck_crc32c, ck_encode_varints, ck_frame_record)
from ffi_cookbook.bindings.cython.memory cimport Borrowed, Memory

cnp.import_array()

cdef enum:
    WORTH_THE_GIL = 4096  # bytes
    LONGEST_VARINT = 10


# ---- arguments -----------------------------------------------------------------------------------


cdef int64_t *int64s(cnp.ndarray values) except NULL:
    """Return the elements of a one-dimensional int64 array."""
    cdef bint right = cnp.PyArray_EquivTypenums(cnp.PyArray_TYPE(values), cnp.NPY_INT64)
    if not right or cnp.PyArray_ISBYTESWAPPED(values):
        raise TypeError("values must be an int64 array")
    if cnp.PyArray_NDIM(values) != 1 or not cnp.PyArray_ISCARRAY_RO(values):
        raise ValueError("values must be one-dimensional, C-contiguous and aligned")
    return <int64_t *>cnp.PyArray_DATA(values)


# ---- kernels -------------------------------------------------------------------------------------


def crc32c(buffer, before=0, /):
    """Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend."""
    cdef int64_t earlier = PyLong_AsLongLong(before)  # a uint32_t argument would take a float
    if not 0 <= earlier <= <int64_t>0xffffffff:
        raise OverflowError(f"before must fit 32 bits, not {before}")
    cdef Borrowed source = Borrowed(buffer)
    cdef uint32_t crc
    if source.size < WORTH_THE_GIL:
        crc = ck_crc32c(source.data, source.size, <uint32_t>earlier)
    else:
        with nogil:
            crc = ck_crc32c(source.data, source.size, <uint32_t>earlier)
    return crc


cdef struct Record:
    const uint8_t *data
    size_t size


def frame_records(records, /):
    """Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend."""
    if not isinstance(records, (list, tuple)):
        kind = type(records).__name__
        raise TypeError(f"records must be a list or tuple of bytes, not {kind}")
    cdef tuple held = tuple(records)
    cdef size_t n = len(held), size = 0, i
    cdef Memory memory = Memory(n * sizeof(Record))
    cdef Record *each = <Record *>memory.data
    for i in range(n):
        record = held[i]
        if not isinstance(record, bytes):
            kind = type(record).__name__
            raise TypeError(f"records must be a list or tuple of bytes, not {kind}")
        each[i] = Record(<const uint8_t *>PyBytes_AS_STRING(record), PyBytes_GET_SIZE(record))
        size += each[i].size + CK_FRAMING
    cdef bytes framed = PyBytes_FromStringAndSize(NULL, size)
    cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(framed)
    with nogil:
        for i in range(n):
            ck_frame_record(each[i].data, each[i].size, out)
            out += each[i].size + CK_FRAMING
    return framed


def encode_varints(cnp.ndarray values not None, /):
    """Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend."""
    cdef int64_t *data = int64s(values)
    cdef size_t n = cnp.PyArray_DIM(values, 0), size
    cdef Memory memory = Memory(LONGEST_VARINT * n)
    cdef uint8_t *out = <uint8_t *>memory.data
    if n * sizeof(int64_t) < WORTH_THE_GIL:
        size = ck_encode_varints(data, n, out)
    else:
        with nogil:
            size = ck_encode_varints(data, n, out)
    return PyBytes_FromStringAndSize(<char *>out, size)
