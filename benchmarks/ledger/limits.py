"""Impossible figures: those above the limits of the machine."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.core.bootstrap import quiet
from benchmarks.ledger.baselines import LIMITS
from benchmarks.ledger.results import Results

MOST = 1.05
MANY = 0.5  # the share of contenders from which on the limit is more likely wrong than they


def impossible(results: Results) -> Iterator[str]:
    """Yield the figures that exceed the measured peak, or a copy of the same bytes."""
    for kernel, (group, limit) in LIMITS.items():
        if (best := results.cell(group, limit)) is None:
            continue
        fastest = best.work / min(quiet(best.seconds))
        shares = {
            (contender, name): cell.work / max(min(quiet(cell.seconds)), 1e-15) / fastest
            for name, cells in results.cells.items()
            for contender, cell in cells.items()
            if name.startswith(f"{kernel} ") and contender != limit and cell.known
        }
        above = {key: share for key, share in shares.items() if share > MOST}
        beyond, every = ({contender for contender, _ in keys} for keys in (above, shares))
        if len(beyond) > max(1, MANY * len(every)):
            yield (
                f"{len(beyond)} of {len(every)} contenders of {kernel} exceed the {limit}: "
                "its measurement is wrong, rather than theirs"
            )
        for (contender, name), share in above.items():
            yield f"{contender}: {name} reaches {share:.0%} of the {limit}"
