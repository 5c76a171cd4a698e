"""What is wrong with a file, and how to keep what is not."""

from __future__ import annotations

import zlib
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np

from bindings.files import NewFile, PathLike
from bindings.opening import open_backend
from bindings.protocol import Backend
from bindings.records.ahead import runs_of
from bindings.records.index import Progress, walk
from bindings.records.inflate import Compression
from bindings.records.losses import Report
from bindings.records.source import CHUNK, open_source
from bindings.records.sources import Sources, find


class Health(NamedTuple):
    """What a file has, or several together: good records, the bytes of these with their framing,
    what is lost, and what the first damaged compressed stream is damaged by."""

    records: int
    bytes: int
    report: Report
    damage: EOFError | zlib.error | None = None


def verify(
    source: Sources,
    *,
    backend: str | Backend | None = None,
    compression: Compression = "infer",
    progress: Progress = bool,
) -> Health:
    """Reads a whole file and checks both CRCs of every record; what is bad is told, not raised."""
    return salvage(source, None, backend=backend, compression=compression, progress=progress)


def salvage(
    source: Sources,
    target: PathLike | None,
    *,
    backend: str | Backend | None = None,
    compression: Compression = "infer",
    progress: Progress = bool,
) -> Health:
    """Copies the good records, byte for byte, to a new file (not compressed): those of all files,
    if a pattern or an iterable is given.

    The file appears under its name when it is complete; one that is there is replaced.
    """
    report, records, size, damage, passed = Report(), 0, 0, None, 0
    binding, sources = open_backend(backend), find(source).sources
    with _new_file(target) as out:
        for one in sources:
            cursor = np.zeros(4, np.int64)
            with open_source(one, compression, CHUNK) as window:
                for spans in walk(binding, window, cursor, True, "resync", report):
                    records += len(spans)
                    for start, end in runs_of(spans):
                        size += end - start
                        if out:
                            out.write(window.data[start - int(cursor[0]) : end - int(cursor[0])])
                    progress(passed + int(cursor[0] + cursor[1]))
                passed += int(cursor[0] + cursor[1])
                damage = damage or window.damage
    return Health(records, size, report, damage)


def _new_file(target: PathLike | None) -> AbstractContextManager[NewFile | None]:
    return nullcontext() if target is None else NewFile(target)
