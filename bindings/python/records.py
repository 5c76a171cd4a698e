"""Record decoding in plain Python: docs/records.md, line by line.

Shows:  the four functions of the records interface, over crc.py, wire.py (protobuf), example.py
        (features) and arena.py (columns). Frames are in _glue/framing.py, the checks of a fixed
        layout in _glue/fixed.py.
Build:  nothing to build.
Bites:  it is slow: every byte becomes an int. An exception keeps alive the stack frames it passed
        and the views they hold: so `with` releases views, and the exception is raised outside
        `except`.
"""

from __future__ import annotations

from ffi_cookbook.bindings._glue import records as args
from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings._glue.fixed import Leaf, read_leaves
from ffi_cookbook.bindings._glue.framing import Cursor, Fault, Frame, next_frame
from ffi_cookbook.bindings._glue.framing import index_records as _index_records
from ffi_cookbook.bindings._glue.search import FOOTER, HEADER
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Uint8Array
from ffi_cookbook.bindings.python.arena import Table
from ffi_cookbook.bindings.python.crc import crc32c, find_header

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


# ---- examples ---------------------------------------------------------------------------------


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
    with byte_view("buffer", buffer).data as view, byte_view("schema", schema).data as names:
        arena, columns, cursor = args.checked(
            arena=arena, columns=columns, cursor=cursor, verify=verify, final=final
        )
        args.refuse_overlap(buffer=view, schema=names, arena=arena, columns=columns, cursor=cursor)
        schema = bytes(names)
        try:
            state = Cursor(cursor, len(view), max_records)
            table = Table(schema, arena, columns, max_records, state.rows)
            while state.rows < max_records:
                frame = next_frame(view, state.position, verify, final, crc32c)
                if frame is None:
                    break
                table.append(view, state.base, frame, state.rows)
                state.advance(frame.end + FOOTER - state.position)
            return state.rows
        except Fault as fault:
            error = fault.exception(cursor, schema)
    raise error


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
    with byte_view("buffer", buffer).data as view, byte_view("schema", schema).data as names:
        spans, arena, columns, cursor = args.checked(
            spans=spans, arena=arena, columns=columns, cursor=cursor, verify=verify
        )
        args.refuse_overlap(
            buffer=view, schema=names, arena=arena, columns=columns, cursor=cursor, spans=spans
        )
        schema = bytes(names)
        try:
            state = Cursor(cursor, len(view), len(spans))
            table = Table(schema, arena, columns, len(spans), state.rows)
            while state.rows < len(spans):
                frame = _frame_of_span(view, state.base, *spans[state.rows].tolist(), verify)
                table.append(view, state.base, frame, state.rows)
                state.fill_row()
            return state.rows
        except Fault as fault:
            error = fault.exception(cursor, schema, record=int(cursor[3]))
    raise error


def _frame_of_span(view: memoryview, base: int, offset: int, size: int, verify: bool) -> Frame:
    """Return the record whose data lies at `offset` of the file, according to an index."""
    position = offset - base - HEADER
    if position < 0:
        raise Fault(Code.ARGUMENT, 0)
    frame = next_frame(view, position, verify, True, crc32c) if position < len(view) else None
    if frame is None:
        raise Fault(Code.TRUNCATED_HEADER, position, HEADER, 0)
    if frame.end - frame.start != size:
        raise Fault(Code.STALE_INDEX, position, size, frame.end - frame.start)
    return frame


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
        fields, arena, cursor = args.checked(fields=fields, arena=arena, cursor=cursor, final=final)
        args.refuse_overlap(buffer=view, fields=fields, arena=arena, cursor=cursor)
        memory = arena.reshape(-1).data
        try:
            state = Cursor(cursor, len(view), max_records)
            leaves = read_leaves(fields, record_size, arena, max_records)
            while state.rows < max_records:
                if (left := len(view) - state.position) < record_size:
                    if left and final:
                        raise Fault(Code.FIXED_REMAINDER, state.position, record_size, left)
                    break
                for leaf in leaves:
                    _copy(leaf, view, state.position, memory, state.rows)
                state.advance(record_size)
            return state.rows
        except Fault as fault:
            error = fault.exception(cursor)
    raise error


def _copy(leaf: Leaf, view: memoryview, position: int, memory: memoryview, row: int) -> None:
    """Copy the scalars of the record at `position` to row `row`."""
    for u in range(leaf.units):
        start = position + leaf.offset + u * leaf.unit
        scalar = bytes(view[start : start + leaf.unit])
        at = leaf.column + (row * leaf.units + u) * leaf.unit
        memory[at : at + leaf.unit] = scalar[::-1] if leaf.swap else scalar
