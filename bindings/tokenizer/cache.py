"""Models on disk, so that a second load maps a file instead of building one.

COOKBOOK_CACHE names the folder, or switches the cache off when empty. A file is written under
another name and renamed when whole, never changed in place. It ends with the key and a checksum;
one that does not fit is built anew. Whatever goes wrong here costs time, never a model.

The key is a hash of the files that a model is made from, and to hash them costs more than all
else. So a second kind of file says which key files had in the state that they are still in.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bindings.tokenizer.blob import Blob

SETTLED = 2 * 10**9  # ns after which no further change can leave a file's times as they are
ROW = 1024  # 64-bit words that are summed
ROWS = 64  # that stay in the nearer caches, 512 kB
SEAL = 32 + 8  # bytes: SHA-256, BLAKE2


def folder() -> Path | None:
    """Where models are kept, or None for nowhere."""
    if (named := os.environ.get("COOKBOOK_CACHE")) is not None:
        return Path(named) if named else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "ffi-cookbook"


def load(key: str) -> Blob | None:
    """The model stored under a key, mapped into memory."""
    where = folder()
    if where is None:
        return None
    try:
        with open(where / f"{key}.ckbpe", "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    stored = np.frombuffer(mapped, np.uint8)
    size = len(stored) - SEAL
    if size < 0 or size % 8 or stored[size:].tobytes() != _seal(stored[:size], key):
        return None
    return stored[:size]


def store(key: str, blob: Blob) -> None:
    """Keeps a model for the next time, if that can be done."""
    _write(f"{key}.ckbpe", blob.data, _seal(blob, key))


def state(path: str) -> tuple[bytes, bool]:
    """What changes when the file does, and whether that is sure: not while it is new."""
    now, it = time.time_ns(), os.stat(path)
    times = (it.st_mtime_ns, it.st_ctime_ns)
    return repr((it.st_dev, it.st_ino, it.st_size, *times)).encode(), now - max(times) > SETTLED


def known_key(states: str) -> str | None:
    """The key of files in these states."""
    where = folder()
    with contextlib.suppress(OSError, ValueError):
        if where and len(key := (where / f"{states}.key").read_text("ascii")) == 64:
            return bytes.fromhex(key).hex()
    return None


def know_key(states: str, key: str) -> None:
    """Keeps the key of files in these states."""
    _write(f"{states}.key", key.encode())


def _write(name: str, *parts: bytes | memoryview) -> None:
    where = folder()
    if where is None:
        return
    with contextlib.suppress(OSError):
        where.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=where, suffix=".part")
        try:
            with open(handle, "wb") as file:
                file.writelines(parts)
            os.replace(part, where / name)
        finally:
            Path(part).unlink(missing_ok=True)


def _seal(blob: Blob, key: str) -> bytes:
    """The end of a cache file: the key, and BLAKE2 of the blob's sums along and across rows of
    64-bit words. Two words that changed places differ in one of them, at a tenth of the time that
    hashing all of the blob takes. Some rows at a time, so that memory is read once."""
    words = blob.view("<u8")
    whole = len(words) - len(words) % ROW
    rows = words[:whole].reshape(-1, ROW)
    across, along = np.zeros(ROW, np.uint64), np.empty(len(rows), np.uint64)
    for first in range(0, len(rows), ROWS):
        some = rows[first : first + ROWS]
        across += some.sum(0)
        some.sum(1, out=along[first : first + ROWS])
    sums = np.concatenate([across, along, words[whole:]])
    return bytes.fromhex(key) + hashlib.blake2b(sums.data, digest_size=8).digest()
