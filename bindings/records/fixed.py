"""Reading files of fixed-size records, batch by batch."""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from bindings.errors import RecordError
from bindings.protocol import Backend
from bindings.records.doors import open_door
from bindings.records.inflate import Compression
from bindings.records.layout import Columns, FixedLayout
from bindings.records.source import CHUNK, Source, open_source


def read_fixed(
    source: Source,
    dtype: FixedLayout | npt.DTypeLike,
    *,
    offset: int = 0,
    backend: str | Backend | None = None,
    batch_size: int = 65536,
    compression: Compression = None,
    chunk_size: int = CHUNK,
) -> Iterator[Columns]:
    """The records from byte `offset` on, as dicts of contiguous columns in native byte order.

    Args:
        source: a path, a binary file object, or a buffer that holds the file.
        dtype: a numpy structured dtype: packed or padded, nested, any byte order.
        offset: the size of what stands before the first record.
        backend: a door, or its name; None takes the fastest one that is available.
        batch_size: records a batch.
        compression: "gzip", "zlib", None, or "infer" to tell by the first bytes.
        chunk_size: bytes read at a time.

    Raises:
        TypeError: the dtype is not structured, or a field is no plain data (Python objects).
        ValueError: the file ends before `offset`.
        RecordError: the last record is incomplete.
    """
    if operator.index(batch_size) < 1 or operator.index(chunk_size) < 1:
        raise ValueError("batch_size and chunk_size must be at least 1")
    if operator.index(offset) < 0:
        raise ValueError(f"offset must not be negative: {offset}")
    layout = dtype if isinstance(dtype, FixedLayout) else FixedLayout(dtype)
    door = open_door(backend)

    def batches() -> Iterator[Columns]:
        (memory, table), cursor = layout.arena(batch_size), np.zeros(4, np.int64)
        with open_source(source, compression, chunk_size) as window:
            window.skip_to(cursor, offset)
            while True:
                try:
                    rows = door.decode_fixed(
                        *(window.data, layout.dtype.itemsize, table, memory, cursor),
                        *(batch_size, window.final),
                    )
                except RecordError as error:
                    raise window.located(error) from None
                if rows == batch_size or (rows and window.final):
                    yield layout.columns(memory, table, rows)
                    cursor[3] = 0
                    memory, table = layout.arena(batch_size)
                if rows < batch_size:
                    if window.final:
                        return
                    window.advance(cursor)

    return batches()
