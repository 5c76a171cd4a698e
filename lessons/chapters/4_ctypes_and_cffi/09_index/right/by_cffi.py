"""The solution with cffi in ABI mode: the header's structs, and buffers as arrays of them."""

from pathlib import Path

import numpy as np
from cffi import FFI

ffi = FFI()
ffi.cdef("""
    typedef struct { int64_t offset, size; } frames_span;
    typedef struct { int64_t base, position, record, rows; } frames_cursor;
    typedef struct { int64_t code, record, offset; } frames_error;
    int frames_index(const uint8_t *, size_t, frames_span *, size_t, uint32_t, frames_cursor *,
                     frames_error *);
""")
lib = ffi.dlopen(str(Path(__file__).with_name("libframes.so")))


def index_records(buffer, spans, cursor, verify=True, final=True, resync=False):
    if resync:
        raise NotImplementedError
    for array in (spans, cursor):
        if not isinstance(array, np.ndarray) or array.dtype != "i8":
            raise TypeError("an int64 array is needed")
    if spans.ndim != 2 or spans.shape[1] != 2 or cursor.shape != (4,):
        raise ValueError("spans must have shape (n, 2), cursor (4,)")
    if not (spans.flags.c_contiguous and cursor.flags.c_contiguous):
        raise ValueError("the arrays must be C-contiguous")
    if not (spans.flags.writeable and cursor.flags.writeable):
        raise ValueError("the arrays must be writable")
    error = ffi.new("frames_error *")
    rows = ffi.from_buffer("frames_span[]", spans, require_writable=True)
    state = ffi.from_buffer("frames_cursor[]", cursor, require_writable=True)
    with ffi.from_buffer("uint8_t[]", buffer) as data:
        lib.frames_index(data, len(data), rows, len(rows), verify + 2 * final, state, error)
    if error.code != 0:
        raise ValueError(f"record {error.record} at byte {error.offset}: fault {error.code}")
    return state[0].rows
