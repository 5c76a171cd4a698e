"""Record decoding with NumPy: what can be an array operation, and what cannot.

Shows:  fixed layouts as strided views, a whole column in one assignment; checksums as table lookups
        over blocks (crc.py).
Build:  pip install numpy.
Bites:  frames are a chain: where a record begins is known only when the one before has been read,
        so that loop stays in Python. Protobuf is nothing but such chains, which is why this binding
        has no decode_examples: it would be the python binding again. An array over the caller's
        memory pins it, so a fault is raised where no such array is alive.
"""

from __future__ import annotations

import numpy as np

from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings._glue.crc import crc32c, find_header
from ffi_cookbook.bindings._glue.fixed import read_leaves
from ffi_cookbook.bindings._glue.framing import Cursor, Fault
from ffi_cookbook.bindings._glue.framing import index_records as _index_records
from ffi_cookbook.bindings._glue.records import checked, refuse_overlap
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Uint8Array

# ---- index ------------------------------------------------------------------------------------


def index_records(
    buffer: Buffer,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
    final: bool = True,
    resync: bool = False,
) -> int:
    """Find the frames of TFRecord data; see protocol.Backend."""
    return _index_records(
        buffer, spans, cursor, verify, final, resync, crc32c=crc32c, find_header=find_header
    )


# ---- fixed layouts ----------------------------------------------------------------------------


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
    with byte_view("buffer", buffer).data as view:
        fields, arena, cursor = checked(fields=fields, arena=arena, cursor=cursor, final=final)
        refuse_overlap(buffer=view, fields=fields, arena=arena, cursor=cursor)
        try:
            _fixed(view, record_size, fields, arena, cursor, max_records)
            left = len(view) - int(cursor[1])
            if final and cursor[3] < max_records and left:
                raise Fault(Code.FIXED_REMAINDER, int(cursor[1]), record_size, left)
            return int(cursor[3])
        except Fault as fault:
            error = fault.exception(cursor)
    raise error


def _fixed(
    view: memoryview,
    record_size: int,
    fields: Int64Array,
    arena: Uint8Array,
    cursor: Int64Array,
    max_records: int,
) -> None:
    state = Cursor(cursor, len(view), max_records)
    leaves = read_leaves(fields, record_size, arena, max_records)
    position, row = state.position, state.rows
    rows = min((len(view) - position) // record_size, max_records - row)
    for offset, unit, count, swap, column in leaves if rows else ():
        native, shape = np.dtype(f"u{unit}"), (rows, count)
        stored = native.newbyteorder() if swap else native
        source = np.ndarray(shape, stored, view, position + offset, (record_size, unit))
        np.ndarray(shape, native, arena, column + row * count * unit)[:] = source
    cursor[1:] += (rows * record_size, rows, rows)
