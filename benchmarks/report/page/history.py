"""The earlier runs, from the folder in which every run is stored."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

from benchmarks.core.bootstrap import quiet
from benchmarks.ledger.results import FLOOR, Results
from benchmarks.report.page.saved import PARTS, native, read
from benchmarks.report.page.words import commit
from benchmarks.report.table import NONE, Figure, Table

MOST = 12
NEEDED = {*PARTS, "benchmarks", "commit_info", "datetime", "floor"}
"""The keys of a run that can be shown."""


def earlier(folder: Path) -> list[dict[str, Any]]:
    """Return the saved runs of every machine, the oldest first, without unreadable ones."""
    paths = sorted(folder.rglob("*.json"), key=lambda path: path.stat().st_mtime)
    documents = []
    for path in paths[-MOST:]:
        with suppress(ValueError, OSError):  # a run that was killed while it was saved
            documents.append(json.loads(path.read_text("utf-8")))
    return [one for one in documents if isinstance(one, dict) and one.keys() >= NEEDED]


def history(document: dict[str, Any], before: list[dict[str, Any]]) -> list[Table]:
    """Return whole calls relative to the C API in each run, newest first; none for a first run."""
    runs = [document, *reversed(before)]
    results = [read(run) for run in runs]
    columns = [name for name in native(results[0]) if name != FLOOR]
    if not before or not columns:
        return []
    rows = [
        (_name(run), [Figure(run["effort"]), _floor(run), *(_mean(found, it) for it in columns)])
        for run, found in zip(runs, results, strict=True)
    ]
    notes = [
        "Geometric means of whole calls, × the C API, over the patterns of that run. Compare two "
        "runs cell by cell, with their uncertainty: nox -s bench -- --compare NAME."
    ]
    return [Table("This run and those before it", ["effort", "floor", *columns], rows, 1, notes)]


def _name(run: dict[str, Any]) -> str:
    when = datetime.fromisoformat(run["datetime"])
    return f"{when:%-d %b %Y, %H:%M} · {commit(run, 7)}"


def _floor(run: dict[str, Any]) -> Figure:
    return Figure(f"±{run['floor'][0] * 1e9:.2g} ns")


def _mean(results: Results, backend: str) -> Figure:
    """Return the same as Results.times_floor, without the intervals."""
    ratios = [
        median(quiet(cells[backend].seconds)) / median(quiet(floor.seconds))
        for group, cells in results.cells.items()
        if group.startswith("pattern ") and backend in cells
        if (floor := results.floor_of(group, backend))
    ]
    return Figure(f"{geometric_mean(ratios):.2f}×") if ratios else NONE
