"""Where the records of a TFRecord file are."""

from __future__ import annotations

import numpy as np

from bindings.errors import RecordError
from bindings.protocol import Backend, Int64Array
from bindings.records.doors import open_door
from bindings.records.source import CHUNK, Compression, Source, open_source

_SPANS = 16384  # filled by one call


def index(
    source: Source,
    *,
    backend: str | Backend | None = None,
    verify: bool = True,
    compression: Compression = "infer",
    chunk_size: int = CHUNK,
) -> Int64Array:
    """(n, 2): offset and size of every record's data, in the (decompressed) file.

    The arguments and exceptions are those of `read`.
    """
    door = open_door(backend)
    spans, cursor = np.empty((_SPANS, 2), np.int64), np.zeros(4, np.int64)
    parts: list[Int64Array] = []
    with open_source(source, compression, chunk_size) as window:
        while True:
            try:
                rows = door.index_records(window.data, spans, cursor, verify, window.final)
            except RecordError as error:
                raise window.located(error) from None
            parts.append(spans[:rows].copy())
            cursor[3] = 0
            if rows < _SPANS:
                if window.final:
                    return np.concatenate(parts)
                window.advance(cursor)
