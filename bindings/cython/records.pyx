# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""Record decoding through Cython, with the kernels of the C library.

Shows:  any bytes-like object borrowed for a call (memory.pyx); ndarrays as tables of C structs; the
        GIL released; a status struct turned into an exception with fields.
Build:  cython -3 records.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  typed memoryviews refuse a wrong dtype with ValueError where the contract says TypeError,
        and `const uint8_t[::1]` refuses bytes-like objects of other item types: hence Py_buffer;
        a borrowed buffer pins its memory but does not stop other threads from writing to it.
"""

cimport numpy as cnp
from cpython.long cimport PyLong_AsLongLong
from libc.stdint cimport int64_t, uint8_t, uint32_t

from ffi_cookbook.bindings.cython.cookbook cimport (
    CK_FINAL, CK_OK, CK_RESYNC, CK_VERIFY, ck_arena, ck_batch, ck_bytes, ck_column, ck_cursor,
    ck_decode_examples, ck_decode_fixed, ck_error, ck_fixed_batch, ck_fixed_field,
    ck_gather_examples, ck_index_records, ck_span)
from ffi_cookbook.bindings.cython.memory cimport Borrowed

from ffi_cookbook.bindings.errors import record_error

cnp.import_array()


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


cdef ck_arena memory_of(cnp.ndarray arena):
    """Return the bytes of an array that a kernel fills."""
    if cnp.PyArray_TYPE(arena) != cnp.NPY_UINT8:
        raise TypeError(f"arena must be a uint8 array, not {arena.dtype!r}")
    if not cnp.PyArray_ISCARRAY(arena):
        raise ValueError("arena must be C-contiguous and writable")
    return ck_arena(<uint8_t *>cnp.PyArray_DATA(arena), cnp.PyArray_NBYTES(arena))


cdef ck_bytes bytes_of(Borrowed source) noexcept:
    return ck_bytes(source.data, source.size)


cdef ck_cursor *cursor_of(cnp.ndarray cursor) except NULL:
    return <ck_cursor *>table(cursor, "cursor", 4)


cdef ck_batch batch_of(Borrowed schema, cnp.ndarray arena, cnp.ndarray columns,
                       int64_t max_records):
    """Describe the columns of a batch for the kernel."""
    cdef ck_arena memory = memory_of(arena)
    cdef ck_column *rows = <ck_column *>table(columns, "columns", 10)
    return ck_batch(bytes_of(schema), memory, rows, cnp.PyArray_DIM(columns, 0), max_records)


cdef int bit_of(str name, flag, int bit) except -1:
    if flag is True:
        return bit
    if flag is False:
        return 0
    raise TypeError(f"{name} must be a bool, not {type(flag).__name__}")


cdef int options_from(verify, final, resync=False) except -1:
    return (bit_of("verify", verify, CK_VERIFY) | bit_of("final", final, CK_FINAL)
            | bit_of("resync", resync, CK_RESYNC))


cdef int64_t finish(int code, const ck_error *error, const ck_cursor *at, schema) except -1:
    """Return the number of rows filled, or raise the exception for `error`."""
    if code == CK_OK:
        return at.rows
    raise record_error((error.code, error.offset, error.record, error.field, error.expected,
                        error.actual), schema)


# ---- kernels -------------------------------------------------------------------------------------


def index_records(buffer, cnp.ndarray spans not None, cnp.ndarray cursor not None,
                  verify=True, final=True, resync=False):
    """Find the frames of TFRecord data; see protocol.Backend."""
    cdef uint32_t options = options_from(verify, final, resync)
    cdef Borrowed data = Borrowed(buffer)
    cdef ck_bytes source = bytes_of(data)
    cdef ck_span *rows = <ck_span *>table(spans, "spans", 2)
    cdef ck_cursor *at = cursor_of(cursor)
    cdef size_t capacity = cnp.PyArray_DIM(spans, 0)
    cdef ck_error error
    cdef int code
    with nogil:
        code = ck_index_records(source, rows, capacity, options, at, &error)
    return finish(code, &error, at, b"")


def decode_examples(buffer, schema, cnp.ndarray arena not None, cnp.ndarray columns not None,
                    cnp.ndarray cursor not None, max_records, verify=True,
                    final=True):
    """Decode records into columns; see protocol.Backend."""
    cdef int64_t limit = PyLong_AsLongLong(max_records)
    cdef uint32_t options = options_from(verify, final)
    cdef Borrowed data = Borrowed(buffer), fields = Borrowed(schema)
    cdef ck_bytes source = bytes_of(data)
    cdef ck_batch batch = batch_of(fields, arena, columns, limit)
    cdef ck_cursor *at = cursor_of(cursor)
    cdef ck_error error
    cdef int code
    with nogil:
        code = ck_decode_examples(source, &batch, options, at, &error)
    return finish(code, &error, at, schema)


def gather_examples(buffer, cnp.ndarray spans not None, schema, cnp.ndarray arena not None,
                    cnp.ndarray columns not None, cnp.ndarray cursor not None, verify=True):
    """Decode records in any order into columns; see protocol.Backend."""
    cdef uint32_t options = options_from(verify, True)
    cdef Borrowed data = Borrowed(buffer), fields = Borrowed(schema)
    cdef ck_bytes source = bytes_of(data)
    cdef ck_span *wanted = <ck_span *>table(spans, "spans", 2, writable=False)
    cdef ck_batch batch = batch_of(fields, arena, columns, cnp.PyArray_DIM(spans, 0))
    cdef ck_cursor *at = cursor_of(cursor)
    cdef ck_error error
    cdef int code
    with nogil:
        code = ck_gather_examples(source, wanted, &batch, options, at, &error)
    return finish(code, &error, at, schema)


def decode_fixed(buffer, record_size, cnp.ndarray fields not None,
                 cnp.ndarray arena not None, cnp.ndarray cursor not None, max_records,
                 final=True):
    """Decode fixed-size records into columns; see protocol.Backend."""
    cdef int64_t limit = PyLong_AsLongLong(max_records), size = PyLong_AsLongLong(record_size)
    cdef uint32_t options = options_from(False, final)
    cdef Borrowed data = Borrowed(buffer)
    cdef ck_bytes source = bytes_of(data)
    cdef ck_fixed_field *leaves = <ck_fixed_field *>table(fields, "fields", 5, writable=False)
    cdef ck_fixed_batch batch = ck_fixed_batch(
        size, leaves, cnp.PyArray_DIM(fields, 0), memory_of(arena), limit)
    cdef ck_cursor *at = cursor_of(cursor)
    cdef ck_error error
    cdef int code
    with nogil:
        code = ck_decode_fixed(source, &batch, options, at, &error)
    return finish(code, &error, at, b"")
