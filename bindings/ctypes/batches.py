"""The record decoder of the C library: its structs and functions.

Every pointer to the caller's memory is a plain address (c_void_p): an int costs less to pass than
a typed pointer object, and the page checks the memory itself.
"""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char, c_int, c_int64, c_size_t, c_uint32, c_void_p

from ffi_cookbook.bindings.ctypes.error import Error
from ffi_cookbook.bindings.ctypes.library import declare, lib


class Bytes(Structure):
    """ck_bytes."""

    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class Batch(Structure):
    """ck_batch; it keeps alive the arrays that its pointers point to."""

    _fields_ = [
        ("schema", Bytes),
        ("arena", POINTER(c_char)),
        ("arena_size", c_size_t),
        ("columns", POINTER(c_char)),
        ("n_columns", c_size_t),
        ("max_records", c_int64),
    ]


class FixedBatch(Structure):
    """ck_fixed_batch."""

    _fields_ = [
        ("record_size", c_int64),
        ("fields", c_void_p),
        ("n_fields", c_size_t),
        ("arena", POINTER(c_char)),
        ("arena_size", c_size_t),
        ("max_records", c_int64),
    ]


_END = (c_uint32, c_void_p, POINTER(Error))  # options, cursor, error
ck_index_records = declare(lib, "ck_index_records", c_int, Bytes, c_void_p, c_size_t, *_END)
ck_decode_examples = declare(lib, "ck_decode_examples", c_int, Bytes, POINTER(Batch), *_END)
ck_gather_examples = declare(
    lib, "ck_gather_examples", c_int, Bytes, c_void_p, POINTER(Batch), *_END
)
ck_decode_fixed = declare(lib, "ck_decode_fixed", c_int, Bytes, POINTER(FixedBatch), *_END)
