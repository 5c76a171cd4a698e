"""Where the records of a TFRecord file are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bindings.errors import RecordError
from bindings.opening import open_door
from bindings.protocol import Backend, Int64Array
from bindings.records.inflate import Compression
from bindings.records.recovery import OnError, Report, check_policy, recover
from bindings.records.source import CHUNK, Source, Window, open_source

Progress = Callable[[int], object]
"""Called with the byte of the (decompressed) file that has been reached."""

_SPANS = 16384  # filled by one call


def index(
    source: Source,
    *,
    backend: str | Backend | None = None,
    verify: bool = True,
    compression: Compression = "infer",
    on_error: OnError = "raise",
    report: Report | None = None,
    chunk_size: int = CHUNK,
    progress: Progress = bool,
) -> Int64Array:
    """(n, 2): offset and size of every good record's data, in the (decompressed) file.

    The other arguments and the exceptions are those of `read`.
    """
    check_policy(on_error)
    door, cursor = open_door(backend), np.zeros(4, np.int64)
    parts = []
    with open_source(source, compression, chunk_size) as window:
        for spans in walk(door, window, cursor, verify, on_error, report):
            parts.append(spans.copy())
            progress(int(cursor[0] + cursor[1]))
    return np.concatenate(parts)


def walk(
    door: Backend,
    window: Window,
    cursor: Int64Array,
    verify: bool,
    on_error: OnError,
    report: Report | None,
) -> Iterator[Int64Array]:
    """The spans of the good records, some at a time, valid until the next are asked for. Until then
    their bytes are at `span - cursor[0]` of the window."""
    spans = np.empty((_SPANS, 2), np.int64)
    while True:
        failed = None
        try:
            door.index_records(window.data, spans, cursor, verify, window.final)
        except RecordError as error:
            failed = error
        rows = int(cursor[3])
        yield spans[:rows]
        cursor[3] = 0
        if failed:
            recover(door, window, cursor, failed, on_error, report)
        elif rows < _SPANS:
            if window.final:
                return
            window.advance(cursor)
