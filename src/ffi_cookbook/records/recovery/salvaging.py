"""The damage of a file, and the copy of its good records."""

from __future__ import annotations

import zlib
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.protocol import Backend
from ffi_cookbook.files import NewFile, PathLike
from ffi_cookbook.records.picking.index import walk
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.inflate import Compression
from ffi_cookbook.records.reading.source import CHUNK, open_source
from ffi_cookbook.records.reading.sources import Sources, find
from ffi_cookbook.records.recovery.ahead import runs_of
from ffi_cookbook.records.recovery.losses import Report


class Health(NamedTuple):
    """The state of a file, or of several together.

    Attributes:
        records: the number of good records.
        bytes: the number of bytes of the good records with their framing.
        report: the losses.
        damage: the exception of the first damaged compressed stream, or None.
    """

    records: int
    bytes: int
    report: Report
    damage: EOFError | zlib.error | None = None


def verify(
    source: Sources,
    *,
    backend: str | Backend | None = None,
    compression: Compression = "infer",
) -> Health:
    """Check both CRCs of every record of a file; damage is reported, not raised."""
    return salvage(source, None, backend=backend, compression=compression)


def salvage(
    source: Sources,
    target: PathLike | None,
    *,
    backend: str | Backend | None = None,
    compression: Compression = "infer",
) -> Health:
    """Copy the good records of all files, byte for byte, to a new file that is not compressed.

    `source` may be a pattern or an iterable. The new file appears under its name when it is
    complete, and replaces any file of that name.
    """
    report, records, size, damage = Report(), 0, 0, None
    binding, sources = open_backend(backend), find(source).sources
    with _new_file(target) as out:
        for one in sources:
            cursor = Cursor()
            with open_source(one, compression, CHUNK) as window:
                for spans in walk(binding, window, cursor, True, "resync", report):
                    records += len(spans)
                    for start, end in runs_of(spans):
                        size += end - start
                        if out:
                            out.write(window.data[start - cursor.base : end - cursor.base])
                damage = damage or window.damage
    return Health(records, size, report, damage)


def _new_file(target: PathLike | None) -> AbstractContextManager[NewFile | None]:
    return nullcontext() if target is None else NewFile(target)
