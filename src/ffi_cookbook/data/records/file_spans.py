"""Parts of record files, as units of work for processes on any machine."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.checks import check_least, path_of
from ffi_cookbook.data.records.spans import saved_spans
from ffi_cookbook.records import Batch, Schema, read
from ffi_cookbook.records.picking.frames import compression_of
from ffi_cookbook.records.picking.index import index
from ffi_cookbook.records.reading.cursor import Position
from ffi_cookbook.records.reading.source import open_file
from ffi_cookbook.records.reading.sources import Sources, find
from ffi_cookbook.records.recovery.recovery import OnError, check_policy

_HEADER, _FOOTER = 12, 4  # bytes of a frame around its data


class FileSpan(NamedTuple):
    """Consecutive records of a TFRecord file.

    It consists of a few numbers, which any engine can send to its processes.

    Attributes:
        path: the file, or a URL, as the process that reads it has it.
        start: the offset of the first record's frame.
        end: the offset after the last record's frame; None is the end of the file.
        first: the number in the file of the first record.
        records: the number of records; None if that is not known.
        size: the number of bytes that they take in the file.
    """

    path: str
    start: int
    end: int | None
    first: int
    records: int | None
    size: int

    def read(self, schema: Schema, **options: Any) -> Iterator[Batch]:
        """Return an iterator over the records as batches.

        Args:
            schema: the features to decode.
            options: the options of `records.read`, except `source` and `start`. By default,
                `missing` is "warn", since a feature may occur in the other spans only.
        """
        options.setdefault("missing", "warn")
        if self.end is None:
            return read(self.path, schema, **options)
        return self._read(schema, options)

    def _read(self, schema: Schema, options: dict[str, Any]) -> Iterator[Batch]:
        with open_file(self.path) as file:
            part, start = _Front(file, self), Position(0, self.start, self.first)
            yield from read(part, schema, start=start, compression=None, **options)


def spans(
    paths: Sources,
    *,
    span_bytes: int = 64 << 20,
    on_error: OnError = "raise",
) -> list[FileSpan]:
    """Return the parts of some TFRecord files: together they are all records, in order.

    A file is divided by its index, which is read from its `.idx` where there is one that lists all
    records in order (see `records.save_index`); otherwise the file is read once. A compressed file
    is one part.

    Args:
        paths: a path, a URL, a pattern, or an iterable of these.
        span_bytes: a part ends with the record that reaches this number.
        on_error: what to do about a bad record, as for `records.read`; read the parts with the same
            value.

    Raises:
        FileNotFoundError: there is no such file, or a pattern matches nothing.
        RecordError: a file cannot be divided, since a record's length is damaged.
    """
    check_least("span_bytes", span_bytes, 1)
    check_policy(on_error)
    found = list[FileSpan]()
    for path in (path_of(source) for source in find(paths).sources):
        if compression_of(path):
            found.append(FileSpan(path, 0, None, 0, None, size_of(path)))
        else:
            found += _cut(path, _frames_of(path, on_error), span_bytes)
    return found


def _frames_of(path: str, on_error: OnError) -> Int64Array:
    """Return the offset of every record's frame, and the end of the file."""
    places, size = saved_spans(path), size_of(path)
    if places is None or not _is_whole(places, size):
        places = index(path, verify=on_error == "resync", on_error=on_error)
    frames = np.append(places[:, 0] - _HEADER, size)
    frames[0] = 0  # damage before the first record is in the first part
    return frames


def _is_whole(places: Int64Array, size: int) -> bool:
    """Return True if the frames of these records are a file of this size, in order."""
    starts, ends = places[:, 0] - _HEADER, places.sum(axis=1) + _FOOTER
    return np.array_equal(np.append(starts, size), np.insert(ends, 0, 0))


def size_of(path: str) -> int:
    """Return the size of a file, or of what a URL names, in bytes."""
    with open_file(path) as file:
        size: int = file.seek(0, os.SEEK_END)
    return size


def _cut(path: str, frames: Int64Array, size: int) -> Iterator[FileSpan]:
    row, end = 0, len(frames) - 1
    while row < end:
        behind = min(int(np.searchsorted(frames, frames[row] + size)), end)
        start, stop = int(frames[row]), int(frames[behind])
        yield FileSpan(path, start, stop, row, behind - row, stop - start)
        row = behind


class _Front(io.RawIOBase):
    """A file that ends where a span ends."""

    def __init__(self, file: Any, span: FileSpan) -> None:
        self._file, self._end, self.name = file, span.end, span.path

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        here: int = self._file.tell()
        return here

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        assert self._end is not None
        place: int = self._file.seek(self._end if whence == os.SEEK_END else offset)
        return place

    def readinto(self, part: Any) -> int:
        assert self._end is not None
        n: int = self._file.readinto(memoryview(part)[: max(self._end - self.tell(), 0)])
        return n
