"""Random access: the records that an index tells of, in any order, as one batch."""

from __future__ import annotations

import os
from io import RawIOBase

import numpy as np

from bindings.errors import Code, RecordError
from bindings.opening import open_door
from bindings.protocol import Backend, Int64Array, Uint8Array
from bindings.records.arena import Arena
from bindings.records.batch import Batch, Column
from bindings.records.mapped import MappedFile, is_mapped
from bindings.records.ragged import Ragged
from bindings.records.schema import Schema
from bindings.records.source import Source

_HEADER, _FOOTER = 12, 4


def gather(
    source: Source,
    spans: Int64Array,
    schema: Schema,
    *,
    backend: str | Backend | None = None,
    verify: bool = True,
) -> Batch:
    """The records at `spans`, in that order, as one batch.

        spans = index("train.tfrecord")
        batch = gather("train.tfrecord", spans[rng.permutation(len(spans))[:4096]], schema)

    Args:
        source: a buffer that holds the file (bytes, an array, a view of an mmap), or a path or an
            mmap, of which only these records are read.
        spans: (n, 2), offset and size of each record's data, as `index` gives them.
        schema, backend, verify: as for `read`.

    Raises:
        RecordError: bad data, or (STALE_INDEX and others) a file that has changed since it was
            indexed; `record` is the number of the row.
        ValueError: spans of another shape, or before the first possible record.
    """
    if not isinstance(spans, np.ndarray) or spans.dtype != np.int64:
        raise TypeError("spans must be an int64 array")
    if spans.ndim != 2 or spans.shape[1] != 2:
        raise ValueError(f"spans must have shape (n, 2), not {spans.shape}")
    wanted = np.ascontiguousarray(spans)
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    if path is None and not is_mapped(source):
        return _decode(source, wanted, schema, open_door(backend), verify)
    if (wanted[:, 0] < _HEADER).any():
        raise ValueError("spans and the file contradict each other")
    door = open_door(backend)
    with MappedFile(source) if path is None else open(path, "rb", buffering=0) as file:
        buffer, local = _read(file, wanted)
        try:
            batch = _decode(buffer, local, schema, door, verify)
        except RecordError as error:
            row, offset = error.record, int(wanted[error.record, 0]) - _HEADER
            try:  # it alone, as long as its header says, which the span may not
                header = buffer[local[row, 0] - _HEADER :][:8].tobytes()
                length = min(int.from_bytes(header, "little"), file.seek(0, os.SEEK_END))
                buffer, _ = _read(file, np.array([[offset + _HEADER, length]]))
                _decode(buffer, np.array([[_HEADER, wanted[row, 1]]]), schema, door, verify)
            except RecordError as alone:
                where = path, alone.byte_offset + offset, row, alone.field
                raise RecordError(alone.code, *where, alone.expected, alone.actual) from None
            raise
    _move_spans(batch, wanted[:, 0] - local[:, 0])
    return batch


def _decode(
    buffer: object, spans: Int64Array, schema: Schema, door: Backend, verify: bool
) -> Batch:
    rows = len(spans)
    arena, cursor = Arena(schema, rows), np.zeros(4, np.int64)
    while True:
        try:
            door.gather_examples(
                *(buffer, spans, schema.buffer, arena.memory, arena.table, cursor),
                verify,
            )
            return arena.batch(rows)
        except RecordError as error:
            if error.code not in (Code.CAPACITY, Code.DATA_CAPACITY):
                raise
            arena = arena.grown(error, int(cursor[3]))


def _read(file: RawIOBase, spans: Int64Array) -> tuple[Uint8Array, Int64Array]:
    """The frames of these records, one behind the other, and their spans there. Where the file ends
    within one of them, so does what is read."""
    at_end = file.seek(0, os.SEEK_END)
    sizes = np.clip(spans[:, 1], 0, at_end) + _HEADER + _FOOTER
    if sizes.sum() > at_end:  # records more than once, or spans that claim what is not there
        sizes = np.minimum(sizes, _sizes_in_headers(file, spans))
    ends = np.cumsum(sizes)
    memory = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
    local = np.stack([ends - sizes + _HEADER, spans[:, 1]], axis=1)
    headers = np.minimum(spans[:, 0] - _HEADER, at_end)  # no system seeks as far as an int64
    places = np.stack([headers, ends - sizes, ends], axis=1).tolist()
    for header, start, end in places:
        file.seek(header)
        while start < end and (n := file.readinto(memory.data[start:end])):
            start += n
        if start < end:
            return memory[:start], local
    return memory, local


def _sizes_in_headers(file: RawIOBase, spans: Int64Array) -> Int64Array:
    """The sizes of these records with their frames, as the file itself gives them."""
    sizes = np.empty(len(spans), np.int64)
    for row, start in enumerate(spans[:, 0].tolist()):
        file.seek(start - _HEADER)
        length = int.from_bytes(file.read(8) or b"", "little")
        sizes[row] = min(length, 2**62) + _HEADER + _FOOTER
    return sizes


def _move_spans(batch: Batch, by: Int64Array) -> None:
    """Makes spans within the memory that was decoded spans within the file."""
    for field in batch.schema.fields + batch.schema.sequence:
        if field.kind == "span":
            _move_rows(batch[field.name], by)


def _move_rows(column: Column, by: Int64Array) -> None:
    """Each row by a number of its own."""
    if isinstance(column, Ragged):
        _move_rows(column.values, np.repeat(by, np.diff(column.offsets)))
    elif isinstance(column, np.ndarray):
        column[..., 0] += by.reshape(-1, *[1] * (column.ndim - 2))
