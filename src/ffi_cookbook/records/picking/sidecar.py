"""Index files beside record files, so that a file is indexed once.

An index has the size and the time of last change of the file it was made from, and may leave out
records. The text of NVIDIA's tfrecord2idx has neither, so it may be stale, and is not read.
"""

from __future__ import annotations

import os
import struct

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.files import PathLike, open_regular, write_file
from ffi_cookbook.records.picking.frames import refuse_compressed
from ffi_cookbook.records.reading.sources import INDEX_MAGIC

_HEAD = struct.Struct("<8sqqq")  # magic, size and mtime_ns of the record file, number of records
_HEADER, _FOOTER = 12, 4
_MOST_BYTES = 64  # the bytes of an index for each record, which has at least 16 bytes itself


def save_index(path: PathLike, spans: Int64Array) -> None:
    """Write the result of `index(path)` to `path` + ".idx".

    The spans may be those of some records only, in any order: what reads the index has these.

    Raises:
        TypeError: `spans` is not an int64 array.
        ValueError: `path` is compressed, or `spans` are not those of its records.
    """
    if not isinstance(spans, np.ndarray) or spans.dtype != np.int64:
        raise TypeError("spans must be an int64 array")
    if spans.ndim != 2 or spans.shape[1] != 2:
        raise ValueError(f"spans must have shape (n, 2), not {spans.shape}")
    refuse_compressed(path)
    about = os.stat(path)
    _check("spans", spans, path, about.st_size)
    head = _HEAD.pack(INDEX_MAGIC, about.st_size, about.st_mtime_ns, len(spans))
    write_file(_beside(path), head, np.ascontiguousarray(spans, "<i8").tobytes())


def load_index(path: PathLike) -> Int64Array:
    """Return the spans that the index beside a record file has, as `index` would.

    Raises:
        FileNotFoundError: there is no index file.
        ValueError: it is not one that `save_index` wrote, or the record file has changed since.
    """
    where, about = _beside(path), os.stat(path)
    refuse_compressed(path)
    most = _MOST_BYTES * (about.st_size // (_HEADER + _FOOTER) + 1)
    with open_regular(where) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{where}: larger than an index of {os.fspath(path)} can be")
    if not data.startswith(INDEX_MAGIC):
        raise ValueError(f"{where}: not an index that save_index wrote")
    if len(data) < _HEAD.size:
        raise ValueError(f"{where}: cut short")
    _, size, mtime, n = _HEAD.unpack_from(data)
    if (size, mtime) != (about.st_size, about.st_mtime_ns):
        raise ValueError(f"{where}: {os.fspath(path)} has changed since it was indexed")
    if n < 0 or len(data) != _HEAD.size + 16 * n:
        raise ValueError(f"{where}: {len(data)} bytes are not an index of {n} records")
    spans = np.frombuffer(data, "<i8", offset=_HEAD.size).reshape(-1, 2).astype(np.int64)
    _check(where, spans, path, size)
    return spans


def _check(name: str, spans: Int64Array, path: PathLike, size: int) -> None:
    """Raise ValueError for spans that the records of a file cannot have, in any order."""
    frames = spans[spans[:, 0].argsort(kind="stable")]
    starts, sizes = frames.T
    if len(frames) and not (
        starts[0] >= _HEADER
        and sizes.min() >= 0
        and starts[-1] <= size
        and (sizes <= size - _FOOTER - starts).all()
        and (np.diff(starts) >= sizes[:-1] + (_HEADER + _FOOTER)).all()
    ):
        raise ValueError(f"{name}: not an index of {os.fspath(path)}, which has {size} bytes")


def _beside(path: PathLike) -> str:
    return f"{os.fspath(path)}.idx"
