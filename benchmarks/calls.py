"""The ledger in nanoseconds: what one call costs, above evaluating its operands."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType

from clock import Timed, interleaved
from rows import ALL, arms

NOTHING = "nothing"
CONTROL = "capi again"
"""The A/A control: the C API once more, which must measure as the C API does."""

Samples = dict[str, dict[str, list[float]]]
"""By arm: the seconds of the statement, and of its operands alone, round by round."""


def wrong_answers(door: ModuleType, rows: Iterable[str] = ALL) -> list[str]:
    """What the door's probes get wrong, in any variant."""
    complaints = []
    for name in rows:
        row = ALL[name]
        for _, variant, probes in arms({"": door}, name):
            if complaint := row.wrong(probes, variant):
                where = f"probes.{variant}.{name}" if variant else f"probes.{name}"
                complaints.append(f"{where}: {complaint}")
    return complaints


def measure(
    doors: Mapping[str, ModuleType],
    rows: Iterable[str],
    rounds: int,
    slice_s: float,
    order: random.Random,
) -> Iterator[tuple[str, Samples]]:
    """One process's samples, row by row. All arms of a row are timed in turn, in a new order every
    round."""
    border = {name: door for name, door in doors.items() if name != "numpy"}
    for name in order.sample(list(rows), len(list(rows))):
        row = ALL[name]
        loops: dict[str, Timed] = {NOTHING: row.nothing()}
        for door, variant, probes in arms(border, name):
            loops[f"{door} {variant}" if variant else door] = row.timed(probes, variant)
        if "capi" in border:
            loops[CONTROL] = row.timed(border["capi"].probes)
        times = interleaved(loops, rounds, slice_s, order)
        nothing = times.pop(NOTHING)
        yield (
            f"probe {name}",
            {arm: {"seconds": gross, "beside": nothing} for arm, gross in times.items()},
        )
