"""Reading TFRecord files of tf.train.Example, batch by batch, in bounded memory."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence

import numpy as np

from bindings.errors import Code, RecordError
from bindings.opening import open_door
from bindings.protocol import Backend
from bindings.records.arena import Arena
from bindings.records.batch import Batch
from bindings.records.inflate import Compression
from bindings.records.position import START, Position
from bindings.records.recovery import OnError, Report, check_policy, recover
from bindings.records.schema import Schema
from bindings.records.source import CHUNK, Source, open_source

_TOO_SMALL = (Code.CAPACITY, Code.DATA_CAPACITY)


def read(
    source: Source | Sequence[Source],
    schema: Schema,
    *,
    start: Position = START,
    backend: str | Backend | None = None,
    batch_size: int = 4096,
    verify: bool = True,
    compression: Compression = "infer",
    on_error: OnError = "raise",
    report: Report | None = None,
    reuse: bool = False,
    chunk_size: int = CHUNK,
) -> Iterator[Batch]:
    """The records of a file as batches of `batch_size`, the last one maybe smaller.

    Args:
        source: a path, a URL, a binary file object, a buffer that holds the file; or a list of
            these, read one after the other. A batch never crosses from one file to the next.
        schema: the features to decode.
        start: where to begin: the `end` of a batch of the same files, to go on behind it; also as
            a list, as JSON gives it back.
        backend: a door, or its name; None takes the fastest one that is available.
        batch_size: records a batch.
        verify: whether to check both CRCs of every record.
        compression: "gzip", "zlib", None, or "infer" to tell by the first bytes.
        on_error: what to do about a bad record: "raise"; "skip" it, unless its length is damaged
            (or the file cut short), for then nobody knows where the next one begins; "resync",
            which looks for the next one byte by byte, and never raises RecordError.
        report: gets what was dropped, with the byte ranges and the errors.
        reuse: decode every batch into the same memory. Faster, but a batch, and what shares its
            memory, is only valid until the next one is asked for.
        chunk_size: bytes read at a time. Memory is bounded by it, the largest record and one batch.

    Raises:
        ValueError: a start that is nowhere in these files.
        RecordError: bad data; `path` and `byte_offset` say where in the (decompressed) file.
        EOFError: a compressed file that was cut short.
        zlib.error: a compressed file that is damaged.
    """
    if not isinstance(schema, Schema):
        raise TypeError(f"schema must be a Schema, not {type(schema).__name__}")
    if operator.index(batch_size) < 1 or operator.index(chunk_size) < 1:
        raise ValueError("batch_size and chunk_size must be at least 1")
    check_policy(on_error)
    door, shards = open_door(backend), source if isinstance(source, list | tuple) else [source]
    begin = Position(*map(operator.index, start))
    if min(begin) < 0 or max(begin) >= 2**63 or begin.shard > max(len(shards) - 1, 0):
        raise ValueError(f"{begin} is nowhere in {len(shards)} files")

    def batches() -> Iterator[Batch]:
        arena = Arena(schema, batch_size)
        for shard in range(begin.shard, len(shards)):
            first = begin if shard == begin.shard else Position(shard)
            cursor = np.array([0, 0, first.record, 0])
            with open_source(shards[shard], compression, chunk_size) as window:
                window.skip_to(cursor, first.byte_offset)
                while True:
                    try:
                        rows = door.decode_examples(
                            *(window.data, schema.buffer, arena.memory, arena.table, cursor),
                            *(batch_size, verify, window.final),
                        )
                    except RecordError as error:
                        if error.code in _TOO_SMALL:
                            arena = arena.grown(error, int(cursor[3]))
                        else:
                            recover(door, window, cursor, error, on_error, report)
                        continue
                    if rows == batch_size or (rows and window.final):
                        end = Position(shard, int(cursor[0] + cursor[1]), int(cursor[2]))
                        yield arena.batch(rows, end)
                        cursor[3] = 0
                        arena = arena if reuse else arena.fresh()
                    if rows < batch_size:
                        if window.final:
                            break
                        window.advance(cursor)

    return batches()
