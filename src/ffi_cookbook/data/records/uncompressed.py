"""Plain copies of compressed files, which have no random access themselves."""

from __future__ import annotations

import hashlib
import os
import re
import zlib

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.files import NewFile, PathLike, open_regular, write_file
from ffi_cookbook.records.picking.frames import compression_of
from ffi_cookbook.records.reading.inflate import Inflate
from ffi_cookbook.records.reading.source import open_file
from ffi_cookbook.records.reading.sources import fsspec_of

_AT_ONCE = 1 << 20
_DIGEST = re.compile("-[0-9a-f]{16}$")
_ABOUT, _MOST_ABOUT = ".source", 1 << 16


def plain(path: str, cache: PathLike | None) -> str:
    """Return the path itself, or that of the plain copy of a compressed file.

    A copy is made once, and again if its size is no longer what it was. Its name has a digest of
    the file's path, size and time of change. Beside it is a text file (`.source`) with the size of
    the copy and the path of the compressed file. Several processes may make the same copy at once;
    each gives its name to a complete one.

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
    if not _is_whole(copy):
        os.makedirs(cache, exist_ok=True)
        buffer, size = memoryview(bytearray(_AT_ONCE)), 0
        with open_file(path) as file, NewFile(copy) as target:
            stream = Inflate(b"", file, kind)
            try:
                while n := stream.readinto(buffer):
                    target.write(buffer[:n])
                    size += n
            except (EOFError, zlib.error) as error:
                raise type(error)(f"{path} is damaged: {error}") from None
            write_file(copy + _ABOUT, f"{size}\n{path!a}\n".encode())
    return copy


def original_name(path: str) -> str:
    """Return the name of a file, or that of the compressed file whose plain copy it is."""
    return _DIGEST.sub("", os.path.basename(path))


def note_source(error: RecordError) -> RecordError:
    """Return an error, with a note of the compressed file if it is about a plain copy."""
    if error.path and (found := _about(error.path)):
        error.add_note(f"{error.path} is the plain copy of {found[1]}")
    return error


def _is_whole(copy: str) -> bool:
    found = _about(copy)
    return found is not None and os.path.isfile(copy) and str(os.path.getsize(copy)) == found[0]


def _about(copy: str) -> list[str] | None:
    """Return the size of a plain copy and the path of the compressed file; None without a copy."""
    try:
        with open_regular(copy + _ABOUT) as file:
            lines: list[str] = file.read(_MOST_ABOUT).decode().splitlines()
    except (OSError, ValueError):
        return None
    return lines if len(lines) == 2 and lines[0].isdecimal() else None


def _digest(path: str) -> str:
    """Return what identifies a file: it differs for another file, and after a change."""
    if "://" in path:
        files, root = fsspec_of(path).core.url_to_fs(path)
        about = [path, files.ukey(root)]
    else:
        found = os.stat(path)
        about = [os.path.abspath(path), found.st_size, found.st_mtime_ns]
    return hashlib.sha256(ascii(about).encode()).hexdigest()[:16]
