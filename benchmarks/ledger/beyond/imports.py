"""The time to import a binding, in new processes.

These have imported NumPy and what all bindings share; torch, which has users of its own, is
imported before its binding and timed separately.

Warm: every file is in the page cache, as on the second start of a program. Cold: the binding's own
files, and what else it brings that no other process has mapped, have been dropped from the page
cache (written, then posix_fadvise with DONTNEED), as on the first start after boot; directories
stay. If one of the binding's own files is still cached afterwards, as preadv2 with RWF_NOWAIT
reports, no figure is called cold.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.core import machine
from benchmarks.core.process import ask
from benchmarks.ledger.beyond.sizes import is_own

SCRIPT = "ledger.beyond.importing"
TECHNOLOGY = {"torch": "torch"}
"""By binding, the technology that is imported first and timed by itself."""


class Samples(NamedTuple):
    """The number of processes."""

    warm: int
    cold: int
    heavy: int
    """At most, of a binding whose technology is timed by itself."""


def brought(backends: Sequence[str]) -> dict[str, list[list[str]]]:
    """Return the files that each import loads, by binding.

    A technology's files are separate if it is timed separately, and the binding's come last. From
    here on they are compiled and in the page cache.
    """
    with ThreadPoolExecutor(machine.cores()) as pool:
        found = pool.map(lambda backend: ask(SCRIPT, _modules(backend)), backends)
        return {
            backend: [one["files"] for one in imported]
            for backend, imported in zip(backends, found, strict=True)
        }


def measure(
    backends: Sequence[str],
    files: Mapping[str, list[list[str]]],
    samples: Samples,
    order: random.Random,
) -> dict[str, Any]:
    """Return the seconds of every process, by binding.

    They are `warm`, `cold`, and the warm time of its `technology`; `kept` names the `files` that
    stayed in the page cache.
    """
    found: dict[str, Any] = {
        backend: {"warm": [], "cold": [], "technology": [], "files": len(files[backend][-1])}
        for backend in backends
    }
    rounds = max(samples.warm, samples.cold)
    for round_ in range(rounds):
        for backend in order.sample(backends, len(backends)):
            most = samples.heavy if backend in TECHNOLOGY else rounds
            if round_ < min(most, samples.warm):
                *technology, own = ask(SCRIPT, _modules(backend))
                found[backend]["warm"].append(own["seconds"])
                found[backend]["technology"] += [one["seconds"] for one in technology]
            if round_ < min(most, samples.cold):
                kept = [Path(path) for path in files[backend][-1] if not dropped(path)]
                found[backend]["kept"] = [path.name for path in kept]
                if not any(is_own(backend, path) for path in kept):
                    own = ask(SCRIPT, _modules(backend))[-1]
                    found[backend]["cold"].append(own["seconds"])
    return found


def dropped(path: str) -> bool:
    """Drop a file from the page cache, and return True if that succeeded."""
    if not hasattr(os, "posix_fadvise") or not hasattr(os, "RWF_NOWAIT"):
        return False
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
    except BlockingIOError:
        return True
    except OSError:  # the file system does not report it
        return False
    finally:
        os.close(file)
    return os.path.getsize(path) == 0


def _modules(backend: str) -> list[str]:
    return [*filter(None, [TECHNOLOGY.get(backend)]), f"ffi_cookbook.bindings.{backend}"]
