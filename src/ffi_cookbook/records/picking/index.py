"""The index of TFRecord files: where their records are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.bindings.protocol import Backend, Int64Array
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.inflate import Compression
from ffi_cookbook.records.reading.source import CHUNK, check_options, open_source
from ffi_cookbook.records.reading.sources import Sources, find
from ffi_cookbook.records.reading.window import Window
from ffi_cookbook.records.recovery.losses import Report
from ffi_cookbook.records.recovery.recovery import OnError, Recovery

_SPANS = 16384  # spans that one call fills


def index(
    source: Sources,
    *,
    backend: str | Backend | None = None,
    verify: bool = True,
    compression: Compression = "infer",
    on_error: OnError = "raise",
    report: Report | None = None,
    chunk_size: int = CHUNK,
) -> Int64Array:
    """Return the place of every good record's data in the (decompressed) file.

    The other arguments and the exceptions are those of `read`.

    Returns:
        For one source (n, 2), the offset and the size of each; for a pattern or an iterable (n, 3),
        with the number of the file among them first. `gather` takes both.
    """
    check_options(compression, on_error, chunk_size)
    recovery, found = Recovery(open_backend(backend), verify, on_error, report), find(source)
    parts = [np.empty((0, 2 + found.many), np.int64)]
    for number, one in enumerate(found.sources):
        cursor = Cursor()
        with open_source(one, compression, chunk_size) as window:
            for spans in walk(recovery, window, cursor):
                parts.append(np.insert(spans, 0, number, axis=1) if found.many else spans.copy())
    return np.concatenate(parts)


def walk(recovery: Recovery, window: Window, cursor: Cursor) -> Iterator[Int64Array]:
    """Yield the spans of the good records, some at a time.

    Each array is valid until the next one is requested. Until then a record's bytes lie in the
    window's data at the span's offset minus cursor.base.
    """
    spans = np.empty((_SPANS, 2), np.int64)
    while True:
        failed: Exception | None = None
        try:
            recovery.backend.index_records(
                window.data, spans, cursor.array, recovery.verify, window.final
            )
        except RecordError as error:
            failed = error
        rows = cursor.rows
        yield spans[:rows]
        cursor.rows = 0
        if failed is None and rows < _SPANS:
            if window.final:
                return
            failed = window.next_record(cursor)
        if failed:
            recovery.recover(window, cursor, failed)
