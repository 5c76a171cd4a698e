"""Impossible figures: those above the limits of the machine."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.core.bootstrap import quiet
from benchmarks.ledger.baselines import LIMITS
from benchmarks.ledger.results import Results

MOST = 1.05


def impossible(results: Results) -> Iterator[str]:
    """Yield the figures that exceed the measured peak, or a copy of the same bytes."""
    for kernel, (group, limit) in LIMITS.items():
        if (best := results.cell(group, limit)) is None:
            continue
        fastest = best.work / min(quiet(best.seconds))
        for name, cells in results.cells.items():
            for contender, cell in cells.items():
                share = cell.work / max(min(quiet(cell.seconds)), 1e-15) / fastest
                if name.startswith(f"{kernel} ") and contender != limit and share > MOST:
                    yield f"{contender}: {name} reaches {share:.0%} of the {limit}"
