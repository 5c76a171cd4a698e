"""Records with the kernels of cython_src/tfrecord.pyx.

The tables of a call are checked by the classes of the python binding, and copied, so that nobody
changes them while a kernel relies on them.
"""

from __future__ import annotations

from ffi_cookbook.bindings._glue import records as args
from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings._glue.fixed import read_leaves
from ffi_cookbook.bindings._glue.framing import Cursor, Fault, good_frame
from ffi_cookbook.bindings._glue.search import FOOTER, Search
from ffi_cookbook.bindings.cython_kernels import tfrecord
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Uint8Array
from ffi_cookbook.bindings.python.arena import Table

LENGTHS = [3, 6]  # the members of a ck_column that a call changes


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
        spans, cursor = args.check_index(spans, cursor, verify=verify, final=final, resync=resync)
        args.refuse_overlap(buffer=view, spans=spans, cursor=cursor)
        try:
            state = cursor.copy()
            at = Cursor(state, len(view), len(spans))
            if resync:
                _search(view, spans, at, final)
            elif found := tfrecord.index(view, spans, state, verify, final):
                raise Fault(*found)
            error = None
        except Fault as fault:
            error = fault.exception(state)
        cursor[:] = state
    if error:
        raise error
    return int(state[3])


def _search(view: memoryview, spans: Int64Array, at: Cursor, final: bool) -> None:
    """Fill spans with the good records, which Python searches for, with the CRCs of the kernel."""
    search = Search(view, at.position, final, tfrecord.crc32c, tfrecord.find_header)
    while at.rows < len(spans) and (frame := good_frame(search, at)):
        spans[at.rows] = at.base + frame.start, frame.end - frame.start
        at.advance(frame.end + FOOTER - at.position)


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
        arrays = args.check_examples(arena, columns, cursor, verify=verify, final=final)
        arena, columns, cursor = arrays
        args.refuse_overlap(buffer=view, schema=names, arena=arena, columns=columns, cursor=cursor)
        error = _decode(view, bytes(names), *arrays, max_records, verify, final)
    if error:
        raise error
    return int(cursor[3])


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
        checked = args.check_gather(spans, arena, columns, cursor, verify=verify)
        spans, arena, columns, cursor = checked
        args.refuse_overlap(
            buffer=view, schema=names, arena=arena, columns=columns, cursor=cursor, spans=spans
        )
        error = _decode(view, bytes(names), *checked[1:], len(spans), verify, True, spans)
    if error:
        raise error
    return int(cursor[3])


def _decode(
    view: memoryview,
    schema: bytes,
    arena: Uint8Array,
    columns: Int64Array,
    cursor: Int64Array,
    max_records: int,
    verify: bool,
    final: bool,
    spans: Int64Array | None = None,
) -> Exception | None:
    """Decode records, and return the exception for the first that cannot be decoded."""
    state, table, error = cursor.copy(), columns.copy(), None
    flat = arena.reshape(-1)
    try:
        at = Cursor(state, len(view), max_records)
        Table(schema, flat, table, max_records, at.rows)
        found = tfrecord.decode(view, schema, flat, table, state, max_records, verify, final, spans)
        if found:
            raise Fault(*found)
    except Fault as fault:
        error = fault.exception(state, schema, None if spans is None else int(state[3]))
    cursor[:], columns[:, LENGTHS] = state, table[:, LENGTHS]
    return error


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
    size, max_records = int64(record_size), int64(max_records)
    with byte_view("buffer", buffer).data as view:
        fields, arena, cursor = args.check_fixed(fields, arena, cursor, final=final)
        args.refuse_overlap(buffer=view, fields=fields, arena=arena, cursor=cursor)
        state, leaves, error = cursor.copy(), fields.copy(), None
        try:
            at = Cursor(state, len(view), max_records)
            read_leaves(leaves, size, arena, max_records)
            tfrecord.decode_fixed(view, size, leaves, arena.reshape(-1), state, max_records)
            _, at.position, _, at.rows = state.tolist()
            left = len(view) - at.position
            if final and left and at.rows < max_records:
                raise Fault(Code.FIXED_REMAINDER, at.position, size, left)
        except Fault as fault:
            error = fault.exception(state)
        cursor[:] = state
    if error:
        raise error
    return int(state[3])
