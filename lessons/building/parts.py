"""Parts that several builds share, made once and found again by a hash of their inputs."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from .job import shared

_being_made: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)


def part(name: str, made_of: object, make: Callable[[Path], None], most: int = 4) -> Path:
    """Return the folder that `make` fills, from the cache if it was made before.

    `made_of` has a `repr` that determines the result, together with the Python in use. The `most`
    parts of that name that were used last are kept.
    """
    digest = hashlib.sha256(repr((made_of, sys.version, sys.prefix)).encode())
    goal = shared() / f"{name}-{digest.hexdigest()[:32]}"
    with _being_made[goal]:
        if goal.is_dir():
            os.utime(goal)
            return goal
        goal.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = Path(tempfile.mkdtemp(dir=goal.parent))
        try:
            make(folder)
            try:
                folder.rename(goal)
            except OSError:  # another process has made the same
                if not goal.is_dir():
                    raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        for path in sorted(goal.parent.glob(f"{name}-*"), key=_used)[:-most]:
            shutil.rmtree(path, ignore_errors=True)
    return goal


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another process has just removed it
        return 0
