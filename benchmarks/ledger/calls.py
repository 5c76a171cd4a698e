"""The ledger in nanoseconds: the cost of one call above a call of an empty C function."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

from benchmarks.core.clock import Timed, spread
from benchmarks.ledger.rows import ALL, contenders

NOTHING = "nothing"
CONTROL = "capi again"
"""The A/A control: the C API once more, which must measure as the C API does."""
APART, BRIDGE = "torch", " beside torch"
"""The binding that is timed in processes of its own, since its library registers translators of
exceptions that pybind11 then asks one after the other; and the mark of what else those processes
time: the C API, so that the two kinds of process can be compared."""

Samples = dict[str, dict[str, Any]]
"""By contender: its binding and variant, the seconds of the statement and of the empty one."""


def names(name: str, backend: ModuleType, rows: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of the contenders of each row that a binding has."""
    return {row: [_name(*one[:2]) for one in contenders({name: backend}, row)] for row in rows}


def _name(backend: str, variant: str | None) -> str:
    return f"{backend} {variant}" if variant else backend


def measure(
    backends: Mapping[str, ModuleType],
    rows: Iterable[str],
    rounds: int,
    slice_s: float,
    order: random.Random,
    variants: bool = True,
) -> Iterator[tuple[str, Samples]]:
    """Yield one process's samples, row by row, with or without the variants."""
    groups: dict[str, dict[tuple[str, str], Timed]] = {}
    for name in rows:
        row = ALL[name]
        timed = groups[name] = {("", NOTHING): row.nothing()}
        for backend, variant, patterns in contenders(backends, name):
            if variants or variant is None:
                timed[backend, variant or ""] = row.timed(patterns, variant)
        if "capi" in backends:
            timed["capi", "again"] = row.timed(backends["capi"].patterns)
    for name, taken in spread(groups, rounds, slice_s, order).items():
        nothing = taken.pop(("", NOTHING))
        samples = {
            _name(*key): {"binding": key[0], "variant": key[1], "seconds": gross, "beside": nothing}
            for key, gross in taken.items()
        }
        yield f"pattern {name}", samples
