"""Record decoding through torch.

Shows:  operators that fill tensors they are given; an error that comes back as a tensor of six
        integers, so that a compiled program can go on and look at it later.
Build:  bindings/torch/records.cpp.
Bites:  reading a number out of a tensor (tolist, item, int) ends what torch.compile can trace: it
        is done here, around the op, and not within. A tensor in a variable would be kept, and so
        the caller's buffer, by the traceback of an exception: what is lent goes to the op at once.
"""

from __future__ import annotations

import operator
from typing import Any

import torch

from bindings.checks import check_examples, check_fixed, check_gather, check_index
from bindings.errors import record_error
from bindings.protocol import Buffer, Int64Array, Uint8Array
from bindings.torch.library import lend, lend_bytes, ops

# ---- arguments -----------------------------------------------------------------------------


def _int64(value: int) -> int:
    number = operator.index(value)
    if not -(2**63) <= number < 2**63:  # torch would say RuntimeError
        raise OverflowError(f"{number} does not fit in 64 bits")
    return number


def _finish(error: torch.Tensor, cursor: Int64Array, schema: Any = None) -> int:
    values = error.tolist()
    if values[0]:
        raise record_error(values, schema)
    return int(cursor[3])


# ---- kernels -------------------------------------------------------------------------------

_index_records = ops.index_records.default
_decode_examples = ops.decode_examples.default
_gather_examples = ops.gather_examples.default
_decode_fixed = ops.decode_fixed.default


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
    error = _index_records(
        *(lend_bytes("buffer", buffer), lend(spans), lend(cursor)),
        verify=bool(verify),
        final=bool(final),
        resync=bool(resync),
    )
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
    """See bindings.protocol.Backend.decode_examples."""
    check_examples(arena, columns, cursor)
    error = _decode_examples(
        *(lend_bytes("buffer", buffer), lend_bytes("schema", schema)),
        *(lend(arena), lend(columns), lend(cursor), _int64(max_records)),
        verify=bool(verify),
        final=bool(final),
    )
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
    """See bindings.protocol.Backend.gather_examples."""
    check_gather(spans, arena, columns, cursor)
    error = _gather_examples(
        *(lend_bytes("buffer", buffer), lend(spans), lend_bytes("schema", schema)),
        *(lend(arena), lend(columns), lend(cursor)),
        verify=bool(verify),
    )
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
    """See bindings.protocol.Backend.decode_fixed."""
    check_fixed(fields, arena, cursor)
    error = _decode_fixed(
        *(lend_bytes("buffer", buffer), _int64(record_size), lend(fields)),
        *(lend(arena), lend(cursor), _int64(max_records)),
        final=bool(final),
    )
    return _finish(error, cursor)
