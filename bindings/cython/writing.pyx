# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""What a writer of records needs, through Cython: a checksum, and integers as varints.

Shows:  a kernel called with or without the GIL, as its work is long or short; bytes made of memory
        that a kernel filled.
Build:  cython -3 -I cython_src writing.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  `with nogil` costs more than the checksum of a short record: hence the two branches.
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t

from crc32c cimport crc32c as crc32c_kernel, fill_crc_table
from isa cimport PORTABLE, chosen_isa
from varint_encode cimport encode_varints_kernel

cnp.import_array()

include "memory.pxi"

fill_crc_table()
cdef bint has_instruction = chosen_isa() != PORTABLE

cdef enum:
    WORTH_THE_GIL = 4096  # bytes
    LONGEST_VARINT = 10


# ---- arguments -----------------------------------------------------------------------------------


cdef int64_t *int64s(cnp.ndarray values) except NULL:
    """The elements of a one-dimensional int64 array."""
    cdef bint right = cnp.PyArray_EquivTypenums(cnp.PyArray_TYPE(values), cnp.NPY_INT64)
    if not right or cnp.PyArray_ISBYTESWAPPED(values):
        raise TypeError("values must be an int64 array")
    if cnp.PyArray_NDIM(values) != 1 or not cnp.PyArray_ISCARRAY_RO(values):
        raise ValueError("values must be one-dimensional, C-contiguous and aligned")
    return <int64_t *>cnp.PyArray_DATA(values)


# ---- kernels -------------------------------------------------------------------------------------


def crc32c(buffer, /):
    """See bindings.protocol.Backend.crc32c."""
    cdef Borrowed source = Borrowed(buffer)
    cdef uint32_t crc
    if source.size < WORTH_THE_GIL:
        return crc32c_kernel(source.data, source.size, has_instruction)
    with nogil:
        crc = crc32c_kernel(source.data, source.size, has_instruction)
    return crc


def encode_varints(cnp.ndarray values not None, /):
    """See bindings.protocol.Backend.encode_varints."""
    cdef int64_t *data = int64s(values)
    cdef size_t n = cnp.PyArray_DIM(values, 0), size
    cdef Memory memory = Memory(LONGEST_VARINT * n)
    cdef uint8_t *out = <uint8_t *>memory.data
    if n * sizeof(int64_t) < WORTH_THE_GIL:
        size = encode_varints_kernel(data, n, out)
    else:
        with nogil:
            size = encode_varints_kernel(data, n, out)
    return PyBytes_FromStringAndSize(<char *>out, size)
