"""The time to import a door, in fresh processes that have imported NumPy and what all doors share;
torch, which has users of its own, is imported before its door and its time told apart.

Warm: every file is in the page cache, as on the second start of a program. Cold: the door's own
files, and what else it brings that no other process has mapped, have been dropped from there
(written, then posix_fadvise with DONTNEED), as on the first start after boot; directories stay.
Where one of its own files was still there afterwards (preadv2 with RWF_NOWAIT tells), nothing is
called cold.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import machine

from beyond.fresh import fresh
from beyond.sizes import is_own

TECHNOLOGY = {"torch": "torch"}
"""What is imported first, and told apart, by door."""


class Samples(NamedTuple):
    """How many processes."""

    warm: int
    cold: int
    heavy: int
    """At most, of a door whose technology is told apart."""


def brought(doors: Sequence[str]) -> dict[str, list[list[str]]]:
    """By door the files that its imports bring, each import's: the technology's if it is told
    apart, and last the door's. From here on they are in the page cache, and compiled."""
    with ThreadPoolExecutor(machine.cores()) as pool:
        found = pool.map(lambda door: fresh("importing.py", _modules(door)), doors)
        return {
            door: [one["files"] for one in imported]
            for door, imported in zip(doors, found, strict=True)
        }


def measure(
    doors: Sequence[str],
    files: Mapping[str, list[list[str]]],
    samples: Samples,
    order: random.Random,
) -> dict[str, Any]:
    """By door the seconds of every process: `warm`, `cold`, and warm of its `technology`; of its
    `files` those `kept` in the page cache."""
    found: dict[str, Any] = {
        door: {"warm": [], "cold": [], "technology": [], "files": len(files[door][-1])}
        for door in doors
    }
    rounds = max(samples.warm, samples.cold)
    for round_ in range(rounds):
        for door in order.sample(doors, len(doors)):
            most = samples.heavy if door in TECHNOLOGY else rounds
            if round_ < min(most, samples.warm):
                *technology, own = fresh("importing.py", _modules(door))
                found[door]["warm"].append(own["seconds"])
                found[door]["technology"] += [one["seconds"] for one in technology]
            if round_ < min(most, samples.cold):
                kept = [Path(path) for path in files[door][-1] if not dropped(path)]
                found[door]["kept"] = [path.name for path in kept]
                if not any(is_own(door, path) for path in kept):
                    own = fresh("importing.py", _modules(door))[-1]
                    found[door]["cold"].append(own["seconds"])
    return found


def dropped(path: str) -> bool:
    """Drops a file from the page cache; whether it is gone from there."""
    if not hasattr(os, "posix_fadvise") or not hasattr(os, "RWF_NOWAIT"):
        return False
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
    except BlockingIOError:
        return True
    except OSError:  # the file system does not tell
        return False
    finally:
        os.close(file)
    return os.path.getsize(path) == 0


def _modules(door: str) -> list[str]:
    return [*filter(None, [TECHNOLOGY.get(door)]), f"bindings.{door}"]
