"""Reading files of fixed-size records, batch by batch."""

from __future__ import annotations

import operator
from collections.abc import Generator, Iterator

import numpy.typing as npt

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings._glue.sharing import Shared
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Backend
from ffi_cookbook.records.columns.layout import Columns, FixedLayout
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.inflate import Compression
from ffi_cookbook.records.reading.source import CHUNK, open_source
from ffi_cookbook.records.reading.sources import Source


def read_fixed(
    source: Source,
    dtype: FixedLayout | npt.DTypeLike,
    *,
    offset: int = 0,
    count: int | None = None,
    backend: str | Backend | None = None,
    batch_size: int = 65536,
    compression: Compression = None,
    chunk_size: int = CHUNK,
) -> Iterator[Columns]:
    """Return an iterator over the records from byte `offset` on, in batches of columns.

    Args:
        source: a path, a binary file object, or a buffer that holds the file.
        dtype: a numpy structured dtype: packed or padded, nested, any byte order.
        offset: the number of bytes before the first record.
        count: the number of records to read; the bytes after them are not read. None reads to the
            end.
        batch_size: the number of records in a batch.
        backend, compression, chunk_size: as for `read`.

    Raises:
        TypeError: the dtype is not structured, or a field is not plain data (Python objects).
        ValueError: the file ends before `offset`.
        RecordError: the last record is incomplete or there are fewer than `count` (both
            FIXED_REMAINDER).
    """
    if operator.index(batch_size) < 1 or operator.index(chunk_size) < 1:
        raise ValueError("batch_size and chunk_size must be at least 1")
    if operator.index(offset) < 0:
        raise ValueError(f"offset must not be negative: {offset}")
    if count is not None and operator.index(count) < 0:
        raise ValueError(f"count must not be negative: {count}")
    layout = dtype if isinstance(dtype, FixedLayout) else FixedLayout(dtype)
    binding, size = open_backend(backend), layout.dtype.itemsize

    def batches() -> Generator[Columns, None, None]:
        most = batch_size if count is None else min(batch_size, count)
        (memory, table), cursor = layout.arena(most), Cursor()
        with open_source(source, compression, chunk_size) as window:
            window.skip_to(cursor, offset)
            while count is None or cursor.record < count:
                if count is not None:
                    most = min(batch_size, cursor.rows + count - cursor.record)
                try:
                    rows = binding.decode_fixed(
                        window.data, size, table, memory, cursor.array, most, window.final
                    )
                    if count is not None and rows < most and window.final:
                        end = cursor.offset, cursor.record
                        raise RecordError(Code.FIXED_REMAINDER, None, *end, None, size, 0)
                except RecordError as error:
                    raise window.located(error) from None
                if rows == most or (rows and window.ended):
                    yield layout.columns(memory, table, rows)
                    cursor.rows = 0
                    memory, table = layout.arena(most)
                if rows < most:
                    if window.final:
                        return
                    window.advance(cursor)

    return Shared(batches())
