"""Costs of a binding other than the time of a call: its files, its import, a second thread.

Import times are of new processes, which have imported NumPy and what all bindings share; torch,
which has users of its own, is imported before its binding and timed separately. Every file is in
the page cache, as on the second start of a program.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.core import machine
from benchmarks.core.process import ask
from benchmarks.ledger.beyond import sizes, threads

IMPORTS = {"quick": 1, "usual": 3, "full": 9}
"""The number of processes that import each binding."""
TECHNOLOGY = {"torch": "torch"}
"""By binding, the technology that is imported first and timed by itself, once or thrice."""


def measure(
    backends: Sequence[str], folder: str, effort: str, advance: Callable[[str], object]
) -> dict[str, dict[str, Any]]:
    """Return the costs by binding and subject, for Results.beyond.

    `folder` has the inputs; `advance` is called when a part begins.
    """
    advance("sizes")
    with ThreadPoolExecutor(machine.cores()) as pool:
        files = dict(zip(backends, pool.map(_imported, backends), strict=True))
    found: dict[str, dict[str, Any]] = {
        "sizes": {
            backend: sizes.measure(backend, [one["files"] for one in files[backend]])
            for backend in backends
        }
    }
    advance("imports")
    found["imports"] = _imports(backends, IMPORTS[effort])
    advance("threads")
    found["scaling"] = threads.measure(backends, folder, effort)
    return {
        backend: {subject: of[backend] for subject, of in found.items() if backend in of}
        for backend in backends
    }


def _imports(backends: Sequence[str], processes: int) -> dict[str, Any]:
    """Return the seconds of every process: `warm`, and those of the binding's `technology`."""
    found: dict[str, Any] = {backend: {"warm": [], "technology": []} for backend in backends}
    for turn in range(processes):
        for backend in random.sample(backends, len(backends)):
            if turn < 3 or backend not in TECHNOLOGY:
                *technology, own = _imported(backend)
                found[backend]["warm"].append(own["seconds"])
                found[backend]["technology"] += [one["seconds"] for one in technology]
    return found


def _imported(backend: str) -> Any:
    """Import a binding in a new process, and return the seconds and files of each import."""
    modules = [*filter(None, [TECHNOLOGY.get(backend)]), f"ffi_cookbook.bindings.{backend}"]
    return ask("ledger.beyond.importing", modules)
