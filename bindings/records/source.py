"""Where records come from: a path, a file object or memory, seen through a window that moves on."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np

from bindings.checks import byte_view
from bindings.errors import RecordError
from bindings.protocol import Int64Array
from bindings.records.inflate import WINDOW_BITS, Compression, Inflate, infer
from bindings.records.mapped import MappedFile, is_mapped

Source: TypeAlias = Any
"""A path (str or os.PathLike), a URL for fsspec to open (a str with :// in it), a binary file
object (`read` and `readinto`), or a buffer. An `mmap` is read like a file, which may be cut short
meanwhile; a view of one is memory like any other."""

CHUNK = 4 << 20
_HEAD = 12


class Window:
    """Some bytes of a stream; `final` says that the stream ends where they do.

    Seen as it is: on memory, which is all there at once.
    """

    def __init__(self, path: str | None, data: memoryview, final: bool = True) -> None:
        self.path, self.data, self.final = path, data, final

    def advance(self, cursor: Int64Array) -> None:
        """Drops what the cursor has passed and reads on; for a window that is not final."""

    def skip_to(self, cursor: Int64Array, offset: int) -> None:
        """Moves the cursor to this byte of the stream."""
        while (end := int(cursor[0]) + len(self.data)) < offset:
            if self.final:
                where = self.path or "<buffer>"
                raise ValueError(f"{where}: ends at byte {end}, before the offset {offset}")
            cursor[1] = len(self.data)
            self.advance(cursor)
        cursor[1] = offset - int(cursor[0])

    def located(self, error: RecordError) -> RecordError:
        """The same error, with the path."""
        where = self.path, error.byte_offset, error.record, error.field
        return RecordError(error.code, *where, error.expected, error.actual)


class _FileWindow(Window):
    """A window on a file: a buffer that is refilled, and doubled when a record needs all of it.

    It grows with the bytes that are there, never to a size that a record merely claims. Where a
    compressed file is damaged, `advance` raises once all that came before is there to be read.
    """

    def __init__(self, path: str | None, head: bytes, file: Any, size: int) -> None:
        super().__init__(path, memoryview(b""), final=False)
        self._file, self._memory = file, np.empty(max(size, len(head)), np.uint8)
        self._damage: EOFError | zlib.error | None = None
        self._memory.data[: len(head)] = head
        self._fill(len(head))

    def skip_to(self, cursor: Int64Array, offset: int) -> None:
        ahead = offset - int(cursor[0]) - len(self.data)
        if ahead > 0 and getattr(self._file, "seekable", bool)():
            here = self._file.tell()
            within = here + ahead <= self._file.seek(0, os.SEEK_END)
            self._file.seek(here + ahead if within else here)
            if within:
                cursor[:2], self.final = (offset, 0), False
                self._fill(0)
        super().skip_to(cursor, offset)

    def advance(self, cursor: Int64Array) -> None:
        if self._damage:
            raise self._damage
        position = int(cursor[1])
        tail = self.data[position:]
        if len(tail) == self._memory.size:
            self._memory = np.empty(2 * len(tail), np.uint8)
        self._memory.data[: len(tail)] = tail
        cursor[:2] += (position, -position)
        self._fill(len(tail))

    def _fill(self, end: int) -> None:
        memory = self._memory.data
        try:
            while end < len(memory) and not self.final:
                n = self._file.readinto(memory[end:])
                end, self.final = end + n, n == 0
        except (EOFError, zlib.error) as error:
            self._damage = type(error)(f"{self.path or '<stream>'}: {error}")
        self.data = memory[:end]


@contextmanager
def open_source(source: Source, compression: Compression, chunk_size: int) -> Iterator[Window]:
    """A window on the source, at its start; a path is opened, and closed in the end."""
    if compression not in ("infer", None, *WINDOW_BITS):
        raise ValueError(
            f"compression must be 'infer', None, 'gzip' or 'zlib', not {compression!r}"
        )
    if isinstance(source, str) and "://" in source:
        with _open_url(source) as file:
            yield _open(source, file, compression, chunk_size)
    elif isinstance(source, str | os.PathLike):
        with open(source, "rb", buffering=0) as file:
            yield _open(os.fspath(source), file, compression, chunk_size)
    elif is_mapped(source):
        with MappedFile(source) as file:
            yield _open(None, file, compression, chunk_size)
    elif hasattr(source, "readinto"):
        name = getattr(source, "name", None)
        yield _open(name if isinstance(name, str) else None, source, compression, chunk_size)
    else:
        with byte_view("source", source).data as view:
            if compression is None or infer(view[:_HEAD], compression) is None:
                yield Window(None, view)
            else:
                yield _open(None, BytesIO(view), compression, chunk_size)


def _open_url(url: str) -> Any:
    try:
        import fsspec  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError(f"{url}: to read from a URL, install fsspec") from error
    return fsspec.open(url, "rb")


def _open(path: str | None, file: Any, compression: Compression, chunk_size: int) -> Window:
    head = file.read(_HEAD)
    while 0 < len(head) < _HEAD and (more := file.read(_HEAD - len(head))):
        head += more
    if kind := infer(head, compression):
        head, file = b"", Inflate(head, file, kind)
    return _FileWindow(path, head, file, chunk_size)
