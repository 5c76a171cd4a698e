"""The payloads of a TFRecord file, which may hold anything."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.protocol import Backend
from ffi_cookbook.records.picking.index import walk
from ffi_cookbook.records.reading.cursor import START, Cursor, Position, checked_start
from ffi_cookbook.records.reading.inflate import Compression
from ffi_cookbook.records.reading.source import CHUNK, check_options, open_source
from ffi_cookbook.records.reading.sources import Sources, find
from ffi_cookbook.records.recovery.losses import Report
from ffi_cookbook.records.recovery.recovery import OnError, Recovery

_Place = tuple[int, int, int]  # the fields of a Position, which takes longer to make


class Payloads(Iterator[bytes]):
    """The payloads that `raw` yields, each for one of the threads that share it."""

    def __init__(self, payloads: Iterator[tuple[bytes, _Place]], start: Position) -> None:
        self._payloads, self._end = payloads, start[:]
        self._turn = threading.RLock()

    def __next__(self) -> bytes:
        with self._turn:
            payload, self._end = next(self._payloads)
        return payload

    @property
    def end(self) -> Position:
        """The position after the last one, where `raw(source, start=payloads.end)` continues."""
        return Position(*self._end)


def raw(
    source: Sources,
    *,
    start: Position = START,
    backend: str | Backend | None = None,
    verify: bool = True,
    compression: Compression = "infer",
    on_error: OnError = "raise",
    report: Report | None = None,
    chunk_size: int = CHUNK,
) -> Payloads:
    """Return the payload of each record as bytes, for records that are not tf.train.Examples.

        for event in raw("events.out.tfevents.1"):
            Event.FromString(event)

    The arguments and the exceptions are those of `read`.
    """
    check_options(compression, on_error, chunk_size)
    shards = find(source).sources
    recovery = Recovery(open_backend(backend), verify, on_error, report)
    begin = checked_start(start, len(shards))

    def payloads() -> Iterator[tuple[bytes, _Place]]:
        for shard in range(begin.shard, len(shards)):
            first = begin if shard == begin.shard else Position(shard)
            cursor = Cursor(first.record)
            with open_source(shards[shard], compression, chunk_size) as window:
                window.skip_to(cursor, first.byte_offset)
                for spans in walk(recovery, window, cursor):
                    record, base = cursor.record - len(spans), cursor.base
                    for offset, size in spans.tolist():
                        record += 1
                        data = bytes(window.data[offset - base :][:size])
                        yield data, (shard, offset + size + 4, record)

    return Payloads(payloads(), begin)
