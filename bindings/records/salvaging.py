"""What is wrong with a file, and how to keep what is not."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from bindings.files import NewFile, PathLike
from bindings.opening import open_door
from bindings.protocol import Backend
from bindings.records.index import Progress, walk
from bindings.records.inflate import Compression
from bindings.records.recovery import Report
from bindings.records.source import CHUNK, Source, open_source


class Health(NamedTuple):
    """What a file has: good records, the bytes of these with their framing, what is lost, and what
    a compressed file is damaged by, of which nothing behind the damage can be read."""

    records: int
    bytes: int
    report: Report
    damage: EOFError | zlib.error | None = None


def verify(
    source: Source,
    *,
    backend: str | Backend | None = None,
    compression: Compression = "infer",
    progress: Progress = bool,
) -> Health:
    """Reads a whole file and checks both CRCs of every record; what is bad is told, not raised."""
    return salvage(source, None, backend=backend, compression=compression, progress=progress)


def salvage(
    source: Source,
    target: PathLike | None,
    *,
    backend: str | Backend | None = None,
    compression: Compression = "infer",
    progress: Progress = bool,
) -> Health:
    """Copies the good records, byte for byte, to a new file (not compressed).

    The file appears under its name when it is complete; one that is there is replaced.
    """
    report, cursor, records, size, damage = Report(), np.zeros(4, np.int64), 0, 0, None
    with open_source(source, compression, CHUNK) as window, _new_file(target) as out:
        try:
            for spans in walk(open_door(backend), window, cursor, True, "resync", report):
                records += len(spans)
                for start, end in _runs(spans):
                    size += end - start
                    if out:
                        out.write(window.data[start - int(cursor[0]) : end - int(cursor[0])])
                progress(int(cursor[0] + cursor[1]))
        except (EOFError, zlib.error) as error:
            damage = error
    return Health(records, size, report, damage)


def _runs(spans: Any) -> Iterator[tuple[int, int]]:
    """[start, end) of every run of records without a gap, framing included."""
    if len(spans):
        starts, ends = spans[:, 0] - 12, spans.sum(axis=1) + 4
        breaks = np.flatnonzero(starts[1:] != ends[:-1])
        firsts, lasts = [0, *(breaks + 1)], [*breaks, len(spans) - 1]
        yield from zip(starts[firsts].tolist(), ends[lasts].tolist(), strict=True)


def _new_file(target: PathLike | None) -> AbstractContextManager[NewFile | None]:
    return nullcontext() if target is None else NewFile(target)
