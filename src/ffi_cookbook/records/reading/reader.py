"""Reading TFRecord files of tf.train.Example, batch by batch, in bounded memory."""

from __future__ import annotations

import operator
from collections.abc import Generator, Iterator

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings._glue.sharing import Shared
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.bindings.protocol import Backend
from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.reading.cursor import START, Cursor, Position, checked_start
from ffi_cookbook.records.reading.decoder import Decoder
from ffi_cookbook.records.reading.inflate import Compression
from ffi_cookbook.records.reading.missing_features import EARLY, Missing, Presence
from ffi_cookbook.records.reading.source import CHUNK, check_options, open_source
from ffi_cookbook.records.reading.sources import Sources, find
from ffi_cookbook.records.reading.window import Damage
from ffi_cookbook.records.recovery.losses import Report
from ffi_cookbook.records.recovery.recovery import OnError, Recovery

_ROWS = 4096  # rows of a batch when no size is given


def read(
    source: Sources,
    schema: Schema,
    *,
    start: Position = START,
    backend: str | Backend | None = None,
    batch_size: int | None = None,
    verify: bool = True,
    compression: Compression = "infer",
    on_error: OnError = "raise",
    missing: Missing = "error",
    report: Report | None = None,
    reuse: bool = False,
    chunk_size: int = CHUNK,
) -> Iterator[Batch]:
    """Return an iterator over the records of some files, as batches of columns.

    Args:
        source: a path, a URL, a binary file object, a buffer that holds the file; a pattern
            ("train-*.tfrecord", "data/**/*.gz") for the files that match, in sorted order; or an
            iterable of these, read one after the other. A batch never crosses from one file to the
            next.
        schema: the features to decode.
        start: where to begin: the `end` of a batch of the same files, to continue after it. A list
            is accepted too, since JSON turns a Position into one.
        backend: a binding, or its name; None takes the fastest one that is available.
        batch_size: the number of records in a batch; the last batch of a file may have fewer. None:
            4096, or fewer if their values would take more than about 64 MB.
        verify: check both CRCs of every record.
        compression: "gzip", "zlib", None, or "infer" to infer it from the first bytes.
        on_error: what to do about a bad record. "raise" raises RecordError after a batch of the
            good records before it. "skip" drops the record, but raises if its length is damaged,
            because the start of the next one is then unknown. "resync" then looks for the next
            record byte by byte, and never raises RecordError. With both, the next file follows
            where a file is cut short, or the stream of a compressed one is damaged.
        missing: what to do about a feature that no record has and that is ragged, a feature list or
            has a default. "error" (except for a schema that `Schema.infer` found) warns when the
            first 1000 records lack it, and raises when all files have been read from their
            beginning, in place of the last batch. "warn" warns in both places. "allow" leaves the
            column empty.
        report: receives the dropped byte ranges and their errors.
        reuse: decode every batch into the same memory. This is faster, but a batch, and everything
            that shares its memory, is valid only until the next one is requested.
        chunk_size: the number of bytes read at a time. Memory is bounded by it, the largest record
            and one batch.

    Raises:
        FileNotFoundError: there is no such file, or a pattern matches nothing.
        ValueError: `start` is not a place in these files, or no record has some feature.
        RecordError: the data is bad; `path` and `byte_offset` say where in the (decompressed) file.
        EOFError: a compressed file was cut short.
        zlib.error: a compressed file is damaged.
    """
    if not isinstance(schema, Schema):
        raise TypeError(f"schema must be a Schema, not {type(schema).__name__}")
    rows = _ROWS if batch_size is None else operator.index(batch_size)
    if not 1 <= rows < 2**62:
        raise ValueError(f"batch_size must be at least 1, and below 2**62, not {rows}")
    check_options(compression, on_error, chunk_size)
    if missing not in ("error", "warn", "allow"):
        raise ValueError(f"missing must be 'error', 'warn' or 'allow', not {missing!r}")
    shards = find(source).sources
    begin = checked_start(start, len(shards))
    presence = Presence(schema) if missing != "allow" and not schema.found else None
    recovery = Recovery(open_backend(backend), verify, on_error, report)
    bounded = batch_size is None
    decoder = Decoder(schema, recovery.backend, rows, verify, presence, by_bytes=bounded)

    def batches() -> Generator[Batch, None, None]:
        for shard in range(begin.shard, len(shards)):
            first = begin if shard == begin.shard else Position(shard)
            cursor = Cursor(first.record)
            with open_source(shards[shard], compression, chunk_size) as window:
                window.skip_to(cursor, first.byte_offset)
                while True:
                    fault: Exception | None
                    fault, full = decoder.fill(window, cursor)
                    if not (fault or full or window.final) and not (
                        fault := window.next_record(cursor)
                    ):
                        continue
                    end = Position(shard, cursor.offset, cursor.record)
                    n = cursor.rows
                    if fault:
                        try:
                            recovery.recover(window, cursor, fault)
                        except (RecordError, *Damage):
                            if n:
                                yield decoder.arena.batch(n, end)
                            raise
                        continue
                    if presence and presence.absent and (begin == START or missing == "warn"):
                        at_end = window.final and not full and shard == len(shards) - 1
                        presence.warn(1 if at_end and missing == "warn" else EARLY)
                        if at_end and missing == "error":
                            presence.check()
                    if n:
                        yield decoder.arena.batch(n, end)
                        cursor.rows = 0
                        if not reuse:
                            decoder.arena.renew()
                    if not full:
                        break

    return Shared(batches())
