# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""Record decoding through Cython; kernels: cython_src/frame.pxd, example_batch.pxd, fixed.pxd.

Shows:  any bytes-like object borrowed for a call (memory.pyx); ndarrays as tables of C structs; the
        GIL released; a status struct turned into an exception with fields.
Build:  cython -3 -I cython_src records.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  typed memoryviews refuse a wrong dtype with ValueError where the contract says TypeError,
        and `const uint8_t[::1]` refuses bytes-like objects of other item types: hence Py_buffer;
        a borrowed buffer pins its memory but does not stop other threads from writing to it.
"""

cimport numpy as cnp
from cpython.long cimport PyLong_AsLongLong
from libc.stdint cimport int64_t, uint8_t, uint32_t

from crc32c cimport fill_crc_table
from example_batch cimport decode_examples_kernel, gather_examples_kernel
from example_schema cimport Column
from fixed cimport Leaf, decode_fixed_kernel
from frame cimport CRC_INSTRUCTION, FINAL, OK, RESYNC, VERIFY, Cursor, Error, Span
from index cimport index_records_kernel
from isa cimport PORTABLE, chosen_isa

from ffi_cookbook.bindings.cython.memory cimport Borrowed

from ffi_cookbook.bindings.errors import record_error

cnp.import_array()

fill_crc_table()
cdef uint32_t crc_option = 0 if chosen_isa() == PORTABLE else CRC_INSTRUCTION


# ---- arguments -----------------------------------------------------------------------------------


cdef int64_t *table(cnp.ndarray array, str name, int columns, bint writable=True) except NULL:
    """Return the int64 items of an array of shape (columns,) or (n, columns)."""
    cdef int ndim = cnp.PyArray_NDIM(array)
    if (not cnp.PyArray_EquivTypenums(cnp.PyArray_TYPE(array), cnp.NPY_INT64)
            or cnp.PyArray_ISBYTESWAPPED(array)):
        raise TypeError(f"{name} must be an int64 array, not {array.dtype!r}")
    if ndim != (1 if name == "cursor" else 2) or cnp.PyArray_DIM(array, ndim - 1) != columns:
        raise ValueError(f"{name} must have rows of {columns} int64")
    if not cnp.PyArray_ISCARRAY_RO(array) or writable and not cnp.PyArray_ISWRITEABLE(array):
        raise ValueError(f"{name} must be C-contiguous, aligned and writable")
    return <int64_t *>cnp.PyArray_DATA(array)


cdef uint8_t *arena_bytes(cnp.ndarray arena) except NULL:
    if cnp.PyArray_TYPE(arena) != cnp.NPY_UINT8:
        raise TypeError(f"arena must be a uint8 array, not {arena.dtype!r}")
    if not cnp.PyArray_ISCARRAY(arena):
        raise ValueError("arena must be C-contiguous and writable")
    return <uint8_t *>cnp.PyArray_DATA(arena)


cdef int bit_of(str name, flag, int bit) except -1:
    if flag is True:
        return bit
    if flag is False:
        return 0
    raise TypeError(f"{name} must be a bool, not {type(flag).__name__}")


cdef int options_from(verify, final, resync=False) except -1:
    return (crc_option | bit_of("verify", verify, VERIFY) | bit_of("final", final, FINAL)
            | bit_of("resync", resync, RESYNC))


cdef int64_t finish(const Error *error, const Cursor *at, schema) except -1:
    """Return the number of rows filled, or raise the exception for `error`."""
    if error.code == OK:
        return at.rows
    raise record_error((error.code, error.offset, error.record, error.field, error.expected,
                        error.actual), schema)


# ---- kernels -------------------------------------------------------------------------------------


def index_records(buffer, cnp.ndarray spans not None, cnp.ndarray cursor not None,
                  verify=True, final=True, resync=False):
    """Find the frames of TFRecord data; see ffi_cookbook.bindings.protocol.Backend."""
    cdef uint32_t options = options_from(verify, final, resync)
    cdef Borrowed source = Borrowed(buffer)
    cdef Span *rows = <Span *>table(spans, "spans", 2)
    cdef Cursor *at = <Cursor *>table(cursor, "cursor", 4)
    cdef int64_t capacity = cnp.PyArray_DIM(spans, 0)
    cdef Error error = Error(OK, 0, 0, 0, 0, 0)
    with nogil:
        index_records_kernel(source.data, source.size, rows, capacity, options, at, &error)
    return finish(&error, at, b"")


def decode_examples(buffer, schema, cnp.ndarray arena not None, cnp.ndarray columns not None,
                    cnp.ndarray cursor not None, max_records, verify=True,
                    final=True):
    """Decode records into columns; see ffi_cookbook.bindings.protocol.Backend."""
    cdef int64_t limit = PyLong_AsLongLong(max_records)
    cdef uint32_t options = options_from(verify, final)
    cdef Borrowed source = Borrowed(buffer), fields = Borrowed(schema)
    cdef uint8_t *memory = arena_bytes(arena)
    cdef Column *rows = <Column *>table(columns, "columns", 10)
    cdef Cursor *at = <Cursor *>table(cursor, "cursor", 4)
    cdef int64_t n = cnp.PyArray_DIM(columns, 0), size = cnp.PyArray_NBYTES(arena)
    cdef Error error = Error(OK, 0, 0, 0, 0, 0)
    with nogil:
        decode_examples_kernel(source.data, source.size, fields.data, fields.size, memory, size,
                               rows, n, limit, options, at, &error)
    return finish(&error, at, schema)


def gather_examples(buffer, cnp.ndarray spans not None, schema, cnp.ndarray arena not None,
                    cnp.ndarray columns not None, cnp.ndarray cursor not None, verify=True):
    """Decode records in any order into columns; see ffi_cookbook.bindings.protocol.Backend."""
    cdef uint32_t options = options_from(verify, True)
    cdef Borrowed source = Borrowed(buffer), fields = Borrowed(schema)
    cdef Span *wanted = <Span *>table(spans, "spans", 2, writable=False)
    cdef uint8_t *memory = arena_bytes(arena)
    cdef Column *rows = <Column *>table(columns, "columns", 10)
    cdef Cursor *at = <Cursor *>table(cursor, "cursor", 4)
    cdef int64_t n_spans = cnp.PyArray_DIM(spans, 0)
    cdef int64_t n = cnp.PyArray_DIM(columns, 0), size = cnp.PyArray_NBYTES(arena)
    cdef Error error = Error(OK, 0, 0, 0, 0, 0)
    with nogil:
        gather_examples_kernel(source.data, source.size, wanted, n_spans, fields.data, fields.size,
                               memory, size, rows, n, options, at, &error)
    return finish(&error, at, schema)


def decode_fixed(buffer, record_size, cnp.ndarray fields not None,
                 cnp.ndarray arena not None, cnp.ndarray cursor not None, max_records,
                 final=True):
    """Decode fixed-size records into columns; see ffi_cookbook.bindings.protocol.Backend."""
    cdef int64_t limit = PyLong_AsLongLong(max_records), bytes = PyLong_AsLongLong(record_size)
    cdef uint32_t options = options_from(False, final)
    cdef Borrowed source = Borrowed(buffer)
    cdef Leaf *leaves = <Leaf *>table(fields, "fields", 5, writable=False)
    cdef uint8_t *memory = arena_bytes(arena)
    cdef Cursor *at = <Cursor *>table(cursor, "cursor", 4)
    cdef int64_t n = cnp.PyArray_DIM(fields, 0), size = cnp.PyArray_NBYTES(arena)
    cdef Error error = Error(OK, 0, 0, 0, 0, 0)
    with nogil:
        decode_fixed_kernel(source.data, source.size, bytes, leaves, n, memory, size, limit,
                            options, at, &error)
    return finish(&error, at, b"")
