"""The ledger in nanoseconds: the cost of one call above a call of an empty C function."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType

from benchmarks.core.clock import Loop, check_orders
from benchmarks.ledger.rows import ALL, contenders

NOTHING = "nothing"
CONTROL = "capi again"
"""The A/A control: the C API once more, which must measure as the C API does."""
APART, BRIDGE = "torch", " beside torch"
"""The binding that is timed in processes of its own, since its library registers translators of
exceptions that pybind11 then asks one after the other; and the mark of what else those processes
time: the C API, so that the two kinds of process can be compared."""

Samples = dict[str, dict[str, list[float]]]
"""By contender: the seconds of the statement, and of the empty one, round by round."""


def wrong_answers(backend: ModuleType, rows: Iterable[str] = ALL) -> list[str]:
    """Return the wrong results of the binding's patterns, in any variant."""
    complaints = []
    for name in rows:
        row = ALL[name]
        for _, variant, patterns in contenders({"": backend}, name):
            if complaint := row.wrong(patterns, variant):
                where = f"patterns.{variant}.{name}" if variant else f"patterns.{name}"
                complaints.append(f"{where}: {complaint}")
    return complaints


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
    """Yield one process's samples, row by row, with or without the variants.

    A round takes one sample of every contender of every row, in a new order. So a machine whose
    speed changes from one second to the next disturbs some rounds of every row, and not all rounds
    of some rows.
    """
    border = {name: backend for name, backend in backends.items() if name != "numpy"}
    gc.disable()
    try:
        by_row = {name: _loops(border, name, slice_s, variants) for name in rows}
        times: dict[str, dict[str, list[float]]] = {
            name: {contender: [] for contender in loops} for name, loops in by_row.items()
        }
        orders = set()
        for _ in range(rounds):
            names = order.sample(list(by_row), len(by_row))
            orders.add(tuple(names))
            for name in names:
                for contender, loop in order.sample(list(by_row[name].items()), len(by_row[name])):
                    times[name][contender].append(loop.seconds())
    finally:
        gc.enable()
    check_orders(orders, rounds, len(by_row))
    for name, taken in times.items():
        nothing = taken.pop(NOTHING)
        yield (
            f"pattern {name}",
            {
                contender: {"seconds": gross, "beside": nothing}
                for contender, gross in taken.items()
            },
        )


def _loops(
    backends: Mapping[str, ModuleType], name: str, slice_s: float, variants: bool
) -> dict[str, Loop]:
    row = ALL[name]
    timed = {NOTHING: row.nothing()}
    for backend, variant, patterns in contenders(backends, name):
        if variants or variant is None:
            timed[_name(backend, variant)] = row.timed(patterns, variant)
    if "capi" in backends:
        timed[CONTROL] = row.timed(backends["capi"].patterns)
    return {contender: Loop(one, slice_s) for contender, one in timed.items()}
