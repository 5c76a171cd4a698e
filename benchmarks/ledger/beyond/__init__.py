"""Costs of a binding other than the time of a call.

They are its source, its files, its import, the memory it allocates, how it scales to a second
thread, and the time to compile it. Each has a module here that says what is measured; a measurement
in a new process has a script of its own (`importing`, `counting`, `together`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.ledger.beyond import allocations, builds, imports, lines, sizes, threads


class Effort(NamedTuple):
    """The effort of the measurements."""

    imports: imports.Samples
    threads: threads.Samples
    build: bool


EFFORTS = {
    "quick": Effort(imports.Samples(1, 1, 1), threads.Samples(1, 3), False),
    "usual": Effort(imports.Samples(3, 1, 1), threads.Samples(2, 4), False),
    "full": Effort(imports.Samples(9, 9, 3), threads.Samples(5, 9), True),
}


def measure(
    backends: Sequence[str], folder: str, effort: str, advance: Callable[[str], object]
) -> dict[str, dict[str, Any]]:
    """Return the costs by binding and subject, for Results.beyond.

    `folder` has the inputs; `advance` is called when a part begins.
    """
    look, order = EFFORTS[effort], random.Random()
    found: dict[str, dict[str, Any]] = {}
    advance("lines and sizes")
    found["lines"] = {backend: lines.count(backend) for backend in backends}
    brought = imports.brought(backends)
    found["sizes"] = {backend: sizes.measure(backend, brought[backend]) for backend in backends}
    advance("allocations")
    found["allocations"] = allocations.measure(backends, Path(folder))
    advance("imports")
    found["imports"] = imports.measure(backends, brought, look.imports, order)
    advance("threads")
    found["scaling"] = threads.measure(backends, folder, look.threads)
    if look.build:
        advance("builds")
        found["builds"] = builds.measure(backends)
    return {
        backend: {subject: of[backend] for subject, of in found.items() if backend in of}
        for backend in backends
    }
