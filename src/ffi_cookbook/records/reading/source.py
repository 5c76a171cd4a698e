"""The sources of records: a path, a file object or memory."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from mmap import mmap
from typing import Any

from ffi_cookbook.bindings._glue.arrays import byte_view
from ffi_cookbook.records.reading.file_objects import GivenFile
from ffi_cookbook.records.reading.file_window import FileWindow
from ffi_cookbook.records.reading.inflate import Compression, Inflate, checked, infer
from ffi_cookbook.records.reading.sources import INDEX_MAGIC, Source, fsspec_of, name_of, refused
from ffi_cookbook.records.reading.window import Window
from ffi_cookbook.records.recovery.recovery import check_policy

CHUNK = 4 << 20
_HEADER = 12


def check_options(compression: Compression, on_error: str, chunk_size: int) -> None:
    """Raise TypeError or ValueError for an invalid option of a reader."""
    checked(compression, "infer")
    check_policy(on_error)
    if not 1 <= operator.index(chunk_size) < 2**62:
        raise ValueError(f"chunk_size must be at least 1, and below 2**62, not {chunk_size}")


@contextmanager
def open_source(source: Source, compression: Compression, chunk_size: int) -> Iterator[Window]:
    """Open a window on a single source, at its start; a path is closed in the end."""
    kind: Compression = checked(compression, "infer")
    if is_memory(source):
        with byte_view("source", source).data as view:
            if kind is None or infer(view[:_HEADER], kind, None) is None:
                _refuse_index(None, view)
                window = Window(None, view)
                try:
                    yield window
                finally:
                    window.restore()
            else:
                yield _open(None, BytesIO(view), kind, chunk_size)
    else:
        with open_file(source) as file:
            yield _open(name_of(source), file, kind, chunk_size)


def is_memory(source: Source) -> bool:
    """Return True if a source is a buffer that is decoded in place; raise TypeError for an mmap."""
    if isinstance(source, mmap):
        raise refused("source", source)
    return not isinstance(source, str | os.PathLike) and not hasattr(source, "readinto")


@contextmanager
def open_file(source: Source) -> Iterator[Any]:
    """Open the binary file of a source that is not memory; a path is closed in the end."""
    if isinstance(source, str) and "://" in source:
        with fsspec_of(source).open(source, "rb") as file:
            yield file
    elif isinstance(source, str | os.PathLike):
        with open(source, "rb", buffering=0) as file:
            yield file
    else:
        yield GivenFile(source)


def _open(path: str | None, file: Any, compression: Compression, chunk_size: int) -> Window:
    head = file.read(_HEADER)
    while 0 < len(head) < _HEADER and (more := file.read(_HEADER - len(head))):
        head += more
    _refuse_index(path, head)
    if kind := infer(head, compression, path):
        head, file = b"", Inflate(head, file, kind)
    return FileWindow(path, head, file, chunk_size)


def _refuse_index(path: str | None, head: bytes | memoryview) -> None:
    if bytes(head[: len(INDEX_MAGIC)]) == INDEX_MAGIC:
        name = path or "source"
        raise ValueError(f"{name} is an index, as save_index writes it, not a file of records")
