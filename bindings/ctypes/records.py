"""Record decoding through ctypes.

Shows:  any bytes-like object borrowed through the buffer protocol; writable int64 tables as ctypes
        arrays over their memory, at a quarter of the cost of asking for its address; an error
        struct filled by C and turned into an exception.
Build:  nothing but the shared library.
Bites:  the ctypes array holds the buffer, an address does not: keep the array in a variable until
        the call has returned, and then delete it, since an exception's traceback would keep it
        alive, and so the caller's buffer. Borrow the buffer first, since its __buffer__ can run
        code that reshapes the tables.
"""

from __future__ import annotations

from ctypes import POINTER, Structure, byref, c_char, c_int, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any

from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings._glue.records import checked
from ffi_cookbook.bindings.ctypes.library import Error, declare, lib, memory
from ffi_cookbook.bindings.errors import record_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Uint8Array

# ---- the C library -------------------------------------------------------------------------
# Every pointer to the caller's memory is a plain address (c_void_p): an int costs less to pass than
# a typed pointer object, and the page checks the memory itself.


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

VERIFY, FINAL, RESYNC = 1, 2, 4

# ---- arguments -----------------------------------------------------------------------------


def _options(verify: bool, final: bool, resync: bool = False) -> int:
    options = (VERIFY if verify else 0) | (FINAL if final else 0)
    return options | (RESYNC if resync else 0)


def _batch(schema: Uint8Array, arena: Uint8Array, columns: Int64Array, max_records: int) -> Batch:
    names = Bytes(schema.ctypes.data, schema.size)
    return Batch(names, memory(arena), arena.size, memory(columns), len(columns), max_records)


def _finish(error: Error, cursor: Int64Array, schema: Any = None) -> int:
    if error.code:
        raise record_error(error.values(), schema)
    return cursor.item(3)


# ---- kernels -------------------------------------------------------------------------------


def index_records(
    buffer: Buffer,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
    final: bool = True,
    resync: bool = False,
) -> int:
    """Find the frames of TFRecord data; see protocol.Backend."""
    error, data = Error(), byte_view("buffer", buffer)
    try:
        spans, cursor = checked(
            spans=spans, cursor=cursor, verify=verify, final=final, resync=resync
        )
        options, file = _options(verify, final, resync), Bytes(data.ctypes.data, data.size)
        state = memory(cursor)
        ck_index_records(file, memory(spans), len(spans), options, state, byref(error))
    finally:
        del data
    return _finish(error, cursor)


def decode_examples(
    buffer: Buffer,
    schema: bytes,
    arena: Uint8Array,
    columns: Int64Array,
    cursor: Int64Array,
    max_records: int,
    verify: bool = True,
    final: bool = True,
) -> int:
    """Decode records into columns; see protocol.Backend."""
    max_records = int64(max_records)
    error, data, names = Error(), byte_view("buffer", buffer), byte_view("schema", schema)
    try:
        arena, columns, cursor = checked(
            arena=arena, columns=columns, cursor=cursor, verify=verify, final=final
        )
        batch = _batch(names, arena, columns, max_records)
        options, file = _options(verify, final), Bytes(data.ctypes.data, data.size)
        ck_decode_examples(file, byref(batch), options, memory(cursor), byref(error))
    finally:
        del data, names
    return _finish(error, cursor, schema)


def gather_examples(
    buffer: Buffer,
    spans: Int64Array,
    schema: bytes,
    arena: Uint8Array,
    columns: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
) -> int:
    """Decode records in any order into columns; see protocol.Backend."""
    error, data, names = Error(), byte_view("buffer", buffer), byte_view("schema", schema)
    try:
        spans, arena, columns, cursor = checked(
            spans=spans, arena=arena, columns=columns, cursor=cursor, verify=verify
        )
        batch, rows = _batch(names, arena, columns, len(spans)), spans.ctypes.data
        options, file = _options(verify, True), Bytes(data.ctypes.data, data.size)
        ck_gather_examples(file, rows, byref(batch), options, memory(cursor), byref(error))
    finally:
        del data, names
    return _finish(error, cursor, schema)


def decode_fixed(
    buffer: Buffer,
    record_size: int,
    fields: Int64Array,
    arena: Uint8Array,
    cursor: Int64Array,
    max_records: int,
    final: bool = True,
) -> int:
    """Decode fixed-size records into columns; see protocol.Backend."""
    record_size, max_records = int64(record_size), int64(max_records)
    error, data = Error(), byte_view("buffer", buffer)
    try:
        fields, arena, cursor = checked(fields=fields, arena=arena, cursor=cursor, final=final)
        leaves, room = fields.ctypes.data, memory(arena)
        batch = FixedBatch(record_size, leaves, len(fields), room, arena.size, max_records)
        options, file = _options(False, final), Bytes(data.ctypes.data, data.size)
        ck_decode_fixed(file, byref(batch), options, memory(cursor), byref(error))
    finally:
        del data
    return _finish(error, cursor)
