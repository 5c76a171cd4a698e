"""Record decoding with NumPy: what can be an array operation, and what cannot.

Shows:  fixed layouts as strided views, a whole column in one assignment; checksums as table lookups
        over blocks (crc.py).
Build:  pip install numpy.
Bites:  frames are a chain: where a record begins is known only when the one before has been read,
        so that loop stays in Python. Protobuf is nothing but such chains, which is why this binding
        has no decode_examples: it would be the python binding again. An array over the caller's
        memory pins it, so the kernels return their fault, and no array is left when it is raised.
"""

from __future__ import annotations

import numpy as np

from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings._glue.crc import crc32c, find_header
from ffi_cookbook.bindings._glue.records import check_fixed, check_index, refuse_overlap
from ffi_cookbook.bindings._glue.search import Search
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.numpy.framing import FOOTER, HEADER, Fault, is_sane, next_frame
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
    with byte_view("buffer", buffer).data as view:
        spans, cursor = check_index(spans, cursor, verify=verify, final=final, resync=resync)
        refuse_overlap(buffer=view, spans=spans, cursor=cursor)
        fault = _index(view, spans, cursor, verify, final, resync)
    if fault:
        raise fault.exception(cursor)
    return int(cursor[3])


def _index(
    view: memoryview,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool,
    final: bool,
    resync: bool,
) -> Fault | None:
    if not is_sane(cursor, len(view), len(spans)):
        return Fault(Code.ARGUMENT)
    base, position, record, rows = cursor.tolist()
    search = Search(view, position, final, crc32c, find_header)
    while rows < len(spans):
        if resync:
            size, fault = search.next_good(), None
            position = search.position
        else:
            size, fault = next_frame(view, position, verify, final)
        if size is not None:
            spans[rows] = base + position + HEADER, size
            position += HEADER + size + FOOTER
            record, rows, search.position = record + 1, rows + 1, position
        cursor[:] = base, position, record, rows
        if size is None:
            return fault
    return None


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
        fields, arena, cursor = check_fixed(fields, arena, cursor, final=final)
        refuse_overlap(buffer=view, fields=fields, arena=arena, cursor=cursor)
        fault = _fixed(view, record_size, fields.tolist(), arena, cursor, max_records)
        left = len(view) - int(cursor[1])
    if not fault and final and cursor[3] < max_records and left:
        fault = Fault(Code.FIXED_REMAINDER, int(cursor[1]), record_size, left)
    if fault:
        raise fault.exception(cursor)
    return int(cursor[3])


def _fixed(
    view: memoryview,
    record_size: int,
    leaves: list[list[int]],
    arena: Uint8Array,
    cursor: Int64Array,
    max_records: int,
) -> Fault | None:
    misaligned = arena.size and arena.ctypes.data % 8
    if record_size < 1 or misaligned or not is_sane(cursor, len(view), max_records):
        return Fault(Code.ARGUMENT)
    taken = 0  # the end of the columns so far: no two of them share bytes
    for offset, unit, count, _, column in leaves:
        if (
            unit not in (1, 2, 4, 8)
            or min(offset, count) < 0
            or column < taken
            or offset + unit * count > record_size
            or column % 8
            or column + unit * count * max_records > arena.size
        ):
            return Fault(Code.ARGUMENT)
        taken = column + unit * count * max_records

    _, position, _, row = cursor.tolist()
    rows = min((len(view) - position) // record_size, max_records - row)
    for offset, unit, count, swap, column in leaves if rows else ():
        native, shape = np.dtype(f"u{unit}"), (rows, count)
        stored = native.newbyteorder() if swap else native
        source = np.ndarray(shape, stored, view, position + offset, (record_size, unit))
        np.ndarray(shape, native, arena, column + row * count * unit)[:] = source
    cursor[1:] += (rows * record_size, rows, rows)
    return None
