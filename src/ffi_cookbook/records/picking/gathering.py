"""Random access: the records that an index names, in any order, as one batch."""

from __future__ import annotations

import numpy as np

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.bindings.protocol import Backend, Int64Array
from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.columns.ragged import Column, Ragged
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.picking.frames import groups, opened, read_frames, refuse_compressed
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.decoder import Decoder
from ffi_cookbook.records.reading.missing_features import Presence
from ffi_cookbook.records.reading.source import is_memory
from ffi_cookbook.records.reading.sources import Source, Sources, find, name_of

_HEADER = 12


def gather(
    source: Sources,
    spans: Int64Array,
    schema: Schema,
    *,
    backend: str | Backend | None = None,
    verify: bool = True,
) -> Batch:
    """Return the records at `spans`, in that order, as one batch.

        spans = index("train.tfrecord")
        batch = gather("train.tfrecord", spans[rng.permutation(len(spans))[:4096]], schema)

    Args:
        source: a buffer that holds the file (bytes, an array, a view of an mmap); a path, a URL
            or a binary file that can seek, of which only these records are read; or several of
            these, as for `index`.
        spans: (n, 2), the offset and size of each record's data, or (n, 3), with the number of the
            file before them, as `index` returns them.
        schema, backend, verify: as for `read`. A feature that no record has is an empty column.

    Raises:
        RecordError: the data is bad, or (STALE_INDEX and others) the file has changed since it was
            indexed; `record` is the number of the row.
        ValueError: spans has another shape, or a span lies before the first possible record or
            names a file that is not among the sources; or the file is compressed, which rules out
            random access.
    """
    return gather_rows(source, spans, schema, open_backend(backend), verify, None)


def gather_rows(
    source: Sources,
    spans: Int64Array,
    schema: Schema,
    binding: Backend,
    verify: bool,
    presence: Presence | None,
) -> Batch:
    """Return what `gather` does, and let `presence` look at the records of files."""
    if not isinstance(spans, np.ndarray) or spans.dtype != np.int64:
        raise TypeError("spans must be an int64 array")
    if spans.ndim != 2 or spans.shape[1] not in (2, 3):
        raise ValueError(f"spans must have shape (n, 2) or (n, 3), not {spans.shape}")
    found = find(source)
    wanted = np.ascontiguousarray(spans[:, -2:])
    files = spans[:, 0] if spans.shape[1] == 3 else np.zeros(len(spans), np.int64)
    if spans.shape[1] == 2 and len(found.sources) != 1:
        raise ValueError(
            f"spans must have shape (n, 3), with the number of the file first, to pick from "
            f"{len(found.sources)} files"
        )
    if len(files) and not 0 <= files.min() <= files.max() < len(found.sources):
        raise ValueError(f"spans name a file that is not among the {len(found.sources)}")
    decoder, cursor = Decoder(schema, binding, len(spans), verify, presence), Cursor()
    if len(found.sources) == 1 and is_memory(found.sources[0]):
        if error := decoder.gather(found.sources[0], wanted, cursor):
            refuse_compressed(found.sources[0])
            raise error
        return decoder.arena.batch(cursor.rows)
    if (wanted[:, 0] < _HEADER).any():
        raise ValueError("spans and the file contradict each other")
    local = wanted.copy()
    for start, end in groups(wanted):
        memory, end = read_frames(found.sources, files, wanted, local, start, end)
        if error := decoder.gather(memory, local[:end], cursor):
            one, span = found.sources[int(files[error.record])], wanted[error.record]
            raise _alone(one, span, error, schema, binding, verify)
    batch = decoder.arena.batch(cursor.rows)
    for field in schema.fields + schema.sequence:
        if field.kind == "span":  # within the memory that was decoded, and now within the file
            _move_rows(batch[field.name], wanted[:, 0] - local[:, 0])
    return batch


def _alone(
    source: Source,
    span: Int64Array,
    error: RecordError,
    schema: Schema,
    backend: Backend,
    verify: bool,
) -> RecordError:
    """Return the error that reading the row's record from the whole file gives.

    The record is read up to the length in its header, which the span may contradict.
    """
    (offset, size), row = span.tolist(), error.record
    with opened(source) as file:
        length = int.from_bytes(file.frame(offset, 0)[:8], "little")
        frame = file.frame(offset, length)
    where = name_of(source), offset
    if alone := Decoder(schema, backend, 1, verify).gather(
        frame, np.array([[_HEADER, size]]), Cursor()
    ):
        refuse_compressed(source)
        error, where = alone, (name_of(source), alone.byte_offset + offset - _HEADER)
    return RecordError(error.code, *where, row, error.field, error.expected, error.actual)


def _move_rows(column: Column, by: Int64Array) -> None:
    """Move the spans of each row by a number of its own."""
    if isinstance(column, Ragged):
        _move_rows(column.values, np.repeat(by, np.diff(column.offsets)))
    elif isinstance(column, np.ndarray):
        column[..., 0] += by.reshape(-1, *[1] * (column.ndim - 2))
