"""Index files beside record files, so that a file is indexed once.

Read are the text of NVIDIA's tfrecord2idx and of the `tfrecord` package (a line for each record,
its offset and size with the framing) and this project's own, which is binary and knows the size and
the time of last change of the file it was made of.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np

from bindings.protocol import Int64Array

_HEAD = struct.Struct("<8sqqq")  # magic, size and mtime_ns of the record file, number of records
_MAGIC = b"\x89CKIDX\r\n"
_HEADER, _FOOTER = 12, 4

Path_ = str | os.PathLike[str]


def save_index(path: Path_, spans: Int64Array, index_path: Path_ | None = None) -> None:
    """Writes what `index(path)` returned, to `path` + ".idx" unless it is told otherwise."""
    about = os.stat(path)
    head = _HEAD.pack(_MAGIC, about.st_size, about.st_mtime_ns, len(spans))
    temporary = Path(f"{_beside(path, index_path)}.{os.getpid()}.part")
    temporary.write_bytes(head + np.ascontiguousarray(spans, "<i8").tobytes())
    temporary.replace(_beside(path, index_path))


def load_index(path: Path_, index_path: Path_ | None = None) -> Int64Array:
    """The spans that an index file gives for a record file, as `index` would.

    Raises:
        FileNotFoundError: there is no index file.
        ValueError: it is none, or the record file has changed since (of a text index only a file
            that has become too short can be known; `gather` finds the rest).
    """
    where, size = _beside(path, index_path), os.path.getsize(path)
    data = where.read_bytes()
    spans = _binary(where, data, path) if data.startswith(_MAGIC) else _text(where, data)
    if len(spans) and not (
        spans.min() >= 0
        and spans[:, 0].min() >= _HEADER
        and (spans[:, 0] <= size).all()
        and (spans[:, 1] <= size - _FOOTER - spans[:, 0]).all()
    ):
        raise ValueError(f"{where}: not an index of {os.fspath(path)}, which has {size} bytes")
    return spans


def _beside(path: Path_, index_path: Path_ | None) -> Path:
    return Path(f"{os.fspath(path)}.idx" if index_path is None else index_path)


def _binary(where: Path, data: bytes, path: Path_) -> Int64Array:
    if len(data) < _HEAD.size:
        raise ValueError(f"{where}: cut short")
    _, size, mtime, n = _HEAD.unpack_from(data)
    about = os.stat(path)
    if (size, mtime) != (about.st_size, about.st_mtime_ns):
        raise ValueError(f"{where}: {os.fspath(path)} has changed since it was indexed")
    if n < 0 or len(data) != _HEAD.size + 16 * n:
        raise ValueError(f"{where}: {len(data)} bytes are not an index of {n} records")
    return np.frombuffer(data, "<i8", offset=_HEAD.size).reshape(-1, 2).astype(np.int64)


def _text(where: Path, data: bytes) -> Int64Array:
    try:
        numbers = [[int(number) for number in line.split()] for line in data.splitlines()]
        whole: Int64Array = np.array(numbers, np.int64).reshape(-1, 2)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{where}: not a list of offsets and sizes: {error}") from None
    whole += np.array([_HEADER, -_HEADER - _FOOTER])
    return whole
