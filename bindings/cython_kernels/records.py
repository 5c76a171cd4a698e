"""Records with the kernel of cython_src/tfrecord.pyx.

The tables of a call are checked by the classes of the python binding, and copied, so that nobody
changes them while the kernel relies on them.
"""

from __future__ import annotations

from ffi_cookbook.bindings._glue import records as args
from ffi_cookbook.bindings._glue.arrays import byte_view, int64
from ffi_cookbook.bindings._glue.framing import Cursor, Fault
from ffi_cookbook.bindings.cython_kernels import tfrecord
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Uint8Array
from ffi_cookbook.bindings.python.arena import Table

LENGTHS = [3, 6]  # the members of a ck_column that a call changes


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
    max_records, error = int64(max_records), None
    with byte_view("buffer", buffer).data as view, byte_view("schema", schema).data as names:
        arrays = args.check_examples(arena, columns, cursor, verify=verify, final=final)
        arena, columns, cursor = arrays
        args.refuse_overlap(buffer=view, schema=names, arena=arena, columns=columns, cursor=cursor)
        schema, memory = bytes(names), arena.reshape(-1)
        table, state = columns.copy(), cursor.copy()
        try:
            Table(schema, memory, table, max_records, Cursor(state, len(view), max_records).rows)
            found = tfrecord.decode(view, schema, memory, table, state, max_records, verify, final)
            if found:
                raise Fault(*found)
        except Fault as fault:
            error = fault.exception(state, schema)
        cursor[:], columns[:, LENGTHS] = state, table[:, LENGTHS]
    if error:
        raise error
    return int(cursor[3])
