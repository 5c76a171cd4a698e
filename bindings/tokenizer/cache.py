"""Models on disk, so that a second load maps a file instead of building one.

COOKBOOK_CACHE names the folder, or switches the cache off when empty. A file is written under
another name and renamed when whole, never changed in place. It ends with the key and a checksum;
one that does not fit is built anew. Whatever goes wrong here costs time, never a model.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from bindings.tokenizer.blob import Blob


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
    size = len(stored) - len(_seal(stored[:0], key))
    if size < 0 or size % 8 or stored[size:].tobytes() != _seal(stored[:size], key):
        return None
    return stored[:size]


def store(key: str, blob: Blob) -> None:
    """Keeps a model for the next time, if that can be done."""
    where = folder()
    if where is None:
        return
    with contextlib.suppress(OSError):
        where.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=where, suffix=".part")
        try:
            with open(handle, "wb") as file:
                file.write(blob.data)
                file.write(_seal(blob, key))
            os.replace(name, where / f"{key}.ckbpe")
        finally:
            Path(name).unlink(missing_ok=True)


def _seal(blob: Blob, key: str) -> bytes:
    """The end of a cache file: the key, and the sum of the blob's 64-bit words."""
    checksum = int(np.add.reduce(blob.view("<u8"), dtype=np.uint64))
    return bytes.fromhex(key) + checksum.to_bytes(8, "little")
