"""The reading of the frames of picked records from their files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import byte_view
from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array
from ffi_cookbook.files import open_regular
from ffi_cookbook.records.reading.inflate import infer
from ffi_cookbook.records.reading.source import is_memory, open_file
from ffi_cookbook.records.reading.sources import Source, name_of

_HEADER, _FOOTER = 12, 4
_READ_AT_ONCE = 64 << 20
_LARGE = 1 << 20


def groups(wanted: Int64Array) -> Iterator[tuple[int, int]]:
    """Yield [start, end) of the rows that are read together: up to 64 MiB, or one larger row."""
    sizes = np.clip(wanted[:, 1], 0, _READ_AT_ONCE) + _HEADER + _FOOTER
    ends, start = np.cumsum(sizes), 0
    while True:
        most = _READ_AT_ONCE + (int(ends[start - 1]) if start else 0)
        end = max(int(np.searchsorted(ends, most, "right")), min(start + 1, len(wanted)))
        yield start, end
        if end == len(wanted):
            return
        start = end


class _File:
    """A source that is read in parts; offsets count from its position when it was opened."""

    def __init__(self, file: Any) -> None:
        self._file, self._base = file, file.tell()
        self.size = file.seek(0, os.SEEK_END) - self._base
        file.seek(self._base)

    def read(self, offset: int, part: memoryview) -> int:
        """Fill `part`, up to the end of the file, and return the number of bytes."""
        self._file.seek(self._base + min(offset, self.size))
        start = 0
        while start < len(part) and (n := self._file.readinto(part[start:])):
            start += n
        return start

    def frame(self, offset: int, most: int) -> memoryview:
        """Return up to `most` bytes of data from this offset on, with the frame around them."""
        part = memoryview(bytearray(min(max(most, 0), self.size) + _HEADER + _FOOTER))
        return part[: self.read(offset - _HEADER, part)]


@contextmanager
def opened(source: Source) -> Iterator[_File]:
    """Open a source for reading in parts, until the block ends."""
    if is_memory(source):
        with byte_view("source", source).data as view:
            yield _File(BytesIO(view))
    elif isinstance(source, os.PathLike) or (isinstance(source, str) and "://" not in source):
        with open_regular(source, buffering=0) as file:
            yield _File(file)
    else:
        with open_file(source) as file:
            opened = _File(file)
            yield opened
            opened.read(0, memoryview(b""))  # leaves the file at its old position


def read_frames(
    sources: list[Source],
    files: Int64Array,
    wanted: Int64Array,
    local: Int64Array,
    start: int,
    end: int,
) -> tuple[Uint8Array, int]:
    """Read the frames of rows [start, end) one after the other, and write their places to `local`.

    Returns the memory and the end of the rows in it. If a file ends within a frame, so does the
    memory.
    """
    sizes = np.maximum(wanted[start:end, 1], 0)
    if end - start == 1:
        with opened(sources[int(files[start])]) as file:
            sizes = np.minimum(sizes, file.size)
            if sizes[0] > _LARGE:  # the index may claim more than there is
                header = file.frame(int(wanted[start, 0]), 0)[:8]
                sizes = np.minimum(sizes, np.uint64(int.from_bytes(header, "little"))).astype(int)
    sizes = sizes + _HEADER + _FOOTER
    ends = np.cumsum(sizes)
    memory = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
    local[start:end, 0] = ends - sizes + _HEADER
    view, cut = memory.data, end
    for number in np.unique(files[start:end]).tolist():
        with opened(sources[number]) as file:
            rows = np.flatnonzero(files[start:end] == number)
            offsets = wanted[start:end, 0][rows] - _HEADER
            places = np.stack([rows, offsets, ends[rows] - sizes[rows], ends[rows]], axis=1)
            for row, offset, first, last in places.tolist():
                n = file.read(offset, view[first:last])
                if first + n < last and start + row < cut:
                    cut, memory = start + row + 1, memory[: first + n]
    return memory, cut


def refuse_compressed(source: Source) -> None:
    """Raise ValueError if the source is a compressed file."""
    with opened(source) as file:
        kind = infer(bytes(file.frame(_HEADER, 0)[:_HEADER]), "infer", name_of(source))
    if kind:
        raise ValueError(
            f"{name_of(source) or '<buffer>'} is compressed ({kind}) and has no random access: "
            "decompress the file once, with records.write(target, records.raw(source)), or read it "
            "in its order with records.read"
        )
