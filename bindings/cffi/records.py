"""Record decoding through cffi, API mode.

Shows:  ffi.from_buffer, which borrows any C-contiguous buffer, read-only or not, and keeps it
        alive; an error struct made by ffi.new, filled by C and turned into an exception.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  a buffer stays exported (a bytearray cannot grow, an mmap cannot close) until the object
        that from_buffer returned is gone, and an exception's traceback can keep that alive: `with`
        releases it at once.
"""

from __future__ import annotations

from typing import Any

from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings._glue.records import checked
from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.errors import record_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Uint8Array

# ---- arguments -----------------------------------------------------------------------------


def _options(verify: bool, final: bool, resync: bool = False) -> int:
    options = (lib.CK_VERIFY if verify else 0) | (lib.CK_FINAL if final else 0)
    return options | (lib.CK_RESYNC if resync else 0)


def _finish(error: Any, cursor: Int64Array, schema: Any = None) -> int:
    if error.code:
        values = (error.offset, error.record, error.field, error.expected, error.actual)
        raise record_error((error.code, *values), schema)
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
    error = ffi.new("ck_error *")
    with ffi.from_buffer("uint8_t[]", byte_view("buffer", buffer)) as data:
        spans, cursor = checked(
            spans=spans, cursor=cursor, verify=verify, final=final, resync=resync
        )
        rows, state = ffi.from_buffer("ck_span[]", spans), ffi.from_buffer("ck_cursor[]", cursor)
        options = _options(verify, final, resync)
        lib.ck_index_records((data, len(data)), rows, len(rows), options, state, error)
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
    error = ffi.new("ck_error *")
    with (
        ffi.from_buffer("uint8_t[]", byte_view("buffer", buffer)) as data,
        ffi.from_buffer("uint8_t[]", byte_view("schema", schema)) as names,
    ):
        arena, columns, cursor = checked(
            arena=arena, columns=columns, cursor=cursor, verify=verify, final=final
        )
        memory, table = ffi.from_buffer("uint8_t[]", arena), ffi.from_buffer("ck_column[]", columns)
        state = ffi.from_buffer("ck_cursor[]", cursor)
        batch = [((names, len(names)), (memory, len(memory)), table, len(table), max_records)]
        lib.ck_decode_examples((data, len(data)), batch, _options(verify, final), state, error)
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
    error = ffi.new("ck_error *")
    with (
        ffi.from_buffer("uint8_t[]", byte_view("buffer", buffer)) as data,
        ffi.from_buffer("uint8_t[]", byte_view("schema", schema)) as names,
    ):
        spans, arena, columns, cursor = checked(
            spans=spans, arena=arena, columns=columns, cursor=cursor, verify=verify
        )
        memory, table = ffi.from_buffer("uint8_t[]", arena), ffi.from_buffer("ck_column[]", columns)
        rows, state = ffi.from_buffer("ck_span[]", spans), ffi.from_buffer("ck_cursor[]", cursor)
        batch = [((names, len(names)), (memory, len(memory)), table, len(table), len(rows))]
        lib.ck_gather_examples((data, len(data)), rows, batch, _options(verify, True), state, error)
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
    error = ffi.new("ck_error *")
    with ffi.from_buffer("uint8_t[]", byte_view("buffer", buffer)) as data:
        fields, arena, cursor = checked(fields=fields, arena=arena, cursor=cursor, final=final)
        memory = ffi.from_buffer("uint8_t[]", arena)
        leaves = ffi.from_buffer("ck_fixed_field[]", fields)
        state = ffi.from_buffer("ck_cursor[]", cursor)
        batch = [(record_size, leaves, len(leaves), (memory, len(memory)), max_records)]
        lib.ck_decode_fixed((data, len(data)), batch, _options(False, final), state, error)
    return _finish(error, cursor)
