"""The gate: cells whose instruction count has grown, between builds by the same tools."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.core import machine
from benchmarks.core.pages import replace
from benchmarks.ledger.instructions.counting import Cells

BASELINE = Path(__file__).with_name("baseline.json")
TOLERANCE = 0.01
FLOOR = 0.5  # of an instruction


class Change(NamedTuple):
    """One cell that has changed."""

    group: str
    contender: str
    before: float
    after: float

    @property
    def ratio(self) -> float:
        """Return the ratio of the new count to the old one."""
        return self.after / self.before if self.before else float("inf")

    def __str__(self) -> str:
        return (
            f"{self.group} [{self.contender}]: {self.before:,.4g} → {self.after:,.4g} "
            f"instructions ({self.ratio - 1:+.1%})"
        )


Counts = Mapping[str, Mapping[str, float]]
"""By row and contender, the instructions of a call, net."""
Baseline = Mapping[str, Mapping[str, float | list[float]]]
"""The same of a baseline. A list is of a cell that depends on where things lie in memory: its
counts in one layout after the other. Known causes are tables of objects by address (pybind11,
nanobind), and two names that evict each other from the cache of Python's methods (some 400
instructions a call). What even the same layout varies is Rust's HashMap, which salts its hashes: by
a tenth of a percent."""


def verdicts(
    layouts: Sequence[Counts], then: Baseline, tolerance: float = TOLERANCE
) -> list[Change]:
    """Return the cells that changed by the tolerance or more.

    Both the least and the most of the counts in these layouts of memory, the baseline's first ones,
    must change in the same direction: a change that trades one layout for another does not count.
    """
    changes = []
    for row, contenders in then.items():
        for contender, kept in contenders.items():
            after = [
                counts[row][contender] for counts in layouts if contender in counts.get(row, {})
            ]
            if not after:
                continue
            before = (kept if isinstance(kept, list) else [kept])[: len(layouts)]
            moved = {_moved(end(before), end(after), tolerance) for end in (min, max)}
            if moved in ({1}, {-1}):
                changes.append(Change(row, contender, before[0], after[0]))
    return changes


def _moved(before: float, after: float, tolerance: float) -> int:
    least = max(FLOOR, tolerance * before - 1e-9)
    return int(after - before >= least) - int(before - after >= least)


def lone(now: Baseline, then: Baseline) -> list[str]:
    """Return the cells of one side that the other lacks."""
    one, other = (
        {f"{row} [{contender}]" for row in side for contender in side[row]} for side in (now, then)
    )
    return sorted(one ^ other)


def part(counts: Baseline, backends: Collection[str], rows: Collection[str] | None) -> Baseline:
    """Return the cells of these bindings and rows."""
    return {
        row: {
            contender: count
            for contender, count in contenders.items()
            if contender.partition(" ")[0] in backends
        }
        for row, contenders in counts.items()
        if not rows or row in rows
    }


def versions(abouts: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the versions on which counts depend; `abouts` has each binding's facts."""
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True)
    return {
        "interpreter": f"{platform.python_version()}, {platform.python_compiler()}",
        "its build": machine.python_build(),
        "numpy": np.__version__,
        "libc": " ".join(platform.libc_ver()),
        "valgrind": valgrind.stdout.strip(),
        "cpu": platform.machine() + (" with AVX2" if "avx2" in _cpu_flags() else ""),
        **{
            f"{backend} binding": f"{about['technology']}, {about['compiler']}"
            for backend, about in abouts.items()
        },
    }


def matches(now: Mapping[str, str], then: Mapping[str, str]) -> list[str]:
    """Return the versions that both sides have and that differ."""
    return [
        f"{name}: {then[name]} then, {now[name]} now"
        for name in then
        if name in now and now[name] != then[name]
    ]


def nets(cells: Cells) -> dict[str, dict[str, float]]:
    """Return the net counts, without functions that scan strings.

    The distance of strings from the end of a page differs from build to build.
    """
    return {
        row: {
            contender: round(cell["instructions"] - cell["scan"], 4)
            for contender, cell in contenders.items()
        }
        for row, contenders in cells.items()
    }


def together(layouts: Sequence[Counts]) -> dict[str, dict[str, float | list[float]]]:
    """Return the content of a baseline, from counts in several memory layouts."""
    kept: dict[str, dict[str, float | list[float]]] = {}
    first, *_ = layouts
    for row, contenders in first.items():
        for contender, count in contenders.items():
            seen = [counts[row][contender] for counts in layouts]
            kept.setdefault(row, {})[contender] = count if len(set(seen)) == 1 else seen
    return kept


def save(document: Mapping[str, Any], path: Path) -> None:
    """Write one line for each row, so that a diff of two baselines is readable."""
    parts = []
    for part, rows in document.items():
        lines = [f"  {json.dumps(row)}: {json.dumps(cells)}" for row, cells in rows.items()]
        parts.append(f" {json.dumps(part)}: {{\n" + ",\n".join(lines) + "\n }")
    replace(path, "{\n" + ",\n".join(parts) + "\n}\n")


def _cpu_flags() -> list[str]:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split() for line in lines if line.startswith("flags")), [])
