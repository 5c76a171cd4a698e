"""Plain copies of compressed files, which have no random access themselves."""

from __future__ import annotations

import hashlib
import os
import zlib

from bindings.files import NewFile, PathLike
from bindings.records.inflate import Inflate
from bindings.records.picking import compression_of
from bindings.records.source import open_file
from bindings.records.sources import fsspec_of

_AT_ONCE = 1 << 20


def plain(path: str, cache: PathLike | None) -> str:
    """Return the path itself, or that of the plain copy of a compressed file.

    A copy is made once. Its name has a digest of the file's path, size and time of change. Several
    processes may make the same copy at once; each gives its name to a complete one.

    Args:
        cache: the folder for copies; it is made if there is none.

    Raises:
        ValueError: the file is compressed, and there is no folder.
        EOFError, zlib.error: the compressed file is damaged.
    """
    kind = compression_of(path)
    if kind is None:
        return path
    if cache is None:
        raise ValueError(
            f"{path} is compressed ({kind}) and has no random access: pass cache=FOLDER, into "
            "which it is decompressed once, or read it in its order with records.read"
        )
    name = os.path.splitext(os.path.basename(path))[0]
    copy = os.path.join(os.fsdecode(cache), f"{name}-{_digest(path)}")
    if not os.path.exists(copy):
        os.makedirs(cache, exist_ok=True)
        buffer = memoryview(bytearray(_AT_ONCE))
        with open_file(path) as file, NewFile(copy) as target:
            stream = Inflate(b"", file, kind)
            try:
                while n := stream.readinto(buffer):
                    target.write(buffer[:n])
            except (EOFError, zlib.error) as error:
                raise type(error)(f"{path} is damaged: {error}") from None
    return copy


def _digest(path: str) -> str:
    """Return what identifies a file: it differs for another file, and after a change."""
    if "://" in path:
        files, root = fsspec_of(path).core.url_to_fs(path)
        about = [path, files.ukey(root)]
    else:
        found = os.stat(path)
        about = [os.path.abspath(path), found.st_size, found.st_mtime_ns]
    return hashlib.sha256(ascii(about).encode()).hexdigest()[:16]
