"""Models on disk, so that a second load reads a file instead of building one.

COOKBOOK_CACHE names the folder, or switches the cache off when empty. A file is written under
another name and renamed when complete, and never changed in place. It ends with the key and a
checksum; if these do not match, the model is built again. A file is read and not mapped, so a later
change to it does not change a model. A failure here costs time, but never a wrong model.

A checksum is not a signature, so no other user may be able to write here: a folder or a file that
another user owns or can write to is not used.

The key is a hash of the files that a model is made from, and hashing them costs more than
everything else. So a second kind of cache file maps the state (size and times) of these files to
the key.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from ffi_cookbook.bindings._glue.bpe.layout import Blob
from ffi_cookbook.files import open_regular, write_file
from ffi_cookbook.wire import crc32c

SETTLED = 2 * 10**9  # ns after which a further change is sure to change a file's times
SEAL = 32 + 8  # bytes: SHA-256, CRC-32C


def folder() -> Path | None:
    """Return the folder of cached models, or None if there is no cache."""
    if (named := os.environ.get("COOKBOOK_CACHE")) is not None:
        return usable(Path(named)) if named else None
    where = _usual_folder()
    return where and usable(where)


def _usual_folder() -> Path | None:
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
        base = base if base.is_absolute() else home / ".cache"  # as the XDG specification says
    return base / "ffi-cookbook"


def _read(name: str, end: int) -> tuple[bytes, bytes] | None:
    """Return a private file in two parts, of which the second has `end` bytes, or None."""
    where = folder()
    if where is None:
        return None
    try:
        with open_regular(where / name, follow=False) as file:
            status = os.fstat(file.fileno())
            if not is_private(status):
                return None
            return file.read(max(status.st_size - end, 0)), file.read()
    except (OSError, ValueError):
        return None


def load(key: str) -> Blob | None:
    """Return the model stored under a key."""
    stored = _read(f"{key}.ckbpe", SEAL)
    if stored is None:
        return None
    blob = np.frombuffer(stored[0], np.uint8)
    return blob if stored[1] == _seal(blob, key) else None


def store(key: str, blob: Blob) -> None:
    """Store a model for the next time, if that can be done."""
    _write(f"{key}.ckbpe", blob.data, _seal(blob, key))


def state(path: str) -> tuple[bytes, bool]:
    """Return the state of a file, and True if any later change of the file will change it.

    That is not certain while the file is new.
    """
    now, it = time.time_ns(), os.stat(path)
    times = (it.st_mtime_ns, it.st_ctime_ns)
    return repr((it.st_dev, it.st_ino, it.st_size, *times)).encode(), now - max(times) > SETTLED


def known_key(states: str) -> str | None:
    """Return the key of files in these states, or None if it is not known."""
    with contextlib.suppress(ValueError):
        if (stored := _read(f"{states}.key", 64)) and not stored[0]:
            return bytes.fromhex(stored[1].decode("ascii")).hex()
    return None


def know_key(states: str, key: str) -> None:
    """Store the key of files in these states."""
    _write(f"{states}.key", key.encode())


def _write(name: str, *parts: bytes | memoryview) -> None:
    where = folder()
    if where is None:
        return
    with contextlib.suppress(OSError):
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        (where / name).unlink(missing_ok=True)  # it may be a pipe, which would be written to
        write_file(where / name, *parts, mode=0o600)


def _seal(blob: Blob, key: str) -> bytes:
    """Return the end of a cache file: the key, and the CRC-32C of the blob.

    The C library computes it as fast as memory provides the blob. NumPy takes a tenth of a second.
    """
    crc = crc32c(blob)
    return bytes.fromhex(key) + crc.to_bytes(8, "little")


def usable(where: Path) -> Path | None:
    """Return the folder if it is absent, or exists and belongs to this user alone."""
    if not where.is_absolute():
        reason = "is a relative path, and so another folder wherever a program starts"
    elif where.exists() and not is_private(where.stat()):
        reason = "belongs to another user, or others can write to it (chmod go-w)"
    else:
        return where
    warnings.warn(f"models are not cached: {where} {reason}", RuntimeWarning, stacklevel=2)
    return None


def is_private(status: os.stat_result) -> bool:
    """Return True if only this user can write to a file or folder."""
    if sys.platform == "win32":  # without such owners; the folder is in the user's own
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
