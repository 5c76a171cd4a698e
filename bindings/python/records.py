"""Record decoding in plain Python: docs/records.md, line by line.

Shows:  the three functions of the records interface over framing.py (frames and CRCs), wire.py
        (protobuf), example.py (features) and arena.py (columns).
Build:  nothing to build.
Bites:  slow: an int object is made for every byte that is checked or decoded. An exception keeps
        alive the frames it passed, and these the views they hold: so views are released by `with`,
        and the exception is raised where no Fault is its context. Else the caller's bytearray
        could not be resized while the exception lives.
"""

from __future__ import annotations

import operator

from bindings.checks import byte_view, check_examples, check_fixed, check_index
from bindings.errors import Code
from bindings.protocol import Buffer, Int64Array, Uint8Array
from bindings.python.arena import Column, check_part
from bindings.python.example import SchemaField, Values, decode_entry, find_entries, read_schema
from bindings.python.framing import FOOTER, HEADER, Cursor, Fault, Frame, next_frame, step_over

# ---- index ------------------------------------------------------------------------------------


def index_records(
    buffer: Buffer,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
    final: bool = True,
    resync: bool = False,
) -> int:
    """See bindings.protocol.Backend.index_records."""
    check_index(spans, cursor)
    with byte_view("buffer", buffer).data as view:
        try:
            state = Cursor(cursor, len(view), len(spans))
            while state.rows < len(spans):
                try:
                    frame = next_frame(view, state.position, verify or resync, final)
                except Fault as fault:
                    if not resync:
                        raise
                    step = step_over(view, state.position, fault.code, final)
                    if step is None:
                        break
                    state.skip(step)
                    continue
                if frame is None:
                    break
                spans[state.rows] = state.base + frame.start, frame.end - frame.start
                state.advance(frame.end + FOOTER - state.position)
            return state.rows
        except Fault as fault:
            error = fault.exception(cursor)
    raise error


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
    """See bindings.protocol.Backend.decode_examples."""
    check_examples(arena, columns, cursor)
    max_records = operator.index(max_records)
    schema = bytes(byte_view("schema", schema))
    with byte_view("buffer", buffer).data as view:
        try:
            state = Cursor(cursor, len(view), max_records)
            fields = read_schema(schema, len(columns))
            check_part(arena, 0, 0)
            table = zip(columns, fields, strict=True)
            places = [Column(arena, column, field, max_records) for column, field in table]
            if state.rows == 0:
                for place in places:
                    place.clear()
            while state.rows < max_records:
                frame = next_frame(view, state.position, verify, final)
                if frame is None:
                    break
                values = _decode_record(view, frame, fields, places)
                for place, value in zip(places, values, strict=True):
                    place.commit(value, state.rows)
                state.advance(frame.end + FOOTER - state.position)
            return state.rows
        except Fault as fault:
            error = fault.exception(cursor, schema)
    raise error


def _decode_record(
    view: memoryview, frame: Frame, fields: list[SchemaField], places: list[Column]
) -> list[Values]:
    entries = find_entries(view, frame, {field.name for field in fields})
    result = []
    for number, (field, place) in enumerate(zip(fields, places, strict=True)):
        try:
            values = decode_entry(view, frame, entries.get(field.name), field)
            place.check(values, header=frame.start - HEADER)
        except Fault as fault:
            fault.field = number
            raise
        result.append(values)
    return result


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
    """See bindings.protocol.Backend.decode_fixed."""
    check_fixed(fields, arena, cursor)
    record_size, max_records = operator.index(record_size), operator.index(max_records)
    memory = arena.reshape(-1).data
    with byte_view("buffer", buffer).data as view:
        try:
            state = Cursor(cursor, len(view), max_records)
            check_part(arena, 0, 0)
            if record_size < 1:
                raise Fault(Code.ARGUMENT, 0)
            for offset, unit, count, _, column in fields.tolist():
                within = offset >= 0 and count >= 0 and offset + unit * count <= record_size
                if not within or unit not in (1, 2, 4, 8):
                    raise Fault(Code.ARGUMENT, 0)
                check_part(arena, column, unit * count * max_records)
            while state.rows < max_records:
                left = len(view) - state.position
                if left < record_size:
                    if left and final:
                        raise Fault(Code.FIXED_REMAINDER, state.position, record_size, left)
                    break
                for offset, unit, count, swap, column in fields.tolist():
                    for u in range(count):
                        start = state.position + offset + u * unit
                        scalar = bytes(view[start : start + unit])
                        at = column + (state.rows * count + u) * unit
                        memory[at : at + unit] = scalar[::-1] if swap else scalar
                state.advance(record_size)
            return state.rows
        except Fault as fault:
            error = fault.exception(cursor)
    raise error
