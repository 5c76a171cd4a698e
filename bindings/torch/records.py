"""Record decoding through torch.

Shows:  operators that fill the caller's tensors; an error that comes back as a tensor of six
        integers, so that a compiled program can continue and check it later.
Build:  bindings/torch/records.cpp.
Bites:  reading a number out of a tensor (tolist, item, int) ends what torch.compile can trace: it
        is done here, around the op, and not within. An exception's traceback would keep a tensor in
        a variable alive, and so the caller's buffer: delete it. A buffer is borrowed first, since
        its __buffer__ can run code that reshapes the tables.
"""

from __future__ import annotations

from typing import Any

import torch

from ffi_cookbook.bindings._glue.arrays import int64
from ffi_cookbook.bindings._glue.records import (
    check_examples,
    check_fixed,
    check_gather,
    check_index,
)
from ffi_cookbook.bindings.errors import record_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Uint8Array
from ffi_cookbook.bindings.torch.library import borrowed, borrowed_bytes, on_arrays, ops

# ---- arguments -----------------------------------------------------------------------------


def _finish(error: torch.Tensor, cursor: Int64Array, schema: Any = None) -> int:
    values = error.tolist()
    if values[0]:
        raise record_error(values, schema)
    return int(cursor[3])


# ---- kernels -------------------------------------------------------------------------------

_index_records = on_arrays(ops.index_records.default)
_decode_examples = on_arrays(ops.decode_examples.default)
_gather_examples = on_arrays(ops.gather_examples.default)
_decode_fixed = on_arrays(ops.decode_fixed.default)


def index_records(
    buffer: Buffer,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
    final: bool = True,
    resync: bool = False,
) -> int:
    """Find the frames of TFRecord data; see protocol.Backend."""
    data = borrowed_bytes("buffer", buffer)
    try:
        spans, cursor = check_index(spans, cursor, verify=verify, final=final, resync=resync)
        error = _index_records(
            data, borrowed(spans), borrowed(cursor), verify=verify, final=final, resync=resync
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
    """Decode records into columns; see protocol.Backend."""
    max_records = int64(max_records)
    data, names = borrowed_bytes("buffer", buffer), borrowed_bytes("schema", schema)
    try:
        arena, columns, cursor = check_examples(arena, columns, cursor, verify=verify, final=final)
        error = _decode_examples(
            data,
            names,
            borrowed(arena),
            borrowed(columns),
            borrowed(cursor),
            max_records,
            verify=verify,
            final=final,
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
    """Decode records in any order into columns; see protocol.Backend."""
    data, names = borrowed_bytes("buffer", buffer), borrowed_bytes("schema", schema)
    try:
        spans, arena, columns, cursor = check_gather(spans, arena, columns, cursor, verify=verify)
        error = _gather_examples(
            data,
            borrowed(spans),
            names,
            borrowed(arena),
            borrowed(columns),
            borrowed(cursor),
            verify=verify,
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
    """Decode fixed-size records into columns; see protocol.Backend."""
    record_size, max_records = int64(record_size), int64(max_records)
    data = borrowed_bytes("buffer", buffer)
    try:
        fields, arena, cursor = check_fixed(fields, arena, cursor, final=final)
        error = _decode_fixed(
            data,
            record_size,
            borrowed(fields),
            borrowed(arena),
            borrowed(cursor),
            max_records,
            final=final,
        )
    finally:
        del data
    return _finish(error, cursor)
