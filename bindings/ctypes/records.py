"""Record decoding through ctypes.

Shows:  any bytes-like object borrowed through the buffer protocol; int64 tables as arrays made of
        their memory, where it can be written to, which costs a quarter of asking for its address;
        an error struct filled by C and turned into an exception.
Build:  nothing but the shared library.
Bites:  what holds a buffer is the array made of it: keep it in a variable until the call has
        returned, an address keeps nothing alive, and then delete it, for an exception's traceback
        would keep it, and so the caller's buffer. Borrow it first, since its __buffer__ can run
        code that reshapes the tables.
"""

from __future__ import annotations

from ctypes import byref, c_char
from typing import Any

from bindings.checks import byte_view, int64
from bindings.ctypes.library import Error, lib
from bindings.errors import record_error
from bindings.protocol import Buffer, Int64Array, Uint8Array
from bindings.record_arguments import (
    check_examples,
    check_fixed,
    check_gather,
    check_index,
)

VERIFY, FINAL, RESYNC = 1, 2, 4

memory = (c_char * 0).from_buffer  # of no length, so that it takes any, and C is told anyhow

# ---- arguments -----------------------------------------------------------------------------


def _options(verify: bool, final: bool, resync: bool = False) -> int:
    options = (VERIFY if verify else 0) | (FINAL if final else 0)
    return options | (RESYNC if resync else 0)


def _finish(error: Error, cursor: Int64Array, schema: Any = None) -> int:
    if error.code:
        raise record_error(error.values(), schema)
    return int(cursor[3])


# ---- kernels -------------------------------------------------------------------------------


def index_records(
    buffer: Buffer,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
    final: bool = True,
    resync: bool = False,
) -> int:
    """Find the frames of TFRecord data; see bindings.protocol.Backend."""
    error, data = Error(), byte_view("buffer", buffer)
    try:
        spans, cursor = check_index(spans, cursor, verify=verify, final=final, resync=resync)
        lib.ck_index_records(
            *(data.ctypes.data, data.size, memory(spans), len(spans)),
            *(_options(verify, final, resync), memory(cursor), byref(error)),
        )
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
    """Decode records into columns; see bindings.protocol.Backend."""
    max_records = int64(max_records)
    error, data, names = Error(), byte_view("buffer", buffer), byte_view("schema", schema)
    try:
        arena, columns, cursor = check_examples(arena, columns, cursor, verify=verify, final=final)
        lib.ck_decode_examples(
            *(data.ctypes.data, data.size, names.ctypes.data, names.size),
            *(memory(arena), arena.size, memory(columns), len(columns), max_records),
            *(_options(verify, final), memory(cursor), byref(error)),
        )
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
    """Decode records in any order into columns; see bindings.protocol.Backend."""
    error, data, names = Error(), byte_view("buffer", buffer), byte_view("schema", schema)
    try:
        spans, arena, columns, cursor = check_gather(spans, arena, columns, cursor, verify=verify)
        lib.ck_gather_examples(
            *(data.ctypes.data, data.size, spans.ctypes.data, len(spans)),
            *(names.ctypes.data, names.size, memory(arena), arena.size),
            *(memory(columns), len(columns), _options(verify, True)),
            *(memory(cursor), byref(error)),
        )
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
    """Decode fixed-size records into columns; see bindings.protocol.Backend."""
    record_size, max_records = int64(record_size), int64(max_records)
    error, data = Error(), byte_view("buffer", buffer)
    try:
        fields, arena, cursor = check_fixed(fields, arena, cursor, final=final)
        lib.ck_decode_fixed(
            *(data.ctypes.data, data.size, record_size, fields.ctypes.data, len(fields)),
            *(memory(arena), arena.size, max_records, _options(False, final)),
            *(memory(cursor), byref(error)),
        )
    finally:
        del data
    return _finish(error, cursor)
