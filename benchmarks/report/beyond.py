"""The costs of a binding besides the time of a call, as tables."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from benchmarks.core.bootstrap import estimate
from benchmarks.ledger.beyond.threads import speedup
from benchmarks.ledger.results import Cell, Results
from benchmarks.ledger.rows import ALL, VARIANTS
from benchmarks.report.table import NONE, Figure, Table, short


def tables(results: Results) -> list[Table]:
    """Return all tables, or none if nothing was measured."""
    if not results.beyond:
        return []
    return [whole(results), *scaling(results), *allocations(results), *copies(results)]


def whole(results: Results) -> Table:
    """Return a row for each binding, with a column for each cost."""
    columns = [
        ("lines", _lines),
        ("KB", _own),
        ("loads MB", _support),
        ("needs MB", _required),
        ("import ms", _warm),
        ("cold ms", lambda it: _seconds(it, "cold")),
    ]
    if any("builds" in it for it in results.beyond.values()):
        columns += [
            ("build s", lambda it: _build(it, "cold")),
            ("again s", lambda it: _build(it, "again")),
        ]
    rows = [
        (backend, [figure(found) for _, figure in columns])
        for backend, found in results.beyond.items()
    ]
    return Table(
        "Beyond the call",
        [heading for heading, _ in columns],
        rows,
        rule=len(rows),
        notes=_notes(results),
    )


def scaling(results: Results) -> list[Table]:
    """Return the work of several threads, divided by that of one in the same time."""
    found = {backend: it["scaling"] for backend, it in results.beyond.items() if "scaling" in it}
    if not found:
        return []
    works = next(iter(found.values()))
    rows = [(backend, [_speedup(times) for times in it.values()]) for backend, it in found.items()]
    crews = ", ".join(f"{times['threads']} in {work}" for work, times in works.items())
    return [
        Table(
            "Threads, times as much as one does",
            list(works),
            rows,
            rule=len(rows),
            notes=[
                f"Threads: {crews}. Work: the pattern `interruptible`, which comes back to Python "
                "every 65536 rounds."
            ],
        )
    ]


def allocations(results: Results) -> list[Table]:
    """Return the number of allocations of a call, with a row for each pattern."""
    return _ledger(
        results,
        "Allocations a call",
        lambda count: count["calls"],
        [
            "Counted, not sampled: what the thread asks of malloc when Python does not pool "
            "objects; Python's free lists serve many."
        ],
    )


def copies(results: Results) -> list[Table]:
    """Return the bytes that a call allocates for each additional byte of its argument."""
    return _ledger(
        results,
        "Bytes allocated for each byte of an argument",
        lambda count: count["per_byte"],
        [
            "0: borrowed; 1: one copy, or the result. A float in a list: 24 bytes and a place of "
            "8, for 8 of payload. A realloc counts whole."
        ],
    )


def _ledger(
    results: Results,
    title: str,
    of: Callable[[dict[str, Any]], float | None],
    notes: list[str],
) -> list[Table]:
    counts = {
        backend: it["allocations"] for backend, it in results.beyond.items() if "allocations" in it
    }
    rows = []
    for name in ALL:
        values = {
            backend: of(found[name][backend]) for backend, found in counts.items() if name in found
        }
        known = {backend: value for backend, value in values.items() if value is not None}
        if known:
            least = min(
                (value for backend, value in known.items() if backend != "python"), default=inf
            )
            figures = [
                Figure(short(known[backend]), best=known[backend] <= least)
                if backend in known
                else NONE
                for backend in counts
            ]
            rows.append((name, figures))
    return [Table(title, list(counts), rows, rule=len(rows), notes=notes)] if rows else []


def lines(found: dict[str, Any]) -> int:
    """Return the lines of a binding's code without its variants."""
    by_page: dict[str, int] = found["lines"]
    return by_page["total"] - sum(by_page[page] for page in VARIANTS)


def _lines(found: dict[str, Any]) -> Figure:
    return Figure(short(lines(found)))


def _own(found: dict[str, Any]) -> Figure:
    own = found["sizes"]["own"].values()
    sizes = [full if stripped is None else stripped for full, stripped in own]
    return Figure(short(sum(sizes) / 1e3)) if sizes else NONE


def _support(found: dict[str, Any]) -> Figure:
    support = sum(found["sizes"]["support"].values())
    return Figure(short(support / 1e6)) if support else NONE


def _required(found: dict[str, Any]) -> Figure:
    required = sum(found["sizes"]["required"].values())
    return Figure(short(required / 1e6)) if required else NONE


def _seconds(found: dict[str, Any], temperature: str) -> Figure:
    samples = found["imports"][temperature]
    if not samples:
        return NONE
    it = Cell([[one] for one in samples])
    return Figure(short(it.value * 1e3), it.spread, once=it.spread is None)


def _warm(found: dict[str, Any]) -> Figure:
    return _seconds(found, "warm")


def _build(found: dict[str, Any], which: str) -> Figure:
    times = found.get("builds", {}).get(which)
    return NONE if times is None else Figure(short(times[0]), once=True)


def _speedup(times: dict[str, Any]) -> Figure:
    it = speedup(times)
    return Figure(short(it.value), (it.high - it.low) / 2 / it.value)


def _notes(results: Results) -> list[str]:
    notes = [
        "Lines of code without comments and variants; in python and numpy with the kernels.",
        "KB of its own libraries, stripped; MB of those it loads and NumPy does not; MB that are "
        "installed for it.",
        "Import in a fresh process that has NumPy; cold: its files not in the page cache.",
    ]
    for backend, found in results.beyond.items():
        if samples := found["imports"]["technology"]:
            seconds = estimate([[one] for one in samples]).value
            notes.append(f"{backend} itself is imported in {seconds:.1f} s, before its binding.")
        if reason := found.get("builds", {}).get("reason"):
            notes.append(f"{backend} could not be built: {reason}")
    if any("builds" in found for found in results.beyond.values()):
        notes.append("Build: the binding without the C or Rust kernels; again: its matmul page.")
    return notes


BRIEF: tuple[tuple[str, Callable[[dict[str, Any]], Figure], str], ...] = (
    ("import", _warm, "ms"),
    ("its files", _own, "KB"),
    ("installed for it", _required, "MB"),
    ("binding code", _lines, "lines"),
)
"""What is said of a binding in brief: what, how much, and the unit."""
